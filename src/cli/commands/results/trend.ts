import { existsSync, statSync } from 'node:fs'
import { z } from 'zod'
import { InputError, type Storage } from '../../../contract/index.ts'
import { importSuite } from '../../../import/suite-files/recognise-suite.ts'
import {
  describeCoverage,
  describeDrift,
  describeNoDrift,
  describeInterval,
  DRIFT_NOTE,
  describeTrendChange,
  formatCount,
  nameWithTags,
  formatPassed,
  formatScore,
  formatScoreTick,
  formatTime,
  runStates,
} from '../../../report/words/index.ts'
import { formatScoreRange } from '../../../report/words/verdicts/pairs/gap.ts'
import type { OUTPUT_LEVELS } from '../../options/run-options.ts'
import { loadTrend, type LoadedTrend } from '../../../services/index.ts'
import { scoreAt, type TrendPoint } from '../../../statistics/index.ts'
import type { ReadingOptions } from '../../options/reading-options.ts'
import { EXIT_GATE_FAILED } from '../../output/exit-codes.ts'
import type { Table } from '../../../report/tables/table.ts'
import { printJson, styleFor, type Terminal } from '../../output/terminal.ts'
import { cleanText, drawTable, pad, shorten, widestOf, wrapText } from '../../output/text-table.ts'
import { withData, type StoredOptions } from './stored-commands.ts'

const MAX_NAME_WIDTH = 32

interface AskedSuite {
  suite: { id?: string; name: string }
  caseIds?: string[]
}

const storedSuiteSchema = z.object({
  suite: z.object({ name: z.string(), testCases: z.array(z.object({ id: z.string() })) }),
})

/** A suite of the web app, by its id or name. */
async function findStored(asked: string, storage: Storage): Promise<AskedSuite | undefined> {
  for (const { id, content } of await storage.listDocuments('suite')) {
    const { data } = storedSuiteSchema.safeParse(content)
    if (!data || (id !== asked && data.suite.name !== asked)) continue
    return { suite: { id, name: data.suite.name }, caseIds: data.suite.testCases.map((testCase) => testCase.id) }
  }
  return undefined
}

/** A file, or the id or name of a suite that was run. */
export async function findTrendSuite(asked: string, options: ReadingOptions, storage: Storage): Promise<AskedSuite> {
  if (!existsSync(asked) || !statSync(asked).isFile())
    return (await findStored(asked, storage)) ?? { suite: { id: asked, name: asked } }
  const { suite } = await importSuite(asked, options)
  const stored = await findStored(suite.name, storage)
  return { suite: { ...stored?.suite, name: suite.name }, caseIds: suite.testCases.map(({ id }) => id) }
}

function nameRun({ runIds, label }: TrendPoint): string {
  const named = nameWithTags(label)
  return shorten(cleanText(named === '' ? runIds[0]! : named), MAX_NAME_WIDTH)
}

function writePoint(model: string, point: TrendPoint): string {
  const score = scoreAt(point, model)
  return score ? `${formatScoreTick(score.mean)}${score.isComplete ? '' : '*'}` : '–'
}

/** The scores of a model run by run, the newest last; a bar stands where something else than the model changed. */
function listScores(model: string, { models, points }: LoadedTrend, columns: number): string {
  const cells = points.flatMap((point, index) => {
    const text = pad(writePoint(model, point), widestOf(models.map((one) => writePoint(one, point))), 'end')
    return index > 0 && point.changes.length > 0 ? ['│', text] : [text]
  })
  let from = 0
  while (cells.slice(from).join(' ').length > columns) from++
  return `${from > 0 ? '… ' : ''}${cells.slice(from).join(' ')}`
}

/** What columns besides the scores take at least. */
const OTHER_COLUMNS = 40
const FEWEST_SCORES = 12

/** One line a model: its score by run, and where it is now. */
function drawModels(trend: LoadedTrend, { columns }: Terminal): string {
  const { models, points } = trend
  const latest = (model: string) => points.flatMap((point) => scoreAt(point, model) ?? []).at(-1)
  const room = Math.max(FEWEST_SCORES, columns - OTHER_COLUMNS)
  const table: Table<string> = [
    { key: 'model', label: 'Model', role: 'name', cut: 'middle', text: (model) => model },
    { key: 'scores', label: 'Score by run', text: (model) => listScores(model, trend, room) },
    { key: 'now', label: 'Now', align: 'end', text: (model) => formatScore(latest(model)?.mean) },
    {
      key: 'interval',
      label: '95 % CI',
      align: 'end',
      text: (model) => (latest(model) ? formatScoreRange(latest(model)!) : '–'),
    },
  ]
  return drawTable(table, models, { columns })
}

/** A block for each model, with one line a run: `--output full`. */
function drawModel(model: string, trend: LoadedTrend, terminal: Terminal): string {
  const rows = trend.points.flatMap((point) => {
    const score = scoreAt(point, model)
    return score ? [{ point, score }] : []
  })
  const title = styleFor(terminal)('bold', cleanText(model))
  if (rows.length === 0) return `${title}\n  no scores\n`
  const table: Table<(typeof rows)[number]> = [
    { key: 'started', label: 'Started', text: ({ point }) => formatTime(point.startedAt) ?? '–' },
    { key: 'run', label: 'Run', role: 'name', text: ({ point }) => nameRun(point) },
    { key: 'state', label: 'Status', text: ({ point: { state } }) => (state === 'done' ? '' : runStates[state].word) },
    {
      key: 'score',
      label: 'Score',
      align: 'end',
      text: ({ score }) => `${formatScore(score.mean)}${score.isComplete ? '' : '*'}`,
    },
    { key: 'interval', label: '95 % CI', align: 'end', text: ({ score }) => describeInterval(score) },
    { key: 'passed', label: 'Passed', align: 'end', text: ({ score }) => formatPassed(score) },
    {
      key: 'cases',
      label: 'Cases',
      text: ({ point, score }) => {
        const sent = point.covered + point.removed
        return score.n < sent ? `${score.n} of ${sent} scored` : describeCoverage(point, trend.cases)
      },
    },
  ]
  return `${title}\n${drawTable(table, rows, terminal)}`
}

function drawChanges({ points }: LoadedTrend, { columns }: Terminal): string {
  const lines = points
    .filter(({ changes }) => changes.length > 0)
    .map((point) => {
      const text = `${formatTime(point.startedAt) ?? '–'}, ${nameRun(point)}: ${point.changes.map(describeTrendChange).join('; ')}`
      return `  ${wrapText(cleanText(text), columns, '    ')}\n`
    })
  return lines.length === 0 ? '' : `What changed (│)\n${lines.join('')}`
}

/** Who has drifted, or that nobody has; `--output full` has the test of every model. */
function drawDrift({ drift }: LoadedTrend, terminal: Terminal, isFull: boolean): string {
  if (drift.length === 0) return ''
  const drifted = drift.filter(({ isDrift }) => isDrift)
  const lines = (isFull ? drift : drifted).map((found) => {
    const sentence = wrapText(cleanText(describeDrift(found)), terminal.columns, '  ')
    return found.isDrift ? styleFor(terminal)('yellow', sentence) : sentence
  })
  const none = drifted.length === 0 && !isFull ? [describeNoDrift(drift.length)] : []
  const note = isFull ? [wrapText(DRIFT_NOTE, terminal.columns, '  ')] : []
  return [...none, ...lines, ...note].map((line) => `${line}\n`).join('')
}

/** `Prices · 8 runs · 4 Nov to 18 Nov` */
function drawTitle(suite: string, { points }: LoadedTrend, terminal: Terminal): string {
  const days = [points[0]!, points.at(-1)!].map(({ startedAt }) => (formatTime(startedAt) ?? '–').slice(0, 10))
  const when = [...new Set(days)].join(' to ')
  return `${styleFor(terminal)('bold', cleanText(suite))} · ${formatCount(points.length, 'run')} · ${when}\n`
}

function describeLimits({ points, leftOut }: LoadedTrend): string {
  const isIncomplete = points.some(({ scores }) => Object.values(scores).some(({ isComplete }) => !isComplete))
  return [
    points.length === 1 ? 'No trend yet: the suite has one run.\n' : '',
    isIncomplete ? '* The run did not complete, or some cases have no score.\n' : '',
    new Set(points.map(({ caseSet }) => caseSet)).size > 1
      ? 'Only runs of the same cases can be compared: these runs have different ones.\n'
      : '',
    leftOut > 0 ? `${formatCount(leftOut, 'older run')} not shown.\n` : '',
  ].join('')
}

/** `benchmaker trend SUITE` */
export function showTrend(
  asked: string,
  options: StoredOptions & ReadingOptions & { failOnDrift?: boolean; output?: (typeof OUTPUT_LEVELS)[number] },
  terminal: Terminal,
): Promise<number> {
  return withData(options, async (storage) => {
    const found = await findTrendSuite(asked, options, storage)
    const trend = await loadTrend(found, { storage, now: storage.now() })
    if (trend.points.length === 0)
      throw new InputError(`${asked}: no run of such a suite\nGive its name as benchmaker list shows it, or its file.`)
    const drifted = trend.drift.filter(({ isDrift }) => isDrift)
    const exitCode = options.failOnDrift === true && drifted.length > 0 ? EXIT_GATE_FAILED : 0
    if (options.json) {
      printJson(trend, terminal)
      return exitCode
    }
    const isFull = options.output === 'full'
    const sections = [
      drawTitle(found.suite.name, trend, terminal),
      drawDrift(trend, terminal, isFull),
      drawModels(trend, terminal),
      ...(isFull ? trend.models.map((model) => drawModel(model, trend, terminal)) : []),
      drawChanges(trend, terminal),
    ]
    terminal.stdout.write(sections.filter((section) => section !== '').join('\n'))
    terminal.stderr.write(describeLimits(trend))
    return exitCode
  })
}
