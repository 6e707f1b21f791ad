import { hasPassed, readPassMarks, type RunResult } from '../../../contract/index.ts'
import { formatCount, formatScore } from '../../words/numbers.ts'
import { findSuite, listCases, type ReportAnswer, type ReportCase, type ReportCell } from '../cases.ts'

/** The cases that a model failed, the first few to be shown. */
interface ModelFailures {
  modelId: string
  failed: number
  caseIds: string[]
}

/** Which failures to show: very many say no more than a few. */
export interface ChosenFailures {
  /** In the order of the leaderboard; those of the first model only, if there are more than three. */
  models: ModelFailures[]
  /** Of more than three models: the cases with the lowest mean, whoever failed them. */
  hardest?: { failed: number; caseIds: string[] }
}

/** With more models, a list for each would be longer than a screen. */
const MOST_LISTED = 3
const SHOWN = 5

interface CaseTally {
  caseId: string
  sum: number
  scored: number
  /** Of each model, how many of its scored answers passed. */
  byModel: Map<string, { scored: number; passed: number }>
}

/** In the order of the suite. */
function tallyCases(runs: readonly RunResult[]): CaseTally[] {
  const tallies = new Map<string, CaseTally>()
  for (const { id: caseId } of findSuite(runs)?.testCases ?? [])
    tallies.set(caseId, { caseId, sum: 0, scored: 0, byModel: new Map() })
  for (const { results, testSuiteSnapshot } of runs) {
    const markOf = readPassMarks(testSuiteSnapshot)
    for (const { testCaseId, modelId, score } of results) {
      if (!score) continue
      const tally = tallies.get(testCaseId) ?? { caseId: testCaseId, sum: 0, scored: 0, byModel: new Map() }
      tallies.set(testCaseId, tally)
      const own = tally.byModel.get(modelId) ?? { scored: 0, passed: 0 }
      tally.byModel.set(modelId, own)
      tally.sum += score.score
      tally.scored++
      own.scored++
      if (hasPassed(score, markOf(testCaseId))) own.passed++
    }
  }
  return [...tallies.values()]
}

/** Over several runs: in most of them. */
const hasFailed = ({ scored, passed }: { scored: number; passed: number }) => passed * 2 < scored

/** `models` in the order of the leaderboard. Reads scores only: the runs may be without texts. */
export function chooseFailures(runs: readonly RunResult[], models: readonly string[]): ChosenFailures {
  const tallies = tallyCases(runs)
  const listOf = (modelId: string): ModelFailures => {
    const failed = tallies.filter(({ byModel }) => {
      const own = byModel.get(modelId)
      return own !== undefined && hasFailed(own)
    })
    return { modelId, failed: failed.length, caseIds: failed.slice(0, SHOWN).map(({ caseId }) => caseId) }
  }
  const listed = models.length > MOST_LISTED ? models.slice(0, 1) : models
  const chosen = { models: listed.map(listOf).filter(({ failed }) => failed > 0) }
  if (models.length <= MOST_LISTED) return chosen
  const failed = tallies.filter(({ byModel }) => [...byModel.values()].some(hasFailed))
  const hardest = failed.toSorted((a, b) => a.sum / a.scored - b.sum / b.scored).slice(0, SHOWN)
  return failed.length === 0
    ? chosen
    : { ...chosen, hardest: { failed: failed.length, caseIds: hardest.map(({ caseId }) => caseId) } }
}

/** The cases whose texts are needed to show them. */
export function listChosenCases({ models, hardest }: ChosenFailures): string[] {
  return [...new Set([...models.flatMap(({ caseIds }) => caseIds), ...(hardest?.caseIds ?? [])])]
}

/** A case that failed, or the line above several of them. */
export interface FailureRow {
  name: string
  prompt: string
  expected: string
  got: string
  /** How many models failed it, if more than one was asked: `5 of 8`. */
  count?: string
  /** It names whose failures follow. */
  isHeading?: boolean
}

const firstLine = (text = '') => text.replaceAll(/\s+/g, ' ').trim()

const findFailed = ({ answers }: ReportCell) => answers.find(({ passed }) => passed === false)

/** What to read of an answer that failed: its text, or of a page, which says nothing in a line, what was wrong with it. */
export function tellAnswer({ score, response }: Pick<ReportAnswer, 'score' | 'response'>): string {
  const wrong = score?.checks?.find((check) => check.score < 1 && check.scoringMethod.startsWith('page-'))
  const told = wrong?.notes === undefined ? score?.notes : `${wrong.name ?? wrong.scoringMethod}: ${wrong.notes}`
  return firstLine(wrong ? told : response) || '(empty)'
}

/** What it answered where it failed. */
function writeAnswer(cell: ReportCell): string {
  const failed = findFailed(cell)
  return failed ? tellAnswer(failed) : ''
}

/** The same after its score, if that is graded. */
function writeGraded(cell: ReportCell): string {
  const score = findFailed(cell)?.score?.score ?? 0
  return `${score > 0 && score < 1 ? `${formatScore(score)} · ` : ''}${writeAnswer(cell)}`
}

/** A pattern stands between slashes. */
function writeExpected({ expectedOutput, methods }: ReportCase): string {
  const text = firstLine(expectedOutput)
  const isBarePattern =
    text !== '' && methods.length === 1 && methods[0] === 'regex-match' && !/^\/.*\/[a-z]*$/s.test(text)
  return isBarePattern ? `/${text}/` : text
}

const failedIn = ({ cells }: ReportCase) =>
  cells.filter(({ answers }) => answers.some(({ passed }) => passed === false))

function writeRow(testCase: ReportCase, got: string): FailureRow {
  return { name: `  ${testCase.id}`, prompt: firstLine(testCase.prompt), expected: writeExpected(testCase), got }
}

const countShown = (failed: number, shown: number) => (shown < failed ? `, ${formatCount(shown)} shown` : '')
const heading = (name: string): FailureRow => ({ name, prompt: '', expected: '', got: '', isHeading: true })

/** `runs` have the texts of the chosen cases; `models` is in the order of the leaderboard. */
export function listFailureRows(
  { models: chosen, hardest }: ChosenFailures,
  { runs, models }: { runs: RunResult[]; models: string[] },
): FailureRow[] {
  // The question alone: in one line, the prompts of all variants would hide it.
  const suite = findSuite(runs)
  const withoutVariants = suite && { ...suite, variants: undefined }
  const caseOf = new Map(listCases(runs, withoutVariants, models).map((testCase) => [testCase.id, testCase]))
  const find = (ids: readonly string[]) => ids.flatMap((id) => caseOf.get(id) ?? [])
  return [
    ...chosen.flatMap(({ modelId, failed, caseIds }) => [
      heading(`${modelId} · ${formatCount(failed)} failed${countShown(failed, caseIds.length)}`),
      ...find(caseIds).map((testCase) =>
        writeRow(
          testCase,
          testCase.cells
            .filter((cell) => cell.modelId === modelId)
            .map(writeGraded)
            .join(''),
        ),
      ),
    ]),
    ...(hardest
      ? [
          heading(
            `hardest cases · ${formatCount(hardest.failed)} failed by some model${countShown(hardest.failed, hardest.caseIds.length)}`,
          ),
          ...find(hardest.caseIds).map((testCase) => {
            const cells = failedIn(testCase)
            const count = `${formatCount(cells.length)} of ${formatCount(models.length)}`
            return { ...writeRow(testCase, cells.map(writeAnswer).filter(Boolean).join(', ')), count }
          }),
        ]
      : []),
  ]
}

/** What failed in runs that are loaded with their texts. */
export function listReportFailures({
  runs,
  rows,
}: {
  runs: RunResult[]
  rows: readonly { modelId: string }[]
}): FailureRow[] {
  const models = rows.map(({ modelId }) => modelId)
  const chosen = chooseFailures(runs, models)
  const wanted = new Set(listChosenCases(chosen))
  const loaded = runs.map((run) => ({
    ...run,
    results: run.results.filter(({ testCaseId }) => wanted.has(testCaseId)),
  }))
  return wanted.size === 0 ? [] : listFailureRows(chosen, { runs: loaded, models })
}
