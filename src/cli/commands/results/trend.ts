import { existsSync, statSync } from 'node:fs'
import { z } from 'zod'
import { InputError, type Storage } from '../../../contract/index.ts'
import { importSuite } from '../../../import/suite-files/recognise-suite.ts'
import {
  describeCoverage,
  describeDrift,
  describeInterval,
  DRIFT_NOTE,
  describeTrendChange,
  formatCount,
  nameWithTags,
  formatPassed,
  formatScore,
  formatTime,
  runStates,
} from '../../../report/words/index.ts'
import { loadTrend, type LoadedTrend } from '../../../services/index.ts'
import { scoreAt, type TrendPoint } from '../../../statistics/index.ts'
import type { ReadingOptions } from '../../options/reading-options.ts'
import { EXIT_GATE_FAILED } from '../../output/exit-codes.ts'
import type { Table } from '../../../report/tables/table.ts'
import { printJson, styleFor, type Terminal } from '../../output/terminal.ts'
import { cleanText, drawTable, shorten, wrapText } from '../../output/text-table.ts'
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
export async function findSuite(asked: string, options: ReadingOptions, storage: Storage): Promise<AskedSuite> {
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

/** A block for each model, with one line a run; what changed stands below the run that it applies to. */
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
  return `${title}\n${drawTable(table, rows)}`
}

function drawChanges({ points }: LoadedTrend, { columns }: Terminal): string {
  const lines = points
    .filter(({ changes }) => changes.length > 0)
    .map((point) => {
      const text = `${formatTime(point.startedAt) ?? '–'}, ${nameRun(point)}: ${point.changes.map(describeTrendChange).join('; ')}`
      return `  ${wrapText(cleanText(text), columns, '    ')}\n`
    })
  return lines.length === 0 ? '' : `\nWhat changed\n${lines.join('')}`
}

function drawDrift({ drift }: LoadedTrend, terminal: Terminal): string {
  if (drift.length === 0) return ''
  const lines = drift.map((found) => {
    const sentence = wrapText(cleanText(describeDrift(found)), terminal.columns, '    ')
    return `  ${found.isDrift ? styleFor(terminal)('yellow', sentence) : sentence}\n`
  })
  return `\nDrift\n${lines.join('')}  ${wrapText(DRIFT_NOTE, terminal.columns, '  ')}\n`
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
  options: StoredOptions & ReadingOptions & { failOnDrift?: boolean },
  terminal: Terminal,
): Promise<number> {
  return withData(options, async (storage) => {
    const trend = await loadTrend(await findSuite(asked, options, storage), { storage, now: storage.now() })
    if (trend.points.length === 0)
      throw new InputError(`no run of a suite ${asked}; name it as benchmaker list shows it, or give its file`)
    const drifted = trend.drift.filter(({ isDrift }) => isDrift)
    const exitCode = options.failOnDrift === true && drifted.length > 0 ? EXIT_GATE_FAILED : 0
    if (options.json) {
      printJson(trend, terminal)
      return exitCode
    }
    const blocks = trend.models.map((model) => drawModel(model, trend, terminal))
    terminal.stdout.write(`${blocks.join('\n')}${drawChanges(trend, terminal)}${drawDrift(trend, terminal)}`)
    terminal.stderr.write(describeLimits(trend))
    return exitCode
  })
}
