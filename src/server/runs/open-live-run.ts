import { type RunResult, type Storage, decidingOf, toMoney } from '../../contract/index.ts'
import { listRefusedModels } from '../../report/model/unfinished.ts'
import { requestOf } from '../../services/index.ts'
import { replayDecisions, type ModelDecisions } from '../../statistics/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'
import { LiveRun, sumCounts, type SeriesCounts } from './live-run.ts'
import { findActivityOf } from './run-activity.ts'

type LiveContext = Pick<ServerContext, 'storage' | 'runs' | 'now'>

/** Of a run that decides, together with the other runs of its series. */
async function loadDecisions(
  run: RunResult,
  siblings: readonly string[],
  { storage }: LiveContext,
): Promise<ModelDecisions | undefined> {
  if (!run.request || !decidingOf(run.request)) return undefined
  const runs = await Promise.all(
    siblings.map((id) => (id === run.id ? run : storage.loadRun(id, { texts: false, suite: false }))),
  )
  const suite = run.testSuiteSnapshot
  const whole = runs.flatMap((one) => (one ? [{ ...one, ...(suite && { testSuiteSnapshot: suite }) }] : []))
  return replayDecisions(whole)?.decisions
}

/** The run as live screens show it, whether or not this server is working on it. */
export async function openLiveRun(runId: string, context: LiveContext): Promise<LiveRun> {
  const current = context.runs.find(runId)
  if (current) return current
  const run = await context.storage.loadRun(runId, { texts: false })
  if (!run) throw notFound('The run')
  const { id, kind = 'suite', seriesId, testSuiteSnapshot, testSuiteName = 'Suite' } = run
  const { models, startedAt = 0, results } = run
  const siblings = seriesId === undefined ? [id] : await context.storage.runsOfSeries(seriesId)
  const { repeat, maxCost } = requestOf(run)
  const counts = await countSeries(seriesId, context.storage)
  counts.delete(id)
  const live = new LiveRun({
    runId: id,
    seriesId,
    runNumber: Math.max(1, siblings.indexOf(id) + 1),
    runsPlanned: Math.max(repeat, siblings.length),
    kind,
    suite: testSuiteSnapshot ?? {
      name: testSuiteName,
      testCases: [...new Set(results.map(({ testCaseId }) => testCaseId))].map((caseId) => ({ id: caseId, weight: 1 })),
    },
    models,
    startedAt,
    budget: maxCost,
    countOthers: () => sumCounts(counts.values()),
    now: context.now,
  })
  live.restore(run, { areErrorsOpen: false })
  const [summary] = await context.storage.listRuns({ ids: [id] })
  if (summary) live.countCost(toMoney(summary.cost), summary.unknownCosts)
  live.countRetries(results.reduce((sum, { attempts = 0 }) => sum + Math.max(0, attempts - 1), 0))
  const decisions = await loadDecisions(run, siblings, context)
  if (decisions) live.follow(decisions)
  const { state, workedOnBy } = await findActivityOf(run, context)
  if (workedOnBy) live.workedOnBy = workedOnBy
  else {
    if (run.stopReason && run.stopReason !== 'decided' && state !== 'interrupted')
      live.stopFor(run.stopReason, undefined, listRefusedModels(run))
    live.finish(state)
  }
  return live
}

/** What each run of a series has done and cost; empty for a single run. */
export async function countSeries(seriesId: string | undefined, storage: Storage): Promise<Map<string, SeriesCounts>> {
  if (seriesId === undefined) return new Map()
  const runs = await storage.listRuns({ ids: await storage.runsOfSeries(seriesId) })
  return new Map(
    runs.map(({ id, cells, cost, unknownCosts }) => [
      id,
      { done: cells.total - cells.pending, spent: toMoney(cost), unknownCosts },
    ]),
  )
}
