import { toMoney, type ResumeChange, type RunRequest, type Suite } from '../../contract/index.ts'
import {
  BudgetSpent,
  hasWorkLeft,
  loadSeries,
  prepareRun,
  rescoreRun,
  resumeSeries,
  RunClaimed,
  startSeries,
  type RunEvent,
  type RunOptions,
} from '../../services/index.ts'
import { formatCost } from '../../report/words/index.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import type { ServerContext } from '../context.ts'
import { noteRunChange } from '../results/run-changes.ts'
import { loadRunnableSuite } from '../suites/suite-documents.ts'
import { LiveRun } from './live-run.ts'
import { LiveSeries } from './live-series.ts'
import type { RunManager, StartedRun } from './run-manager.ts'

/** What it takes to run: everything but the manager itself. */
type RunContext = Pick<ServerContext, 'storage' | 'runTools' | 'now'>

type StartEvent = Extract<RunEvent, { type: 'run-started' }>

function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What the rooms below refuse, in the words of the interface. */
function toRefusal(error: unknown): unknown {
  if (error instanceof RunClaimed) return new Refusal(409, 'worked-on', `${error.message}.`)
  if (error instanceof BudgetSpent) {
    const message = `${formatCost(error.spent)} is spent already: the budget must be more than that, for all runs of a series together.`
    return new Refusal(422, 'budget-spent', message, [{ path: ['maxCost'], message }])
  }
  return error
}

/** What one run of a series shows, from the moment it begins or goes on. */
function showRun({ run, runNumber, runsPlanned, maxCost, spentBefore, spent }: StartEvent, now: () => number): LiveRun {
  const { id, seriesId, testSuiteSnapshot, testSuiteName = 'Suite', models, startedAt } = run
  const live = new LiveRun({
    runId: id,
    seriesId,
    runNumber,
    runsPlanned,
    suite: testSuiteSnapshot ?? { name: testSuiteName, testCases: [] },
    models,
    startedAt: startedAt ?? now(),
    budget: maxCost === undefined ? undefined : Math.max(0, maxCost - spentBefore),
    wholeBudget: maxCost,
    now,
  })
  live.restore(run, { areErrorsOpen: true })
  live.countCost(toMoney(spent.known), spent.unknown)
  return live
}

export function createLiveRuns(context: RunContext, log: (line: string) => void): RunManager {
  const allSeries = new Set<LiveSeries>()
  const engineListeners = new Set<Parameters<RunManager['listen']>[0]>()
  /** Two tabs may ask for the same at the same time: they get the same. */
  const beginning = new Map<string, Promise<StartedRun>>()
  const findLive = (runId: string) => [...allSeries].find((series) => series.currentRun?.runId === runId)

  function tellListeners(event: RunEvent, suiteId: string | undefined): void {
    for (const listener of engineListeners) listener(event, suiteId ?? '')
  }

  /**
   * Resolves as soon as the first run has begun, rejects when none can begin; the rest goes on by itself. Nobody here needs
   * the texts of a hundred thousand answers again, so the runs that come back are without.
   */
  function launch(
    work: (series: LiveSeries, options: RunOptions, begun: (started: StartedRun) => void) => Promise<unknown>,
  ): Promise<StartedRun> {
    const series = new LiveSeries()
    let started: StartedRun | undefined
    let suiteId: string | undefined
    return new Promise((resolve, reject) => {
      const begun = (run: StartedRun) => {
        started ??= run
        allSeries.add(series)
        resolve(started)
      }
      const onEvent = (event: RunEvent) => {
        if (event.type === 'run-started') {
          const { id, seriesId, testSuiteId } = event.run
          suiteId = testSuiteId
          series.show(showRun(event, context.now))
          begun({ runId: id, ...(seriesId !== undefined && { seriesId }) })
        } else series.currentRun?.onEvent(event)
        tellListeners(event, suiteId)
      }
      series.ended = work(series, { onEvent, signal: series.signal, withTexts: false }, begun)
        .then(() => undefined)
        .catch((error: unknown) => {
          if (!started) return reject(toRefusal(error))
          // A run that fails in an unforeseen way is still told about, to those who watch it and in the log.
          series.currentRun?.finish('failed', explain(error))
          log(`run ${started.runId}: ${explain(error)}`)
          return undefined
        })
        .finally(() => {
          allSeries.delete(series)
          series.end()
          if (started) resolve(started)
        })
    })
  }

  async function start(request: RunRequest): Promise<StartedRun> {
    const { suite, version } = await loadRunnableSuite(context.storage, request.suiteId)
    return startSuite(suite, { ...request, suiteVersion: version })
  }

  function startSuite(suite: Suite, request: RunRequest): Promise<StartedRun> {
    const tools = context.runTools()
    return launch(async (_series, options) => startSeries(await prepareRun(request, suite, tools), tools, options))
  }

  /** A live run's own series, whichever of its runs was asked for. */
  function findWorking(runId: string, seriesId: string | undefined): StartedRun | undefined {
    const working = [...allSeries]
      .flatMap(({ currentRun }) => currentRun ?? [])
      .find((live) => live.runId === runId || (seriesId !== undefined && live.seriesId === seriesId))
    return working && { runId: working.runId, ...(working.seriesId !== undefined && { seriesId: working.seriesId }) }
  }

  async function resume(runId: string, change: ResumeChange = {}): Promise<StartedRun> {
    const run = await context.storage.loadRun(runId, { texts: false, suite: false })
    if (!run) throw notFound('The run')
    const working = findWorking(runId, run.seriesId)
    if (working) return working
    if (!hasWorkLeft(await loadSeries(runId, context.storage)))
      throw new Refusal(409, 'complete', 'The run is complete: every cell has its answer and its score.')
    return launch((_series, options) => resumeSeries(runId, change, context.runTools(), options))
  }

  async function rescore(runId: string): Promise<StartedRun> {
    if (findLive(runId)) throw new Refusal(409, 'live', 'The run is under way; score it again when it has finished.')
    const run = await context.storage.loadRun(runId, { texts: false })
    if (!run) throw notFound('The run')
    const { seriesId, testSuiteSnapshot: suite, testSuiteId, models, status = 'completed', results } = run
    if (!suite)
      throw new Refusal(409, 'no-suite', 'The run was stored without its suite, so it cannot be scored again.')
    const live = new LiveRun({
      runId,
      seriesId,
      runNumber: 1,
      runsPlanned: 1,
      suite,
      models,
      startedAt: context.now(),
      now: context.now,
    })
    live.expect(results.filter(({ error }) => error === undefined).length)
    return launch(async (series, options, begun) => {
      series.show(live)
      const onEvent = (event: RunEvent) => {
        live.onEvent(event)
        tellListeners(event, testSuiteId)
      }
      // What cannot begin fails at once, before it has told or waited for anything.
      const scoring = rescoreRun(runId, {}, context.runTools(), { ...options, onEvent })
      setImmediate(() => begun({ runId, ...(seriesId !== undefined && { seriesId }) }))
      await scoring.finally(() => noteRunChange(context.storage, runId))
      live.finish(status)
    })
  }

  function beginOnce(runId: string, begin: () => Promise<StartedRun>): Promise<StartedRun> {
    const known = beginning.get(runId)
    if (known) return known
    const begun = begin().finally(() => beginning.delete(runId))
    beginning.set(runId, begun)
    return begun
  }

  return {
    start,
    startSuite,
    resume: (runId, change) => beginOnce(runId, () => resume(runId, change)),
    rescore: (runId) => beginOnce(runId, () => rescore(runId)),
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
    liveRuns: () => [...allSeries].flatMap(({ currentRun }) => currentRun?.runId ?? []),
    watch: (runId, listener) => findLive(runId)?.watch(listener),
    async close() {
      const open = [...allSeries]
      for (const series of open) series.abort()
      await Promise.all(open.map(({ ended }) => ended))
    },
  }
}
