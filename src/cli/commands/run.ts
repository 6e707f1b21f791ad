import { existsSync, realpathSync } from 'node:fs'
import { evaluateConfig } from '../../runner/evaluate-config.ts'
import {
  InputError,
  makeLabel,
  StorageError,
  type RunResult,
  type RunInput,
  isSimulated,
  listSimulatedJudges,
  type RunRequest,
  type WorkQueue,
} from '../../contract/index.ts'
import { isHubAddress } from '../../import/datasets/hub-address.ts'
import { importSuite } from '../../import/suite-files/recognise-suite.ts'
import { findDataFolder } from '../data-folder.ts'
import { warnOfSimulated } from '../../report/words/judges/judge-notes.ts'
import { describeBudget, describeResumed, formatCount } from '../../report/words/index.ts'
import {
  drawInformative,
  fitsNoRequest,
  readAnswerLengths,
  estimateRun,
  findUnknownNames,
  findUnusedPrices,
  prepareRun,
  refuseProblems,
  rerunBoth,
  resumeSeries,
  RunTakenOver,
  startSeries,
  type RunEvent,
  type RunOptions as Options,
  findWorkerProblem,
  type RunOptions as ServiceOptions,
} from '../../services/index.ts'
import type { PreparedRun } from '../../services/prepare.ts'
import { areOperationsEnabled } from '../../operations/enabled.ts'
import type { Operations } from '../../operations/operations.ts'
import { composeApp, hasData, type App } from '../compose.ts'
import { composeOperations } from '../compose-operations.ts'
import type { RunOptions } from '../options/run-options.ts'
import { readLabelOptions } from '../options/label-options.ts'
import { DEMO_MODELS, readResumeChange, readRunRequest } from '../options/run-request.ts'
import { listenForCancel } from '../output/end-signals.ts'
import { EXIT_MISSING } from '../output/exit-codes.ts'
import { printNotice, printNotes, printWarnings } from '../output/notice.ts'
import { createProgress } from '../output/progress.ts'
import { createSeriesCount } from '../output/series-count.ts'
import type { Terminal } from '../output/terminal.ts'
import { cleanText } from '../output/text-table.ts'
import { saveMemoryIfLarge } from '../save-memory.ts'
import { readNotWorseThan, refuseReference, type Gates } from './gates.ts'
import { findRunId, findSeries } from './results/find-run.ts'
import { findSuiteInData } from './stored-suite.ts'

/** Follows a run, to say what was kept and how to continue when the database fails in the middle of it. */
function createKeptWork({ isOnWorkers }: { isOnWorkers: boolean }) {
  const series = createSeriesCount()
  let hasWorked = false
  return {
    onEvent(event: RunEvent): void {
      hasWorked = true
      series.onEvent(event)
    },
    /** False if nothing has been sent or written yet. */
    hasWorked: () => hasWorked,
    describeFailure({ message }: StorageError): string {
      const counted = series.count()
      if (!counted)
        return `${message}\nStopped; what was stored is kept. When that is fixed, start the command again.\n`
      const { runId: id, done, total } = counted
      if (isOnWorkers)
        return `${message}\nThis command no longer follows run ${id}; workers continue it. When that is fixed: benchmaker list shows how far they are.\n`
      return `${message}\nRun ${id} stopped: ${formatCount(done)} of ${formatCount(total, 'cell')} are finished and kept. When that is fixed: benchmaker resume ${id}\n`
    },
  }
}

type Chosen = Pick<RunOptions, 'onWorkers' | 'allowCode'>

function readOnWorkers({ onWorkers, allowCode }: Chosen): Pick<ServiceOptions, 'onWorkers'> {
  if (!onWorkers) return {}
  if (allowCode)
    throw new InputError('workers do not run the code of a suite; leave out --on-workers to run it with --allow-code')
  return { onWorkers: 'always' }
}

async function openWorkers(app: App): Promise<WorkQueue> {
  const queue = await app.queue()
  if (!queue)
    throw new InputError('--on-workers needs a PostgreSQL database; set BENCHMAKER_DATABASE_URL to postgres://…')
  return queue
}

/** For a new run that goes to workers. */
async function openForWorkers(request: RunRequest, app: App): Promise<WorkQueue> {
  const problem = findWorkerProblem(request)
  if (problem !== undefined) throw new InputError(`${problem}; leave out --on-workers`)
  return openWorkers(app)
}

/** Also without --on-workers: a run in the queue must be taken out of it before this process continues it. */
async function openForResume(
  options: Chosen,
  app: App,
): Promise<{ queue: WorkQueue | undefined } & Pick<ServiceOptions, 'onWorkers'>> {
  const chosen = readOnWorkers(options)
  return { queue: chosen.onWorkers ? await openWorkers(app) : await app.queue(), ...chosen }
}

/** Call this before the run: afterwards `latest` would be the run itself. */
export async function findBaseline(
  app: App,
  { baseline }: Pick<RunOptions, 'baseline'>,
): Promise<RunResult[] | undefined> {
  return baseline === undefined ? undefined : findSeries(await app.storage(), baseline)
}

/** Runs candidate and baseline again when a model looks worse; undefined with `--no-rerun`. */
function createRerun(
  { rerun, baseUrl, allowMissing }: Pick<RunOptions, 'rerun' | 'baseUrl' | 'allowMissing'>,
  run: Options,
  { app, terminal }: { app: App; terminal: Terminal },
): Gates['rerun'] {
  if (rerun === false) return undefined
  return async (alarm) =>
    rerunBoth(alarm, await app.runTools(), {
      ...run,
      endpoint: baseUrl,
      allowMissing,
      labels: {
        candidate: { name: `${alarm.runs[0]!.id} again` },
        baseline: { name: `${alarm.baseline[0]!.id} again` },
      },
      onStart: ({ cells, runs }) =>
        printNotice(
          `baseline: ${cleanText(alarm.models.join(', '))} looks worse; running candidate and baseline again to make sure (${formatCount(runs, 'run')}, ${formatCount(cells, 'cell')})`,
          terminal,
        ),
    })
}

/** Exports include the answers; the table alone does not need them. */
function needsTexts({ json = false, out = [] }: Pick<RunOptions, 'json' | 'out'>): boolean {
  return json || out.length > 0
}

async function checkOutFiles(files: readonly string[] = []): Promise<void> {
  if (files.length > 0) await (await import('../output/report-files.ts')).checkExportFiles(files)
}

function refuseOverwriting(suiteFile: string, out: readonly string[] = []): void {
  if (!existsSync(suiteFile)) return
  const suitePath = realpathSync(suiteFile)
  const same = out.find((file) => existsSync(file) && realpathSync(file) === suitePath)
  if (same !== undefined) throw new InputError(`${same} is the suite itself and was not changed; choose another file`)
}

/** Without data, no other model has a score. */
async function drawCases(input: RunInput, app: App): Promise<RunInput> {
  if (input.request.informative === undefined) return input
  const storage = hasData(app.dataFolder, process.env) ? await app.storage() : undefined
  return drawInformative(input, { storage, random: Math.random })
}

/** What a run and its dry run refuse, and say before anything is sent. */
function checkPrepared(
  prepared: PreparedRun,
  gates: Pick<RunOptions, 'notWorseThan' | 'margin'>,
  terminal: Terminal,
): void {
  refuseProblems(prepared)
  refuseReference(
    gates,
    prepared.contestants.map(({ id }) => id),
  )
  const unused = findUnusedPrices(prepared)
  if (unused.length > 0)
    printWarnings([`--price: ${unused.join(', ')} is not in this run, so that price is not used`], terminal)
}

/** `--dry-run`: refuses what the run would refuse, with the same messages. Creates no database. */
export async function showDryRun(
  input: RunInput,
  options: Pick<RunOptions, 'json' | 'output' | 'notWorseThan' | 'margin'>,
  { app, terminal }: { app: App; terminal: Terminal },
): Promise<number> {
  const prepared = await prepareRun(await drawCases(input, app), app, { isEstimate: true })
  checkPrepared(prepared, options, terminal)
  const suite = { id: input.request.suiteId, name: prepared.suite.name }
  const lengths = hasData(app.dataFolder, process.env) ? await readAnswerLengths(suite, await app.storage()) : undefined
  const estimate = await estimateRun(prepared, await app.loadTokenCounter(), lengths)
  const { printDryRun } = await import('../output/dry-run.ts')
  printDryRun(prepared, estimate, options, terminal)
  return 0
}

/** Says before the run that its budget may stop it early, and refuses one that no model's requests fit into. */
async function checkBudget(prepared: PreparedRun, app: App, terminal: Terminal): Promise<void> {
  const { maxCost } = prepared.request
  if (maxCost === undefined) return
  const estimate = await estimateRun(prepared, await app.loadTokenCounter())
  const note = describeBudget(estimate)
  if (note === undefined) return
  if (fitsNoRequest(estimate)) throw new InputError(`--max-cost: ${note}`)
  printNotes([note], terminal)
}

/** Refuses an invalid request before it creates a database. */
export async function startRuns(
  input: RunInput,
  { app, terminal }: { app: App; terminal: Terminal },
  { gates = {}, ...options }: Options & { gates?: Pick<RunOptions, 'notWorseThan' | 'margin'> },
): Promise<RunResult[]> {
  const prepared = await prepareRun(await drawCases(input, app), app)
  checkPrepared(prepared, gates, terminal)
  await checkBudget(prepared, app, terminal)
  const queue = options.onWorkers && (await openForWorkers(input.request, app))
  return startSeries(prepared, { ...(await app.runTools()), ...(queue && { queue }) }, options)
}

/** Opens the app for one command, with progress and cancellation for a run. */
export async function withRun(
  options: Pick<RunOptions, 'data' | 'baseUrl' | 'allowCode' | 'allowCommands' | 'onWorkers'>,
  terminal: Terminal,
  work: (app: App, run: Options) => Promise<number>,
): Promise<number> {
  const app = await composeApp({ ...options, warn: (warning) => printWarnings([warning], terminal) })
  const cancel = listenForCancel(terminal, 'Stopping; finished answers are kept.')
  const kept = createKeptWork({ isOnWorkers: options.onWorkers === true })
  let operations: Operations | undefined
  let problem: unknown
  try {
    const progress = createProgress(terminal)
    operations = areOperationsEnabled(process.env) ? await composeOperations(process.env, terminal) : undefined
    const onEvent = (event: RunEvent) => {
      kept.onEvent(event)
      progress.onEvent(event)
      operations?.onRunEvent(event)
    }
    return await work(app, { onEvent, signal: cancel.signal })
  } catch (error) {
    problem = error
    if (error instanceof RunTakenOver) {
      printNotice(error.message, terminal)
      return EXIT_MISSING
    }
    if (!(error instanceof StorageError && kept.hasWorked())) throw error
    terminal.stderr.write(kept.describeFailure(error))
    return EXIT_MISSING
  } finally {
    // Every result is stored before it is shown: a database that cannot be closed changes nothing about the run.
    // One that could not be opened says the same again.
    await app.close().catch((error: Error) => {
      if (error !== problem) terminal.stderr.write(`${error.message}\n`)
    })
    await operations?.close()
    cancel.stop()
  }
}

/** `benchmaker run SUITE` */
export async function runSuite(suiteFile: string, options: RunOptions, terminal: Terminal): Promise<number> {
  await checkOutFiles(options.out)
  readNotWorseThan(options)
  refuseOverwriting(suiteFile, options.out)
  await saveMemoryIfLarge(suiteFile, options.models?.length ?? DEMO_MODELS.length)
  const isFile = existsSync(suiteFile) || isHubAddress(suiteFile)
  const stored = isFile ? undefined : await findSuiteInData(suiteFile, options)
  const reading = { ...options, evaluateConfig, dataFolder: findDataFolder(options.data, process.env) }
  const {
    suite,
    warnings = [],
    notes,
    summary,
  } = stored ? { suite: stored.suite } : await importSuite(suiteFile, reading)
  printWarnings(warnings, terminal)
  printNotes(notes, terminal)
  if (summary !== undefined) terminal.stderr.write(`${cleanText(summary)}\n`)
  const request = readRunRequest(options, suite, stored)
  const { filter = [] } = request
  const unknown = findUnknownNames(suite, filter)
  // A filter that selects nothing is refused with the same words.
  if (unknown.length > 0 && unknown.length < filter.length)
    printWarnings([`no test case has the id, category or tag ${unknown.join(', ')}`], terminal)
  const label = makeLabel(readLabelOptions(options))
  if (!options.models) printNotes([`No --models given: using the simulated ${DEMO_MODELS.join(', ')}.`], terminal)
  warnOfSimulatedJudges(request, terminal)
  if (options.baseUrl !== undefined && [...request.models, ...(request.judgeModelIds ?? [])].every(isSimulated))
    printWarnings(['--base-url is not used: all models are demo/…'], terminal)

  return withRun(options, terminal, async (app, run) => {
    if (options.dryRun) return showDryRun({ kind: 'suite', request, suite }, options, { app, terminal })
    const baseline = await findBaseline(app, options)
    const hasTexts = needsTexts(options)
    const own = { ...run, withTexts: hasTexts, label, gates: options, ...readOnWorkers(options) }
    const runs = await startRuns({ kind: 'suite', request, suite }, { app, terminal }, own)
    const { finishRuns } = await import('../output/finish-runs.ts')
    const rerun = createRerun(options, run, { app, terminal })
    return finishRuns({ runs, baseline, rerun, options, hasTexts, storage: await app.storage() }, terminal)
  })
}

/** Before anything is sent: a simulated judge costs nothing, and its grades of real answers are worth nothing. */
function warnOfSimulatedJudges({ judgeModelIds, models }: RunRequest, terminal: Terminal): void {
  const simulated = listSimulatedJudges(judgeModelIds, models)
  if (simulated.length > 0) printWarnings([warnOfSimulated(simulated)], terminal)
}

/** `benchmaker resume RUN` */
export async function resumeStored(name: string, options: RunOptions, terminal: Terminal): Promise<number> {
  await checkOutFiles(options.out)
  readNotWorseThan(options)
  const change = readResumeChange(options)
  return withRun(options, terminal, async (app, run) => {
    const storage = await app.storage()
    const runId = await findRunId(storage, name)
    if (options.notWorseThan !== undefined)
      refuseReference(options, (await storage.loadRun(runId, { texts: false }))?.models ?? [])
    const baseline = await findBaseline(app, options)
    const hasTexts = needsTexts(options)
    const { takeOver } = options
    const { queue, onWorkers } = await openForResume(options, app)
    const tools = { ...(await app.runTools()), queue }
    const resumed = await resumeSeries(runId, change, tools, { ...run, withTexts: hasTexts, takeOver, onWorkers })
    terminal.stderr.write(
      `Resumed ${cleanText(resumed.runs.map(({ id }) => id).join(', '))}: ${describeResumed(resumed)}\n`,
    )
    const { runs } = resumed
    const { finishRuns } = await import('../output/finish-runs.ts')
    const rerun = createRerun(options, run, { app, terminal })
    return finishRuns({ runs, baseline, rerun, options, hasTexts, storage }, terminal)
  })
}
