import {
  cellStateOf,
  type ArenaInspection,
  type CellKey,
  type CellResult,
  type LiveCell,
  type LiveSnapshot,
  type RunResult,
  type Storage,
} from '../../contract/index.ts'
import { describeInteraction, listObservations } from '../../scoring/index.ts'
import {
  ARENA_CASE_ID,
  listCriteria,
  loadInspection,
  readArenaTask,
  type StoredInspection,
} from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'
import { MAX_PAGE_LENGTH } from '../runs/live-cells.ts'
import type { LiveRun } from '../runs/live-run.ts'
import { openLiveRun } from '../runs/open-live-run.ts'
import { findNaming, hideSnapshot, type Naming } from './naming.ts'

export type ArenaContext = Pick<ServerContext, 'storage' | 'runs' | 'now'>

export async function loadArenaRun(storage: Storage, runId: string): Promise<RunResult> {
  const run = await storage.loadRun(runId)
  if (!run || !readArenaTask(run)) throw notFound('The run')
  return run
}

function artifactUrl({ runId, modelId, testCaseId }: CellKey, name: string): string {
  const query = new URLSearchParams({
    model: modelId,
    name,
    ...(testCaseId !== ARENA_CASE_ID && { case: testCaseId }),
  })
  return `/api/code-arena/${encodeURIComponent(runId)}/artifacts?${query}`
}

function toInspection(cell: CellKey, { pictures, findings, notSeen, problem }: StoredInspection): ArenaInspection {
  const why = problem ?? notSeen
  return {
    screenshots: pictures.map((picture) => ({ ...picture, url: artifactUrl(cell, picture.name) })),
    console: findings?.console ?? [],
    errors: findings?.errors ?? [],
    accessibility: (findings?.accessibility ?? []).map(({ nodes, ...finding }) => ({ ...finding, count: nodes })),
    blocked: findings?.blocked ?? [],
    interactions: (findings?.interactions ?? []).map(describeInteraction),
    observations: findings ? listObservations(findings) : [],
    ...(pictures.length === 0 && why !== undefined && { problem: why }),
  }
}

/** What headless Chromium found on the page of a cell, with the addresses of its pictures. */
export async function inspectionOf(storage: Storage, cell: CellKey): Promise<ArenaInspection | undefined> {
  const stored = await loadInspection(storage, cell)
  return stored && toInspection(cell, stored)
}

type PageState = Omit<LiveCell, 'case' | 'model' | 'text'>

/** A finished page, from the store. */
async function toFinishedPage(storage: Storage, runId: string, result: CellResult): Promise<PageState> {
  const { modelId, testCaseId, outcome, score, unscored, error } = result
  const { latencyMs, firstTokenMs, completionTokens, cost } = result
  const inspection = await inspectionOf(storage, { runId, testCaseId, modelId })
  const message = unscored?.message ?? error
  return {
    state: cellStateOf(result),
    ...(outcome !== undefined && { outcome }),
    ...(message !== undefined && { message }),
    page: {
      ...(score && { score: { ...score, criteria: listCriteria(score) } }),
      ...(unscored && { unscored }),
      ...(latencyMs !== undefined && { latencyMs }),
      ...(firstTokenMs !== undefined && { firstTokenMs }),
      ...(completionTokens !== undefined && { completionTokens }),
      ...(cost !== undefined && { cost }),
      ...(inspection && { inspection }),
    },
  }
}

const isFinished = ({ state }: Pick<LiveCell, 'state'>): boolean =>
  state === 'scored' || state === 'unscored' || state === 'error'

/** The cell of a page as it is now; undefined if it has finished and is not stored yet. */
export async function readPageNow(run: LiveRun, model: number, storage: Storage): Promise<PageState | undefined> {
  const { runId, models } = run
  const cell = { runId, testCaseId: ARENA_CASE_ID, modelId: models[model]! }
  const { cell: now } = run.readPage(model)
  if (isFinished(now)) {
    const stored = await storage.loadCell(cell)
    return stored && toFinishedPage(storage, runId, stored.result)
  }
  const inspection = now.step === 'scoring' ? await inspectionOf(storage, cell) : undefined
  return { ...now, ...(inspection && { page: { inspection } }) }
}

interface StoredPage {
  text: string
  /** Only of a finished page. */
  finished?: PageState
  outcome?: LiveCell['outcome']
}

async function loadStoredPages(run: RunResult, storage: Storage): Promise<Map<string, StoredPage>> {
  const pages = new Map<string, StoredPage>()
  if (run.results.length < run.models.length)
    for (const { cell, answer } of await storage.loadOpenCells(run.id))
      if (answer) pages.set(cell.modelId, { text: answer.response.slice(0, MAX_PAGE_LENGTH), outcome: answer.outcome })
  for (const result of run.results)
    pages.set(result.modelId, {
      text: (result.response ?? '').slice(0, MAX_PAGE_LENGTH),
      finished: await toFinishedPage(storage, run.id, result),
    })
  return pages
}

function placePage(run: LiveRun, model: number, stored: StoredPage | undefined): LiveCell {
  const { cell, text } = run.readPage(model)
  const place = { case: 0, model }
  if (cell.state === 'running' || (isFinished(cell) && !stored?.finished))
    return {
      ...cell,
      // If it finished after loading, its score follows in the next event.
      ...(isFinished(cell) && { state: 'running', step: 'scoring' }),
      text: { offset: 0, text: text || (stored?.text ?? '') },
    }
  if (!stored) return { ...place, state: 'pending' }
  return {
    ...place,
    ...(stored.finished ?? { state: 'pending', outcome: stored.outcome, message: 'Answered, not inspected yet.' }),
    text: { offset: 0, text: stored.text },
  }
}

/** A Code Arena run with all its pages, live or stored. The returned function adds the live state synchronously. */
export async function openArena(
  runId: string,
  context: ArenaContext,
  { areNamesShown = false }: { areNamesShown?: boolean } = {},
): Promise<{ run: LiveRun; naming: Naming; snapshot: () => LiveSnapshot }> {
  const { storage } = context
  const result = await loadArenaRun(storage, runId)
  const run = await openLiveRun(runId, context)
  const { prompt, systemPrompt, isQuickJudge } = readArenaTask(result)!
  const { seriesId, parameters, judgeModel } = result
  const arena = {
    seriesRuns: seriesId === undefined ? [runId] : await storage.runsOfSeries(seriesId),
    prompt,
    systemPrompt,
    ...(parameters && { parameters }),
    ...(judgeModel !== undefined && { judgeModel }),
    isQuickJudge,
  }
  const stored = await loadStoredPages(result, storage)
  const naming = await findNaming(result, { areAskedFor: areNamesShown, storage })
  return {
    run,
    naming,
    snapshot: () => {
      const cells = run.models.map((modelId, model) => placePage(run, model, stored.get(modelId)))
      return hideSnapshot({ ...run.snapshot(), cells, arena }, naming)
    },
  }
}
