import type { Money, ResumeRequest, RunRequest, RunResult, Suite } from '../../contract/index.ts'
import {
  executeRun,
  planContestants,
  rescoreRun,
  resumeRun,
  type EngineTools,
  type RunEvent,
  type RunSettings,
} from '../../services/index.ts'
import { isInterrupted } from './interrupted-runs.ts'
import { checkNewBudget, leftOf, sumCosts } from './live-budget.ts'
import { LiveRun, watchLedger } from './live-run.ts'
import { LiveSeries } from './live-series.ts'
import { overrideStorage } from './override-storage.ts'
import { planSettings, requestOf, selectCases, type RunContext, type PlannedSettings } from './plan-run.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { noteRunChange } from '../results/run-changes.ts'
import type { RunManager, StartedRun } from './run-manager.ts'
import { loadPlan, markBudgetUsedUp, ownProcess, planIdOf, savePlan, type RunPlan } from './run-plans.ts'
import { loadRunnableSuite } from '../suites/suite-documents.ts'

interface PlannedSeries {
  seriesId?: string | undefined
  request: RunRequest
  settings: PlannedSettings
}

interface RunPlace {
  runId: string
  /** From 0. */
  index: number
  /** What earlier runs of the series have spent. */
  spentBefore: Money
}

function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function createLiveRuns(context: RunContext, log: (line: string) => void): RunManager {
  const allSeries = new Set<LiveSeries>()
  const engineListeners = new Set<Parameters<RunManager['listen']>[0]>()
  /** Two tabs may ask for the same at the same time: they get the same. */
  const beginning = new Map<string, Promise<StartedRun>>()
  const findLive = (runId: string) => [...allSeries].find(({ currentRun }) => currentRun === runId)

  function watchRun(place: RunPlace, { seriesId, request, settings }: PlannedSeries, startedAt: number): LiveRun {
    const { suite, models, parameters } = settings
    return new LiveRun({
      runId: place.runId,
      seriesId,
      runNumber: place.index + 1,
      runsPlanned: request.repeat,
      suite,
      models: planContestants(suite, models, parameters).map(({ id }) => id),
      startedAt,
      budget: leftOf(request, place.spentBefore),
      wholeBudget: request.maxCost,
      now: context.now,
    })
  }

  /** The engine's settings and tools for one run, whose events and costs go to `live`. */
  async function prepare(
    live: LiveRun,
    place: RunPlace,
    { request, settings, seriesId }: PlannedSeries,
    series: LiveSeries,
    onEvent: (event: RunEvent) => void,
  ): Promise<[RunSettings, EngineTools]> {
    const tools = await context.engineTools({ countsTokens: request.maxCost !== undefined })
    const { storage } = tools
    return [
      {
        ...settings,
        client: context.clientsOfRun(place.index),
        seriesId,
        // Nobody here needs the texts of a hundred thousand answers again.
        textsInResult: false,
        signal: series.signal,
        onEvent: (event) => {
          live.onEvent(event)
          if (event.type === 'budget-reached') series.isBudgetUsedUp = true
          onEvent(event)
          for (const listener of engineListeners) listener(event, request.suiteId)
        },
      },
      {
        ...tools,
        createId: () => place.runId,
        storage: overrideStorage(storage, {
          ...watchLedger(storage, live),
          // Under the id of the suite it was made from, which stays when the suite gets another name.
          createRun: (run, cells) => storage.createRun({ ...run, testSuiteId: request.suiteId }, cells),
        }),
      },
    ]
  }

  /** Works on the runs of a series one after another, once the first has ended. */
  async function drive(
    first: Promise<RunResult>,
    planned: PlannedSeries,
    from: { next: number; spent: () => Money },
    series: LiveSeries,
  ): Promise<void> {
    let run = await first
    let spent = from.spent()
    for (
      let index = from.next;
      index < planned.request.repeat && run.status === 'completed' && !series.signal.aborted;
      index++
    ) {
      const left = leftOf(planned.request, spent)
      if (left !== undefined && left <= 0) return
      const place = { runId: context.createId(), index, spentBefore: spent }
      const live = watchRun(place, planned, context.now())
      const [settings, tools] = await prepare(live, place, planned, series, (event) => {
        if (event.type === 'run-started') series.show(live)
      })
      run = await settle(live, executeRun(settings, tools))
      spent += live.spent()
    }
    if (series.isBudgetUsedUp) await markBudgetUsedUp(context.storage, planIdOf(run))
  }

  /** A run that fails in an unforeseen way is still told about, to those who watch it and in the log. */
  async function settle(live: LiveRun, running: Promise<RunResult>): Promise<RunResult> {
    return running.catch((error: unknown) => {
      live.finish('failed', explain(error))
      throw error
    })
  }

  /** Resolves as soon as `begin` is under way, rejects when it cannot begin; the rest goes on by itself. */
  function launch(
    started: StartedRun,
    work: (series: LiveSeries, begun: () => void) => Promise<void>,
  ): Promise<StartedRun> {
    const series = new LiveSeries()
    return new Promise((resolve, reject) => {
      let hasBegun = false
      const begun = () => {
        hasBegun = true
        allSeries.add(series)
        resolve(started)
      }
      series.ended = work(series, begun)
        .catch((error: unknown) => {
          if (hasBegun) log(`run ${started.runId}: ${explain(error)}`)
          else reject(error)
        })
        .finally(() => {
          allSeries.delete(series)
          series.end()
          resolve(started)
        })
    })
  }

  async function start(request: RunRequest): Promise<StartedRun> {
    const { suite, version } = await loadRunnableSuite(context.storage, request.suiteId)
    return startSuite(selectCases(suite, request), request, version)
  }

  async function startSuite(suite: Suite, request: RunRequest, version = 0): Promise<StartedRun> {
    const settings = await planSettings(context, suite, request)
    const seriesId = request.repeat > 1 ? context.createId() : undefined
    const place = { runId: context.createId(), index: 0, spentBefore: 0n }
    const planned = { seriesId, request, settings }
    const plan: RunPlan = { suiteVersion: version, request, owner: ownProcess() }
    return launch({ runId: place.runId, ...(seriesId !== undefined && { seriesId }) }, async (series, begun) => {
      const live = watchRun(place, planned, context.now())
      const [engineSettings, tools] = await prepare(live, place, planned, series, (event) => {
        if (event.type !== 'run-started') return
        series.show(live)
        begun()
      })
      const { storage } = tools
      const withPlan = overrideStorage(storage, {
        // Before the run itself, so that a killed server leaves no run that nobody knows how to go on with.
        createRun: async (run, cells) => {
          await savePlan(context.storage, seriesId ?? place.runId, plan)
          await storage.createRun(run, cells)
        },
      })
      const first = settle(live, executeRun(engineSettings, { ...tools, storage: withPlan }))
      await drive(first, planned, { next: 1, spent: () => live.spent() }, series)
    })
  }

  async function loadStored(runId: string): Promise<RunResult & { testSuiteSnapshot: Suite }> {
    const run = await context.storage.loadRun(runId, { texts: false })
    if (!run) throw notFound('The run')
    const { testSuiteSnapshot } = run
    if (!testSuiteSnapshot)
      throw new Refusal(409, 'no-suite', 'The run was stored without its suite, so it cannot be gone on with.')
    return { ...run, testSuiteSnapshot }
  }

  async function resume(runId: string, { maxCost }: ResumeRequest = {}): Promise<StartedRun> {
    const live = findLive(runId)
    const stored = await loadStored(runId)
    const { seriesId } = stored
    const started: StartedRun = { runId, ...(seriesId !== undefined && { seriesId }) }
    if (live) return started
    if (
      stored.status === 'running' &&
      !(await isInterrupted(stored, { storage: context.storage, runs: manager, now: context.now }))
    )
      throw new Refusal(
        409,
        'worked-on',
        'Another program works on this run: it has asked a model in the last minutes. Wait for it, or try again later.',
      )
    const plan = await loadPlan(context.storage, planIdOf(stored))
    const siblings = seriesId === undefined ? [runId] : await context.storage.runsOfSeries(seriesId)
    const request = {
      ...(plan?.request ?? requestOf(stored)),
      repeat: Math.max(plan?.request.repeat ?? 1, siblings.length),
      ...(maxCost !== undefined && { maxCost }),
    }
    const openCells =
      stored.testSuiteSnapshot.testCases.length * stored.models.length -
      stored.results.filter(({ score, unscored }) => score ?? unscored).length
    if (openCells === 0 && stored.status === 'completed' && siblings.length >= request.repeat)
      throw new Refusal(409, 'complete', 'The run is complete: every cell has its answer and its score.')
    const others = await sumCosts(
      context.storage,
      siblings.filter((id) => id !== runId),
    )
    const own = await sumCosts(context.storage, [runId])
    checkNewBudget(maxCost, others.spent + own.spent)
    const settings = await planSettings(context, stored.testSuiteSnapshot, request)
    const planned = { seriesId, request, settings }
    const place = { runId, index: Math.max(0, siblings.indexOf(runId)), spentBefore: others.spent }

    return launch(started, async (series, begun) => {
      const liveRun = watchRun(place, planned, stored.startedAt ?? context.now())
      liveRun.restore(stored, { areErrorsOpen: true })
      liveRun.countCost(own.spent, own.unknown)
      const [engineSettings, tools] = await prepare(liveRun, place, planned, series, (event) => {
        if (event.type !== 'run-started') return
        series.show(liveRun)
        begun()
      })
      if (plan)
        await savePlan(context.storage, planIdOf(stored), {
          suiteVersion: plan.suiteVersion,
          request,
          owner: ownProcess(),
        })
      const first = settle(
        liveRun,
        resumeRun(runId, engineSettings, tools).then(({ run }) => run),
      )
      await drive(first, planned, { next: siblings.length, spent: () => others.spent + liveRun.spent() }, series)
    })
  }

  async function rescore(runId: string): Promise<StartedRun> {
    if (findLive(runId)) throw new Refusal(409, 'live', 'The run is under way; score it anew when it has finished.')
    const stored = await loadStored(runId)
    const { testSuiteSnapshot: suite, seriesId } = stored
    const request = { ...requestOf(stored), models: stored.models }
    for (const judge of request.judgeModelIds) context.clientFor(judge)
    const plan = await loadPlan(context.storage, planIdOf(stored))
    // Each contestant stands for itself: nothing is asked of models, so variants play no part.
    const settings: PlannedSettings = {
      suite: { ...suite, variants: undefined },
      models: stored.models,
      judgeModelId: request.judgeModelIds,
      combineJudges: plan?.request.combineJudges,
    }
    const place = { runId, index: 0, spentBefore: 0n }
    return launch({ runId, ...(seriesId !== undefined && { seriesId }) }, async (series, begun) => {
      const live = watchRun(place, { request, settings }, context.now())
      live.expect(stored.results.filter(({ error }) => error === undefined).length)
      const [engineSettings, tools] = await prepare(live, place, { request, settings }, series, () => undefined)
      series.show(live)
      // What cannot begin fails at once, before it has told or waited for anything.
      const scoring = rescoreRun(runId, engineSettings, tools)
      setImmediate(begun)
      await settle(live, scoring).finally(() => noteRunChange(context.storage, runId))
      live.finish(stored.status ?? 'completed')
    })
  }

  function beginOnce(runId: string, begin: () => Promise<StartedRun>): Promise<StartedRun> {
    const known = beginning.get(runId)
    if (known) return known
    const begun = begin().finally(() => beginning.delete(runId))
    beginning.set(runId, begun)
    return begun
  }

  const manager: RunManager = {
    start,
    startSuite: (suite, request) => startSuite(suite, request),
    resume: (runId, request) => beginOnce(runId, () => resume(runId, request)),
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
    liveRuns: () => [...allSeries].flatMap(({ currentRun }) => currentRun ?? []),
    watch: (runId, listener) => findLive(runId)?.watch(listener),
    async close() {
      const open = [...allSeries]
      for (const series of open) series.abort()
      await Promise.all(open.map(({ ended }) => ended))
    },
  }
  return manager
}
