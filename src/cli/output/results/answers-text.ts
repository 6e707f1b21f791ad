import { hasPassed, InputError, isSkipped, namesOfCase, readNames, readPassMarks } from '../../../contract/index.ts'
import type { Report, ReportAnswer, ReportCase } from '../../../report/index.ts'
import { tellAnswer } from '../../../report/model/failures/failures.ts'
import {
  cellStates,
  describeRating,
  formatCost,
  formatCount,
  formatDuration,
  formatScore,
} from '../../../report/words/index.ts'
import { askIfMeant } from '../../../scoring/text/suggest-name.ts'
import { styleFor, type Terminal } from '../terminal.ts'
import { cleanText, cutEnd, pad, shorten, widestOf, wrapText } from '../text-table.ts'

const CASE_INDENT = ' '.repeat(9)
/** A pipe would get every answer whole in one line. */
const WITHOUT_TERMINAL = 100

type Room = Pick<Terminal, 'columns' | 'colour'>
const widthOf = ({ columns }: Room) => (Number.isFinite(columns) ? Math.max(40, columns) : WITHOUT_TERMINAL)
const oneLine = (text = '') => cleanText(text.replaceAll(/\s+/g, ' ').trim())

/** Every answer with its score, what explains it, and what a person said about it. */
export function drawAnswers({ runs }: Report, terminal: Room): string {
  const style = styleFor(terminal)
  const room = Math.max(20, terminal.columns - CASE_INDENT.length)
  return runs
    .flatMap(({ results, testSuiteSnapshot }) => {
      const markOf = readPassMarks(testSuiteSnapshot)
      return results.map((result) => ({ ...result, passMark: markOf(result.testCaseId) }))
    })
    .map((cell) => {
      const { testCaseId, modelId, score, passMark, unscored, error, response = '', rating, ratings = [] } = cell
      const passed = score ? (hasPassed(score, passMark) ? '✓' : '✗') : ' '
      const mark = `${formatScore(score?.score).padStart(5)} ${passed}`
      const reason = score?.notes ?? unscored?.message ?? error ?? (isSkipped(cell) ? cellStates.skipped.word : '')
      const lines = [
        cutEnd(cleanText(response.trim()), room),
        style('dim', cutEnd(cleanText(reason), room)),
        ...[{ rater: undefined, ...rating }, ...ratings].map(({ rater, ...given }) =>
          cutEnd(cleanText(describeRating(given, rater) ?? ''), room),
        ),
      ]
      const name = shorten(`${cleanText(testCaseId)} · ${cleanText(modelId)}`, room)
      const shown = lines.filter((line) => line !== '').map((line) => `${CASE_INDENT}${line}\n`)
      return `${style('bold', mark)}  ${name}\n${shown.join('')}`
    })
    .join('')
}

interface Chosen {
  model?: string | undefined
}

/** Refuses a model or case that is not there, with the one that may be meant. */
function refuseUnknown(what: 'model' | 'case', name: string, known: readonly string[]): void {
  if (!known.includes(name)) throw new InputError(`${name}: no such ${what} in this run${askIfMeant(name, known)}`)
}

function answersOf({ cells }: ReportCase, { model }: Chosen): ReportAnswer[] {
  return cells.filter(({ modelId }) => model === undefined || modelId === model).flatMap(({ answers }) => answers)
}

const isFailed = ({ passed }: ReportAnswer) => passed === false

/** The mean of what is scored: the hardest case has the lowest. */
function meanScore(answers: readonly ReportAnswer[]): number {
  const scores = answers.flatMap(({ score }) => score?.score ?? [])
  return scores.length === 0 ? 1 : scores.reduce((sum, score) => sum + score, 0) / scores.length
}

/** One line for each answer that failed, under its case. */
function drawFailedCase(testCase: ReportCase, answers: readonly ReportAnswer[], terminal: Room): string {
  const style = styleFor(terminal)
  const columns = widthOf(terminal)
  const failed = answers.filter(isFailed)
  const isOnly = answers.length === 1
  const count = isOnly ? '' : `${formatCount(failed.length)} of ${formatCount(answers.length)} failed`
  const title = cutEnd(`${cleanText(testCase.id)}  ${oneLine(testCase.prompt)}`, columns - count.length - 2)
  const expected = oneLine(testCase.expectedOutput)
  const room = columns - 12
  const names = failed.map(({ modelId, runNumber }) =>
    isOnly
      ? ''
      : shorten(
          `${cleanText(modelId)}${answers.some((other) => other.runNumber > 1) ? ` · run ${runNumber}` : ''}`,
          30,
        ),
  )
  const nameWidth = widestOf(names)
  const lines = failed.map((answer, index) => {
    const { score } = answer
    const graded = score && score.score > 0 ? `${formatScore(score.score)} · ` : ''
    const got = cutEnd(`${graded}${oneLine(tellAnswer(answer))}`, Math.max(14, room - nameWidth - 2))
    return `  ${pad(index === 0 ? 'got' : '', 8)}  ${pad(got, room - nameWidth - 2)}  ${style('dim', names[index]!)}`.trimEnd()
  })
  return [
    isOnly ? style('bold', title) : `${style('bold', pad(title, columns - count.length - 2))}  ${style('red', count)}`,
    ...(expected === '' ? [] : [`  expected  ${cutEnd(expected, room)}`]),
    ...lines,
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** A screen has room for so many lines, with the title and what is left out. */
const MAX_LINES = 36

/** As many cases as a screen has room for, and how many more there are. */
function fitCases(drawn: readonly string[], { isFull, more }: { isFull: boolean; more: string }): string {
  let used = 0
  const left = drawn.findIndex((text, index) => (used += text.split('\n').length) > MAX_LINES && index > 0)
  if (isFull || left < 0) return drawn.join('\n')
  return [...drawn.slice(0, left), `… ${formatCount(drawn.length - left, 'more case')}: ${more}\n`].join('\n')
}

/** What failed, hardest first: `show RUN --failed`. */
export function drawFailedAnswers(
  { title: suite, cases, rows }: Report,
  { model, isFull = false }: Chosen & { isFull?: boolean },
  terminal: Room,
): string {
  const models = rows.map(({ modelId }) => modelId)
  if (model !== undefined) refuseUnknown('model', model, models)
  const failed = cases
    .map((testCase) => ({ testCase, answers: answersOf(testCase, { model }) }))
    .filter(({ answers }) => answers.some(isFailed))
    .toSorted((a, b) => meanScore(a.answers) - meanScore(b.answers))
  const whose = model === undefined ? (models.length > 1 ? ' by some model' : '') : ` by ${cleanText(model)}`
  const title = `${cleanText(suite)} · ${formatCount(failed.length)} of ${formatCount(cases.length, 'case')} failed${whose}${failed.length > 1 ? ', hardest first' : ''}`
  const more = `--output full${model === undefined && models.length > 1 ? `, or --model ${cleanText(models[0]!)}` : ''}`
  const drawn = failed.map(({ testCase, answers }) => drawFailedCase(testCase, answers, terminal))
  return [`${wrapText(title, widthOf(terminal), '  ')}\n`, fitCases(drawn, { isFull, more })].filter(Boolean).join('\n')
}

/** An answer whole, with what explains its score. */
function drawWholeAnswer(answer: ReportAnswer, terminal: Room): string {
  const style = styleFor(terminal)
  const columns = widthOf(terminal)
  const {
    modelId,
    runNumber,
    score,
    passed,
    unscored,
    error,
    response = '',
    latencyMs,
    completionTokens,
    cost,
  } = answer
  const mark = score
    ? passed
      ? style('bold', '✓')
      : style('red', '✗')
    : style('yellow', error === undefined ? '?' : '!')
  const facts = [
    score ? `${formatScore(score.score)} of 100` : (unscored?.message ?? error ?? cellStates.skipped.word),
    ...(runNumber > 1 ? [`run ${runNumber}`] : []),
    ...(latencyMs === undefined ? [] : [formatDuration(latencyMs)]),
    ...(completionTokens === undefined ? [] : [formatCount(completionTokens, 'token')]),
    ...(cost === undefined ? [] : [formatCost(cost)]),
  ]
  const indent = '  '
  const paragraph = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => `${indent}${wrapText(cleanText(line), columns, indent)}\n`)
      .join('')
  const why = [
    score?.notes,
    ...(score?.judges ?? []).map(
      ({ judgeModelId, score: given, reasoning }) => `${judgeModelId}: ${formatScore(given)}. ${reasoning}`,
    ),
  ]
  return [
    `${mark} ${style('bold', cleanText(modelId))}  ${facts.map(cleanText).join(' · ')}\n`,
    ...(response.trim() === '' ? [] : [paragraph(response)]),
    ...why.flatMap((text) => (text === undefined ? [] : [style('dim', paragraph(text))])),
  ].join('')
}

/** Cases with all of their answers: `show RUN --case ID,…`. */
export function drawCases(
  { cases, rows }: Report,
  { names, model }: Chosen & { names: readonly string[] },
  terminal: Room,
): string {
  const known = new Set(cases.flatMap(namesOfCase))
  const wanted = new Set(names.flatMap((text) => readNames(text, known)))
  if (wanted.size === 0) throw new InputError('--case: names no case')
  for (const name of wanted) refuseUnknown('case', name, [...known])
  if (model !== undefined)
    refuseUnknown(
      'model',
      model,
      rows.map(({ modelId }) => modelId),
    )
  return cases
    .filter((testCase) => namesOfCase(testCase).some((name) => wanted.has(name)))
    .map((testCase) => drawCase(testCase, { model }, terminal))
    .join('\n')
}

function drawCase(testCase: ReportCase, chosen: Chosen, terminal: Room): string {
  const columns = widthOf(terminal)
  const indent = ' '.repeat(10)
  const field = (label: string, text: string | undefined) =>
    text === undefined || text.trim() === ''
      ? []
      : [
          `${pad(label, 10)}${text
            .trim()
            .split('\n')
            .map((line) => wrapText(cleanText(line), columns, indent))
            .join(`\n${indent}`)}\n`,
        ]
  const { id, passMark, methods } = testCase
  const mark = typeof passMark === 'number' ? `, passes at ${formatScore(passMark)}` : ''
  return [
    `${styleFor(terminal)('bold', cleanText(id))}\n\n`,
    ...field('Prompt', testCase.prompt),
    ...field('Expected', testCase.expectedOutput),
    ...field('Scoring', `${methods.join(', ')}${mark}`),
    ...answersOf(testCase, chosen).map((answer) => `\n${drawWholeAnswer(answer, terminal)}`),
  ].join('')
}
