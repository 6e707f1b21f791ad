import {
  cellStateOf,
  type ArenaInspection,
  type ArenaPanel,
  type CellKey,
  type CellResult,
  type Storage,
} from '../../contract/index.ts'
import { ARENA_CASE_ID, listCriteria, loadInspection, type StoredInspection } from '../../services/index.ts'
import { MAX_RESPONSE_LENGTH } from './arena-hub.ts'

function toInteraction({
  action,
  target,
  hadEffect,
}: {
  action: 'click' | 'type'
  target: string
  hadEffect: boolean
}): string {
  return `${action === 'click' ? 'Pressed' : 'Filled in'} ${target}: ${hadEffect ? 'something changed' : 'nothing changed'}`
}

function artifactUrl({ runId, modelId, testCaseId }: CellKey, name: string): string {
  const query = new URLSearchParams({
    model: modelId,
    name,
    ...(testCaseId !== ARENA_CASE_ID && { case: testCaseId }),
  })
  return `/api/code-arena/${encodeURIComponent(runId)}/artifacts?${query}`
}

export function toInspection(
  cell: CellKey,
  { pictures, findings, notSeen, problem }: StoredInspection,
): ArenaInspection {
  const why = problem ?? notSeen
  return {
    screenshots: pictures.map((picture) => ({ ...picture, url: artifactUrl(cell, picture.name) })),
    console: findings?.console ?? [],
    errors: findings?.errors ?? [],
    accessibility: (findings?.accessibility ?? []).map(({ nodes, ...finding }) => ({ ...finding, count: nodes })),
    blocked: findings?.blocked ?? [],
    interactions: (findings?.interactions ?? []).map(toInteraction),
    ...(pictures.length === 0 && why !== undefined && { problem: why }),
  }
}

/** The panel of a finished cell, from the store. */
export async function loadFinishedPanel(storage: Storage, runId: string, result: CellResult): Promise<ArenaPanel> {
  const {
    modelId,
    testCaseId,
    response = '',
    outcome,
    score,
    unscored,
    error,
    latencyMs,
    firstTokenMs,
    completionTokens,
    cost,
  } = result
  const cell = { runId, testCaseId, modelId }
  const inspection = await loadInspection(storage, cell)
  const message = unscored?.message ?? error
  const criteria = listCriteria(score)
  return {
    modelId,
    state: cellStateOf(result),
    response: response.slice(0, MAX_RESPONSE_LENGTH),
    ...(outcome !== undefined && { outcome }),
    ...(message !== undefined && { message }),
    ...(score && { score: { ...score, criteria } }),
    ...(unscored && { unscored }),
    ...(latencyMs !== undefined && { latencyMs }),
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(cost !== undefined && { cost }),
    ...(inspection && { inspection: toInspection(cell, inspection) }),
  }
}
