import type { CellKey, RunResult, Storage, ArenaPanel, ArenaView } from '../../contract/index.ts'
import { ARENA_CASE_ID, loadInspection, readArenaTask } from '../../services/index.ts'
import { isInterrupted } from '../runs/interrupted-runs.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'
import { LONGEST_RESPONSE, type ArenaHub, type LivePanel } from './arena-hub.ts'
import { describeFinished, describeInspection } from './describe-panel.ts'

export type ArenaContext = Pick<ServerContext, 'storage' | 'runs' | 'now'>

/** A page of which the engine has spoken and that is not finished yet. */
function describeLive(modelId: string, { state, response, message }: LivePanel): ArenaPanel {
  return { modelId, state, response, ...(message !== undefined && { message }) }
}

export function isFinished({ state }: { state: ArenaPanel['state'] }): boolean {
  return state === 'scored' || state === 'unscored' || state === 'error'
}

/** What a stored page that is not finished has: perhaps its answer, perhaps nothing. */
async function describeOpen(storage: Storage, runId: string): Promise<Map<string, ArenaPanel>> {
  const open = await storage.loadOpenCells(runId)
  return new Map(
    open.map(({ cell: { modelId }, answer }) => [
      modelId,
      answer
        ? {
            modelId,
            state: 'waiting',
            response: answer.response.slice(0, LONGEST_RESPONSE),
            outcome: answer.outcome,
            message: 'Answered, and not looked at yet.',
          }
        : { modelId, state: 'waiting', response: '' },
    ]),
  )
}

/** One page as it is now. */
export async function describePanel(
  context: ArenaContext,
  hub: ArenaHub,
  { runId, modelId }: Omit<CellKey, 'testCaseId'>,
): Promise<ArenaPanel | undefined> {
  const live = hub.panelsOf(runId).get(modelId)
  const cell = { runId, testCaseId: ARENA_CASE_ID, modelId }
  if (live && !isFinished(live)) {
    const inspection = live.state === 'scoring' ? await loadInspection(context.storage, cell) : undefined
    return { ...describeLive(modelId, live), ...(inspection && { inspection: describeInspection(cell, inspection) }) }
  }
  const stored = await context.storage.loadCell(cell)
  return stored && describeFinished(context.storage, runId, stored.result)
}

/** Loads what is stored, and gives a way to put it together with what is known at the moment of asking. */
async function loadPanels(run: RunResult, context: ArenaContext, hub: ArenaHub): Promise<() => ArenaPanel[]> {
  const finished = new Map<string, ArenaPanel>()
  for (const result of run.results)
    finished.set(result.modelId, await describeFinished(context.storage, run.id, result))
  const open = finished.size < run.models.length ? await describeOpen(context.storage, run.id) : undefined
  return () => {
    const live = context.runs.isLive(run.id) ? hub.panelsOf(run.id) : new Map<string, LivePanel>()
    return run.models.map((modelId) => {
      const now = live.get(modelId)
      const stored = finished.get(modelId)
      const known = stored ?? open?.get(modelId)
      // Finished since it was loaded: its score is told in a moment.
      if (now && (!isFinished(now) || !stored))
        return describeLive(modelId, {
          ...now,
          state: isFinished(now) ? 'scoring' : now.state,
          response: now.response || (known?.response ?? ''),
        })
      return known ?? { modelId, state: 'waiting', response: '' }
    })
  }
}

export async function loadArenaRun(storage: Storage, runId: string): Promise<RunResult> {
  const run = await storage.loadRun(runId)
  if (!run || !readArenaTask(run.testSuiteSnapshot)) throw notFound('The run')
  return run
}

/** A run of the Code Arena as its screen shows it, live or stored. What comes last is put in without awaiting anything. */
export async function loadArena(runId: string, context: ArenaContext, hub: ArenaHub): Promise<() => ArenaView> {
  const run = await loadArenaRun(context.storage, runId)
  const task = readArenaTask(run.testSuiteSnapshot)!
  const { seriesId, parameters, judgeModel, status = 'completed', startedAt = 0 } = run
  const view = {
    runId,
    ...(seriesId !== undefined && { seriesId }),
    seriesRuns: seriesId === undefined ? [runId] : await context.storage.runsOfSeries(seriesId),
    prompt: task.prompt,
    systemPrompt: task.systemPrompt,
    ...(parameters && { parameters }),
    ...(judgeModel !== undefined && { judgeModel }),
    isQuickJudge: task.isQuickJudge,
    status,
    isInterrupted: await isInterrupted(run, context),
    startedAt,
  }
  const panelsNow = await loadPanels(run, context, hub)
  return () => ({ ...view, isLive: context.runs.isLive(runId), panels: panelsNow() })
}
