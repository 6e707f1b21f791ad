import { createHash } from 'node:crypto'
import {
  pairName,
  type LiveCell,
  type LiveSnapshot,
  type LiveUpdate,
  type RunResult,
  type Storage,
} from '../../contract/index.ts'
import { listVotes, readArenaTask } from '../../services/index.ts'

/** What the models of a run are called to someone who may still vote on their pages. */
export interface Naming {
  isHidden: boolean
  /** The models in the order in which they are shown; by place, where each is in the run. */
  order: readonly number[]
  /** What to call a model: its name, or a letter-less number that gives nothing away. */
  toShown(modelId: string): string
}

type NamedRun = Pick<RunResult, 'id' | 'models' | 'kind' | 'testSuiteSnapshot'>

/** The first turn of its conversation: pages of one model are called alike in all turns. */
function rootOf(run: NamedRun): string {
  return readArenaTask(run)?.conversation?.turns[0]?.runId ?? run.id
}

function hideName(root: string, modelId: string): string {
  return `page-${createHash('sha256')
    .update(JSON.stringify([root, modelId]))
    .digest('hex')
    .slice(0, 12)}`
}

/** True while a pair of pages could be voted on without knowing whose they are. */
async function isVoteOpen(run: NamedRun & Pick<RunResult, 'results'>, storage: Storage): Promise<boolean> {
  const votes = (await listVotes(storage)).filter(({ runId }) => runId === run.id)
  const voted = new Set(votes.map(({ left, right }) => pairName(left, right)))
  const isPage = (modelId: string): boolean => {
    const result = run.results.find((one) => one.modelId === modelId)
    return result === undefined || (result.response ?? '').trim() !== ''
  }
  const pages = run.models.filter(isPage)
  return pages.some((a, index) => pages.slice(index + 1).some((b) => !voted.has(pairName(a, b))))
}

/** Names stay here until there is nothing left to vote on, or someone asks for them: `names=shown`. */
export async function findNaming(
  run: NamedRun & Pick<RunResult, 'results'>,
  { areAskedFor, storage }: { areAskedFor: boolean; storage: Storage },
): Promise<Naming> {
  const isHidden = !areAskedFor && run.models.length > 1 && (await isVoteOpen(run, storage))
  const places = run.models.map((_modelId, place) => place)
  if (!isHidden) return { isHidden, order: places, toShown: (modelId) => modelId }
  const root = rootOf(run)
  const shown = run.models.map((modelId) => hideName(root, modelId))
  return {
    isHidden,
    order: places.toSorted((a, b) => (shown[a]! < shown[b]! ? -1 : 1)),
    toShown: (modelId) => hideName(root, modelId),
  }
}

/** The model that a name stands for, as it was shown before or after the vote; unknown names are returned as they are. */
export function findModel(run: NamedRun | undefined, name: string): string {
  if (!run || run.models.includes(name)) return name
  const root = rootOf(run)
  return run.models.find((modelId) => hideName(root, modelId) === name) ?? name
}

export async function readModelName(storage: Storage, runId: string, name: string): Promise<string> {
  return name.startsWith('page-') ? findModel(await storage.loadRun(runId, { texts: false }), name) : name
}

/** What tells nothing about the model: not its score, speed and price, nor messages of its provider. */
function hideCell({ page: _page, message: _message, model, ...cell }: LiveCell, { order }: Naming): LiveCell {
  return { ...cell, model: order.indexOf(model) }
}

/** What stopped a run may name a model. */
function hideProgress({
  stopped,
  waiting: _waiting,
  usedUpBudget,
  ...progress
}: LiveUpdate['progress']): LiveUpdate['progress'] {
  return {
    ...progress,
    ...(usedUpBudget !== undefined && { usedUpBudget }),
    ...(stopped !== undefined && { stopped: usedUpBudget === undefined ? 'The run stopped early.' : stopped }),
  }
}

export function hideUpdate(update: LiveUpdate, naming: Naming): LiveUpdate {
  if (!naming.isHidden) return update
  return {
    ...update,
    cells: update.cells.map((cell) => hideCell(cell, naming)),
    progress: hideProgress(update.progress),
  }
}

export function hideSnapshot(snapshot: LiveSnapshot, naming: Naming): LiveSnapshot {
  if (!naming.isHidden) return snapshot
  const { models } = snapshot
  return {
    ...snapshot,
    ...hideUpdate({ runId: snapshot.runId, cells: snapshot.cells, progress: snapshot.progress }, naming),
    cells: snapshot.cells.map((cell) => hideCell(cell, naming)).toSorted((a, b) => a.model - b.model),
    models: naming.order.map((place) => naming.toShown(models[place]!)),
  }
}
