import {
  runStateOf,
  whereRunning,
  toMoney,
  type Person,
  type ResumeChange,
  type RunRequest,
  type RunInput,
  messageOf,
  type RunResult,
  type Suite,
} from '../../contract/index.ts'
import {
  BudgetSpent,
  findActivity,
  followSeries,
  hasWorkLeft,
  loadSeries,
  drawInformative,
  prepareRun,
  readStoredRun,
  rescoreRun,
  resumeSeries,
  RunClaimed,
  RunTakenOver,
  startSeries,
  type RunEvent,
  type RunOptions,
} from '../../services/index.ts'
import { describeSpending } from '../../report/words/index.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import type { ServerContext } from '../context.ts'
import { noteRunChange } from '../results/selection/run-changes.ts'
import { loadRunnableSuite } from '../suites/suite-documents.ts'
import { adoptQueuedRuns } from './adopt-queued-runs.ts'
import { LiveRun, sumCounts, type SeriesCounts } from './live-run.ts'
import { LiveSeries } from './live-series.ts'
import { ProgressRate } from './progress-rate.ts'
import type { RunManager, StartedRun } from './run-manager.ts'
import { countSeries } from './open-live-run.ts'

/** The parts of the context that runs need. */
type RunContext = Pick<ServerContext, 'storage' | 'runTools' | 'now' | 'queue'>

type StartEvent = Extract<RunEvent, { type: 'run-started' }>

/** Turns errors from services into refusals for the web app. */
function toRefusal(error: unknown): unknown {
  if (error instanceof RunClaimed)
    return new Refusal(
      409,
      'worked-on',
      `The run is running ${whereRunning(error.owner)}. Wait for it, or take it over when you know that it is dead.`,
    )
  if (error instanceof BudgetSpent) {
    const message = `The budget must be higher than what is already used (${describeSpending(error)}). It covers all runs of a series.`
    return new Refusal(422, 'budget-spent', message, [{ path: ['maxCost'], message }])
  }
  return error
}

/** What the runs of a series share. */
interface SeriesProgress {
  rate: ProgressRate
  /** By run, as stored when this began, and since then of those that have started. */
  counts: Map<string, SeriesCounts>
  /** The runs that have started: several may be in progress at once. */
  live: Map<string, LiveRun>
}

/** The run that an event is about; undefined if it is about all that are in progress. */
function runOf(event: RunEvent): string | undefined {
  if ('cell' in event) return event.cell.runId
  if (event.type === 'attempt-ended') return event.attempt.runId
  return event.type === 'run-finished' || event.type === 'run-waiting' ? event.runId : undefined
}

function sumOthers(runId: string, { counts, live }: SeriesProgress): SeriesCounts {
  for (const [id, run] of live) counts.set(id, run.counts)
  return sumCounts([...counts].flatMap(([id, counted]) => (id === runId ? [] : counted)))
}

/** Creates the live view of a run that starts or resumes. */
function showRun(
  { run, runNumber, runsPlanned, maxCost, spent }: StartEvent,
  progress: SeriesProgress,
  now: () => number,
): LiveRun {
  const { id, kind = 'suite', seriesId, testSuiteSnapshot, testSuiteName = 'Suite', models, startedAt } = run
  const live = new LiveRun({
    runId: id,
    seriesId,
    runNumber,
    runsPlanned,
    kind,
    suite: testSuiteSnapshot ?? { name: testSuiteName, testCases: [] },
    models,
    startedAt: startedAt ?? now(),
    budget: maxCost,
    countOthers: () => sumOthers(id, progress),
    rate: progress.rate,
    now,
  })
  live.restore(run, { areErrorsOpen: true })
  live.countCost(toMoney(spent.known), spent.unknown)
  return live
}

export function createLiveRuns(context: RunContext, log: (line: string, error?: unknown) => void): RunManager {
  const allSeries = new Set<LiveSeries>()
  /** Their first run has not started yet. */
  const launching = new Set<LiveSeries>()
  const engineListeners = new Set<Parameters<RunManager['listen']>[0]>()
  /** If two tabs request the same thing at once, both get the same result. */
  const starting = new Map<string, Promise<StartedRun>>()
  const findLive = (runId: string) =>
    [...allSeries].find(({ currentRun, alongside }) => currentRun?.runId === runId || alongside.has(runId))

  function notifyListeners(event: RunEvent): void {
    for (const listener of engineListeners) listener(event)
  }

  /**
   * Resolves when the first run has started, rejects if none can start; the rest continues in the background. The
   * returned runs have no texts: the server does not need a hundred thousand answers again.
   */
  function launch(
    work: (series: LiveSeries, options: RunOptions, onStarted: (started: StartedRun) => void) => Promise<unknown>,
    counts: SeriesProgress['counts'] = new Map(),
  ): Promise<StartedRun> {
    const series = new LiveSeries()
    const progress: SeriesProgress = { rate: new ProgressRate(context.now()), counts, live: new Map() }
    let started: StartedRun | undefined
    return new Promise((resolve, reject) => {
      const onStarted = (run: StartedRun) => {
        started ??= run
        allSeries.add(series)
        launching.delete(series)
        resolve(started)
      }
      const onEvent = (event: RunEvent) => {
        if (event.type === 'run-started') {
          const { id, seriesId } = event.run
          series.isOnWorkers = event.isOnWorkers ?? false
          const live = showRun(event, progress, context.now)
          progress.live.set(id, live)
          // Of several at once, the first is shown.
          if (!event.isSideBySide || event.runNumber === 1) series.show(live)
          else series.alongside.set(id, live)
          onStarted({ runId: id, ...(seriesId !== undefined && { seriesId }) })
        } else (progress.live.get(runOf(event) ?? '') ?? series.currentRun)?.onEvent(event)
        // Whoever looks as soon as it has ended must not get what was cached a moment before.
        if (event.type === 'run-finished') noteRunChange(context.storage, event.runId)
        notifyListeners(event)
      }
      launching.add(series)
      const { signal, detach, draining: drain } = series
      const options = { onEvent, signal, drain, detach, withTexts: false, onWorkers: 'if-any' } as const
      series.ended = work(series, options, onStarted)
        .then(() => undefined)
        .catch((error: unknown) => {
          if (!started) return reject(toRefusal(error))
          // An unexpected failure is still shown to those who watch, and logged. What was taken over goes on elsewhere.
          if (!(error instanceof RunTakenOver)) series.currentRun?.finish('failed', messageOf(error))
          log(`run ${started.runId}: ${messageOf(error)}`, error)
          return undefined
        })
        .finally(() => {
          allSeries.delete(series)
          launching.delete(series)
          series.end()
          if (started) resolve(started)
        })
    })
  }

  async function start(request: RunRequest, { label }: Pick<RunOptions, 'label'> = {}): Promise<StartedRun> {
    const { suite, version } = await loadRunnableSuite(context.storage, request.suiteId)
    return startSuite({ kind: 'suite', suite, request: { ...request, suiteVersion: version } }, { label })
  }

  function startSuite(input: RunInput, own: Pick<RunOptions, 'label'> = {}): Promise<StartedRun> {
    const tools = context.runTools()
    return launch(async (_series, options) =>
      startSeries(await prepareRun(await drawInformative(input, tools), tools), tools, { ...options, ...own }),
    )
  }

  /** The current run of a live series, whichever of its runs was requested. */
  function findWorking(runId: string, seriesId: string | undefined): StartedRun | undefined {
    const working = [...allSeries]
      .flatMap(({ currentRun }) => currentRun ?? [])
      .find((live) => live.runId === runId || (seriesId !== undefined && live.seriesId === seriesId))
    return working && { runId: working.runId, ...(working.seriesId !== undefined && { seriesId: working.seriesId }) }
  }

  /** True if workers had the run and none is left: nobody holds its claim any more. */
  async function isAbandoned({ runId, seriesId }: StartedRun): Promise<boolean> {
    if (!findLive(runId)?.isOnWorkers) return false
    const run = { id: runId, seriesId, status: 'running' as const }
    const activity = await findActivity([run], { storage: context.storage, now: context.now() })
    return activity.get(runId)?.state === 'interrupted'
  }

  async function leave({ runId }: StartedRun): Promise<void> {
    const series = findLive(runId)
    series?.leave()
    await series?.ended
  }

  async function resume(runId: string, change: ResumeChange, takeOver: boolean): Promise<StartedRun> {
    const run = await context.storage.loadRun(runId, { texts: false, suite: false })
    if (!run) throw notFound('The run')
    const working = findWorking(runId, run.seriesId)
    if (working && !(await isAbandoned(working))) return working
    if (working) await leave(working)
    if (!hasWorkLeft(await loadSeries(runId, context.storage)))
      throw new Refusal(409, 'complete', 'The run is complete: every cell has its answer and its score.')
    const counts = await countSeries(run.seriesId, context.storage)
    return launch(
      (_series, options) => resumeSeries(runId, change, context.runTools(), { ...options, takeOver }),
      counts,
    )
  }

  /** The stored suite of a run as it is now, so that an edited key counts; none if the run is of a file or the suite is gone. */
  async function findSuiteNow({ testSuiteId }: RunResult): Promise<{ suite?: Suite; suiteVersion?: number }> {
    if (testSuiteId === undefined || !(await context.storage.loadDocument('suite', testSuiteId))) return {}
    const { suite, version } = await loadRunnableSuite(context.storage, testSuiteId)
    return { suite, suiteVersion: version }
  }

  async function rescore(runId: string, given: { payer?: Person | undefined }): Promise<StartedRun> {
    if (findLive(runId)) throw new Refusal(409, 'live', 'The run is in progress; rescore it when it has finished.')
    const run = await context.storage.loadRun(runId, { texts: false })
    if (!run) throw notFound('The run')
    const { seriesId, models, status = 'completed', results } = run
    const { kind, suite } = readStoredRun(run)
    const live = new LiveRun({
      runId,
      seriesId,
      runNumber: 1,
      runsPlanned: 1,
      kind,
      suite,
      models,
      startedAt: context.now(),
      now: context.now,
    })
    const change = { ...given, ...(kind === 'suite' ? await findSuiteNow(run) : {}) }
    live.expect(results.filter(({ error }) => error === undefined).length)
    return launch(async (series, options, onStarted) => {
      series.show(live)
      const onEvent = (event: RunEvent) => {
        live.onEvent(event)
        notifyListeners(event)
      }
      // A rescore that cannot start fails at once, before it emits or waits for anything.
      const scoring = rescoreRun(runId, change, context.runTools(), { ...options, onEvent })
      setImmediate(() => onStarted({ runId, ...(seriesId !== undefined && { seriesId }) }))
      await scoring.finally(() => noteRunChange(context.storage, runId))
      live.finish(runStateOf(status, { isHeld: false }))
    })
  }

  function startOnce(runId: string, startRun: () => Promise<StartedRun>): Promise<StartedRun> {
    const pending = starting.get(runId)
    if (pending) return pending
    const started = startRun().finally(() => starting.delete(runId))
    starting.set(runId, started)
    return started
  }

  const { queue } = context
  const stopAdopting =
    queue &&
    adoptQueuedRuns(queue, {
      isStarting: () => launching.size > 0,
      isFollowed: ({ runId, seriesId }) => findLive(runId) !== undefined || findWorking(runId, seriesId) !== undefined,
      async follow(run) {
        const counts = await countSeries(run.seriesId, context.storage)
        // Not awaited: a run that has just ended never starts here.
        void launch((_series, options) => followSeries(run, context.runTools(), options), counts).catch(() => undefined)
      },
    })

  return {
    start,
    startSuite,
    resume: (runId, change = {}, { takeOver = false } = {}) => startOnce(runId, () => resume(runId, change, takeOver)),
    rescore: (runId, change = {}) => startOnce(runId, () => rescore(runId, change)),
    listen(listener) {
      engineListeners.add(listener)
      return () => engineListeners.delete(listener)
    },
    async stop(runId) {
      const series = findLive(runId)
      if (!series) return false
      series.abort()
      await series.ended
      return true
    },
    isLive: (runId) => findLive(runId) !== undefined,
    find(runId) {
      const { currentRun, alongside } = findLive(runId) ?? {}
      return alongside?.get(runId) ?? currentRun
    },
    isOnWorkers: (runId) => findLive(runId)?.isOnWorkers ?? false,
    findWaiting: (runId) => findLive(runId)?.currentRun?.progress().waiting,
    liveRuns: () =>
      [...allSeries].flatMap(({ currentRun, alongside }) =>
        currentRun ? [currentRun.runId, ...alongside.keys()] : [],
      ),
    ownRuns: () =>
      [...allSeries].flatMap(({ currentRun, isOnWorkers }) => (currentRun && !isOnWorkers ? currentRun.runId : [])),
    watch: (runId, listener) => findLive(runId)?.watch(listener),
    async close({ graceMs = 0 } = {}) {
      const open = [...allSeries]
      stopAdopting?.()
      for (const series of open) series.leave()
      const ended = Promise.all(open.map((series) => series.ended))
      const abortOwn = () => open.filter(({ isOnWorkers }) => !isOnWorkers).forEach((series) => series.abort())
      const timer = setTimeout(abortOwn, graceMs)
      if (graceMs === 0) abortOwn()
      await ended
      clearTimeout(timer)
    },
  }
}
