import type { CellKey, RunResult, Storage, ArenaPanel, ArenaView } from '../../contract/index.ts'
import { explainStop } from '../../report/words/index.ts'
import { ARENA_CASE_ID, loadInspection, readArenaTask, requestOf } from '../../services/index.ts'
import { findActivityOf } from '../runs/run-activity.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'
import { MAX_RESPONSE_LENGTH, type ArenaHub, type LivePanel } from './arena-hub.ts'
import { loadFinishedPanel, toInspection } from './stored-panel.ts'

export type ArenaContext = Pick<ServerContext, 'storage' | 'runs' | 'now'>

/** A page in progress, from the engine's events. */
function toLivePanel(modelId: string, { state, step, response, message }: LivePanel): ArenaPanel {
  return { modelId, state, ...(step && { step }), response, ...(message !== undefined && { message }) }
}

export function isFinished({ state }: { state: ArenaPanel['state'] }): boolean {
  return state === 'scored' || state === 'unscored' || state === 'error'
}

/** Stored pages that are not finished, with or without an answer. */
async function loadOpenPanels(storage: Storage, runId: string): Promise<Map<string, ArenaPanel>> {
  const open = await storage.loadOpenCells(runId)
  return new Map(
    open.map(({ cell: { modelId }, answer }) => [
      modelId,
      answer
        ? {
            modelId,
            state: 'pending',
            response: answer.response.slice(0, MAX_RESPONSE_LENGTH),
            outcome: answer.outcome,
            message: 'Answered, not inspected yet.',
          }
        : { modelId, state: 'pending', response: '' },
    ]),
  )
}

/** The current state of one page. */
export async function loadPanel(
  context: ArenaContext,
  hub: ArenaHub,
  { runId, modelId }: Omit<CellKey, 'testCaseId'>,
): Promise<ArenaPanel | undefined> {
  const live = hub.panelsOf(runId).get(modelId)
  const cell = { runId, testCaseId: ARENA_CASE_ID, modelId }
  if (live && !isFinished(live)) {
    const inspection = live.step === 'scoring' ? await loadInspection(context.storage, cell) : undefined
    return { ...toLivePanel(modelId, live), ...(inspection && { inspection: toInspection(cell, inspection) }) }
  }
  const stored = await context.storage.loadCell(cell)
  return stored && loadFinishedPanel(context.storage, runId, stored.result)
}

/** Loads what is stored; the returned function merges it with the live state at the time of the call. */
async function loadPanels(run: RunResult, context: ArenaContext, hub: ArenaHub): Promise<() => ArenaPanel[]> {
  const finished = new Map<string, ArenaPanel>()
  for (const result of run.results)
    finished.set(result.modelId, await loadFinishedPanel(context.storage, run.id, result))
  const open = finished.size < run.models.length ? await loadOpenPanels(context.storage, run.id) : undefined
  return () => {
    const live = context.runs.isLive(run.id) ? hub.panelsOf(run.id) : new Map<string, LivePanel>()
    return run.models.map((modelId) => {
      const now = live.get(modelId)
      const stored = finished.get(modelId)
      const loaded = stored ?? open?.get(modelId)
      // If it finished after loading, its score follows in the next event.
      if (now && (!isFinished(now) || !stored))
        return toLivePanel(modelId, {
          ...now,
          ...(isFinished(now) && { state: 'running', step: 'scoring' }),
          response: now.response || (loaded?.response ?? ''),
        })
      return loaded ?? { modelId, state: 'pending', response: '' }
    })
  }
}

export async function loadArenaRun(storage: Storage, runId: string): Promise<RunResult> {
  const run = await storage.loadRun(runId)
  if (!run || !readArenaTask(run)) throw notFound('The run')
  return run
}

/** The budget that ended the run, in US dollars. */
export function findUsedUpBudget(run: RunResult): number | undefined {
  return run.stopReason === 'budget' ? requestOf(run).maxCost : undefined
}

function describeEnd(run: RunResult): Pick<ArenaView, 'stopped' | 'usedUpBudget'> {
  const { stopReason } = run
  if (!stopReason) return {}
  const usedUpBudget = findUsedUpBudget(run)
  const stop = explainStop({ state: 'stopped', stopReason, maxCost: usedUpBudget })
  return { ...(stop && { stopped: stop.sentence }), ...(usedUpBudget !== undefined && { usedUpBudget }) }
}

/** A Code Arena run as its screen shows it, live or stored. The returned function adds the live state synchronously. */
export async function loadArena(runId: string, context: ArenaContext, hub: ArenaHub): Promise<() => ArenaView> {
  const run = await loadArenaRun(context.storage, runId)
  const task = readArenaTask(run)!
  const { seriesId, parameters, judgeModel, startedAt = 0 } = run
  const view = {
    runId,
    ...(seriesId !== undefined && { seriesId }),
    seriesRuns: seriesId === undefined ? [runId] : await context.storage.runsOfSeries(seriesId),
    prompt: task.prompt,
    systemPrompt: task.systemPrompt,
    ...(parameters && { parameters }),
    ...(judgeModel !== undefined && { judgeModel }),
    isQuickJudge: task.isQuickJudge,
    ...describeEnd(run),
    startedAt,
  }
  const panelsNow = await loadPanels(run, context, hub)
  const activity = await findActivityOf(run, context)
  return () => ({ ...view, ...activity, panels: panelsNow() })
}
