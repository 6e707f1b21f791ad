import { createInterface } from 'node:readline/promises'
import {
  describeOwner,
  hasPassed,
  InputError,
  readPassMarks,
  type RunResult,
  type RunSummary,
  type Storage,
} from '../../contract/index.ts'
import { importSuite } from '../../import/index.ts'
import { makeRunDocument } from '../../report/formats/json.ts'
import { buildReport, findFormat, writeReport, type Report } from '../../report/index.ts'
import { toShare } from '../options/run-options.ts'
import { formatCost, formatCount, formatScore, formatTime } from '../../report/words/index.ts'
import { writeReportFiles } from '../output/report-files.ts'
import { deleteRun as deleteRunAndVotes, findActivity, rescoreRun, type RunActivity } from '../../services/index.ts'
import { composeApp, type App, type AppOptions } from '../compose.ts'
import { findCost, findRun, findRunId, findSeries } from './find-run.ts'
import { EXIT_MISSING } from '../output/exit-codes.ts'
import { printWarnings } from '../output/print-warnings.ts'
import { formatResults, printResults } from '../output/results-text.ts'
import type { ReadingOptions } from '../options/reading-options.ts'
import { withRun } from './run.ts'
import { printDocument, printJson, styleFor, type Terminal } from '../output/terminal.ts'
import { cleanText, formatTable, shorten } from '../output/text-table.ts'

export interface StoredOptions extends AppOptions {
  json?: boolean
  /** In points. */
  smallestDifference?: number
}

/** Opens the app for one command. */
export async function withApp<T>(options: AppOptions, work: (app: App) => Promise<T>): Promise<T> {
  const app = await composeApp(options)
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}

/** For commands that only read: a database on a read-only disk will do, but not a damaged one. */
async function withData<T>(
  { damaged = false, ...options }: AppOptions & { damaged?: boolean },
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  const app = await composeApp(options, process.env, { isReadOnlyAllowed: true })
  try {
    if (!damaged) await app.refuseDamaged()
    return await work(await app.storage())
  } finally {
    await app.close()
  }
}

/** True if no cost is known at all, which is not 0. */
function isCostUnknown({ cost, unknownCosts }: Pick<RunSummary, 'cost' | 'unknownCosts'>): boolean {
  return cost === 0 && unknownCosts > 0
}

/** `running (process 4711 on host lab)`, or `interrupted` if that process is gone. */
function describeState({ state, workedOnBy }: RunActivity): string {
  return workedOnBy ? `${state} (process ${workedOnBy.pid} on host ${cleanText(workedOnBy.host)})` : state
}

function describeRow(
  { id, startedAt, testSuiteName = '', models, cells, cost, unknownCosts }: RunSummary,
  activity: RunActivity,
  columns: number,
): string[] {
  const withoutScore = cells.unscored + cells.errors + cells.pending
  return [
    cleanText(id),
    formatTime(startedAt) ?? '–',
    shorten(cleanText(testSuiteName), Math.max(12, columns - 90)),
    formatCount(models.length),
    `${formatCount(cells.scored)}/${formatCount(cells.total)}`,
    formatCount(withoutScore),
    formatCost(cost, unknownCosts),
    cleanText(describeState(activity)),
  ]
}

/** `benchmaker list` */
export function listRuns(options: StoredOptions & { limit?: number }, terminal: Terminal): Promise<number> {
  return withData(options, async (storage) => {
    const runs = await storage.listRuns({ limit: options.limit ?? 50 })
    const activity = await findActivity(runs, { storage, now: Date.now() })
    const activityOf = (run: RunSummary) => activity.get(run.id) ?? { state: run.status }
    if (options.json)
      printJson(
        { runs: runs.map((run) => ({ ...run, ...activityOf(run), cost: isCostUnknown(run) ? null : run.cost })) },
        terminal,
      )
    else if (runs.length === 0) terminal.stdout.write('No runs yet. Start one with: benchmaker run SUITE\n')
    else
      terminal.stdout.write(
        formatTable(
          [
            { title: 'Run' },
            { title: 'Started' },
            { title: 'Suite' },
            { title: 'Models', align: 'right' },
            { title: 'Scored', align: 'right' },
            { title: 'Gaps', align: 'right' },
            { title: 'Cost', align: 'right' },
            { title: 'Status' },
          ],
          runs.map((run) => describeRow(run, activityOf(run), terminal.columns)),
        ),
      )
    return 0
  })
}

/** The report of stored runs with their total cost. */
async function buildStored(
  runs: RunResult[],
  { storage, smallestDifference }: Pick<StoredOptions, 'smallestDifference'> & { storage: Storage },
): Promise<Report> {
  const cost = await findCost(storage, runs)
  return buildReport(runs, { cost, smallestDifference: toShare(smallestDifference) })
}

/** Prints stored runs with their total cost. */
async function printRuns(
  runs: RunResult[],
  options: StoredOptions & { storage: Storage },
  terminal: Terminal,
): Promise<number> {
  const report = await buildStored(runs, options)
  printResults(report, options, terminal)
  return 0
}

function formatCases(runs: RunResult[], terminal: Terminal): string {
  const style = styleFor(terminal)
  return runs
    .flatMap(({ results, testSuiteSnapshot }) => {
      const markOf = readPassMarks(testSuiteSnapshot)
      return results.map((result) => ({ ...result, passMark: markOf(result.testCaseId) }))
    })
    .map(({ testCaseId, modelId, score, passMark, unscored, error, response = '' }) => {
      const passed = score ? (hasPassed(score, passMark) ? '✓' : '✗') : ' '
      const mark = `${formatScore(score?.score).padStart(5)} ${passed}`
      const reason = score?.notes ?? unscored?.message ?? error ?? ''
      const answer = shorten(cleanText(response.trim()), Math.max(20, terminal.columns - 10))
      return `${style('bold', mark)}  ${cleanText(testCaseId)} · ${cleanText(modelId)}\n         ${answer}\n         ${style('dim', shorten(cleanText(reason), terminal.columns - 10))}\n`
    })
    .join('')
}

function describeActivity(id: string, { state, workedOnBy }: RunActivity): string {
  if (workedOnBy) return `Run ${id} is being worked on by ${cleanText(describeOwner(workedOnBy))}.\n`
  return state === 'interrupted' ? `Run ${id} was interrupted; finish it with: benchmaker resume ${id}\n` : ''
}

/** `benchmaker show RUN` */
export function showRun(
  name: string,
  options: StoredOptions & { cases?: boolean },
  terminal: Terminal,
): Promise<number> {
  return withData(options, async (storage) => {
    const runs = await findSeries(storage, name)
    const report = await buildStored(runs, { ...options, storage })
    const activity = await findActivity(runs, { storage, now: Date.now() })
    if (options.json) printJson({ ...makeRunDocument(report), activity: Object.fromEntries(activity) }, terminal)
    const sink = options.json ? terminal.stderr : terminal.stdout
    sink.write(formatResults(report, terminal))
    for (const [id, found] of activity) terminal.stderr.write(describeActivity(id, found))
    if (options.cases && !options.json) terminal.stdout.write(`\n${formatCases(runs, terminal)}`)
    return 0
  })
}

/** Asks before deleting paid answers; without a terminal, `--yes` is required. */
async function confirmDeletion(run: RunResult, isConfirmed: boolean, terminal: Terminal): Promise<boolean> {
  if (isConfirmed) return true
  if (!process.stdin.isTTY)
    throw new InputError(`run ${run.id} has ${formatCount(run.results.length, 'answer')}; add --yes to delete it`)
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await prompt.question(
    `Delete run ${cleanText(run.id)} with ${formatCount(run.results.length, 'answer')}? [y/N] `,
  )
  prompt.close()
  if (/^y(es)?$/i.test(answer.trim())) return true
  terminal.stderr.write('Kept.\n')
  return false
}

/** `benchmaker delete RUN` */
export function deleteRun(
  name: string,
  options: StoredOptions & { yes?: boolean },
  terminal: Terminal,
): Promise<number> {
  return withApp(options, async (app) => {
    const storage = await app.storage()
    const run = await findRun(storage, name)
    const { workedOnBy } = (await findActivity([run], { storage, now: Date.now() })).get(run.id) ?? {}
    if (workedOnBy)
      throw new InputError(
        `run ${run.id} is being worked on by ${describeOwner(workedOnBy)}; wait for it, or stop that process first`,
      )
    const isDeleted =
      (await confirmDeletion(run, options.yes === true, terminal)) && (await deleteRunAndVotes(storage, run.id))
    if (isDeleted) terminal.stderr.write(`Deleted run ${cleanText(run.id)}.\n`)
    if (options.json) printJson({ deleted: isDeleted ? [run.id] : [] }, terminal)
    return 0
  })
}

/** Puts runs side by side: a model in several of them becomes one contestant per run or series. */
function mergeRuns(series: RunResult[][]): RunResult[] {
  const counts = new Map<string, number>()
  for (const runs of series)
    for (const model of new Set(runs.flatMap((run) => run.models))) counts.set(model, (counts.get(model) ?? 0) + 1)
  return series.flatMap((runs) => {
    const label = (model: string) =>
      (counts.get(model) ?? 0) > 1 ? `${model} · ${runs[0]!.seriesId ?? runs[0]!.id}` : model
    return runs.map((run) => ({
      ...run,
      models: run.models.map(label),
      results: run.results.map((result) => ({ ...result, modelId: label(result.modelId) })),
    }))
  })
}

/** `benchmaker compare RUN…` */
export function compareRuns(names: string[], options: StoredOptions, terminal: Terminal): Promise<number> {
  return withData(options, async (storage) => {
    const series = new Map<string, RunResult[]>()
    for (const name of names) {
      const runs = await findSeries(storage, name)
      // Keyed by its runs: `latest` and an id may name the same series, which must not count twice.
      series.set(runs.map(({ id }) => id).join(' '), runs)
    }
    if (names.length > 1 && series.size === 1)
      throw new InputError(
        `${names.join(' and ')} are the same run, so there is nothing to compare; benchmaker list shows the others`,
      )
    return printRuns(mergeRuns([...series.values()]), { ...options, storage }, terminal)
  })
}

/** `benchmaker export RUN` */
export function exportRun(
  name: string,
  options: StoredOptions & { out?: string[]; format?: string; damaged?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { out = [], format = 'json', json = false } = options
  if (json && findFormat(format)?.name !== 'json')
    throw new InputError(`--json and --format ${format} contradict each other; leave one out`)
  return withData(options, async (storage) => {
    const runs = await findSeries(storage, name)
    const report = await buildStored(runs, { ...options, storage })
    await writeReportFiles(report, out)
    if (out.length === 0) printDocument(writeReport(report, { format }), terminal)
    else if (json) printJson({ wrote: out, runs: runs.map(({ id }) => id) }, terminal)
    for (const file of out) terminal.stderr.write(`wrote ${cleanText(file)}\n`)
    if (!options.damaged) return 0
    terminal.stderr.write('The database was not checked (--damaged): parts of the run may be missing or wrong.\n')
    return EXIT_MISSING
  })
}

export interface RescoreOptions extends StoredOptions, ReadingOptions {
  suite?: string
  judge?: string[]
  combine?: 'mean' | 'median'
}

/** `benchmaker rescore RUN` */
export function rescoreStored(name: string, options: RescoreOptions, terminal: Terminal): Promise<number> {
  const { suite: file, judge, combine, baseUrl } = options
  return withRun(options, terminal, async (app, { signal }) => {
    const storage = await app.storage()
    const runId = await findRunId(storage, name)
    const suite = file === undefined ? undefined : (await importSuite(file, options)).suite
    const change = { suite, judgeModelIds: judge, combineJudges: combine, endpoint: baseUrl }
    const { run, warnings } = await rescoreRun(runId, change, await app.runTools(), { signal })
    printWarnings(warnings, terminal)
    if (run.id !== runId)
      terminal.stderr.write(
        `Run ${cleanText(run.id)} has the answers of ${cleanText(runId)} with the new scores; ${cleanText(runId)} is unchanged.\n`,
      )
    return printRuns([run], { ...options, storage }, terminal)
  })
}
