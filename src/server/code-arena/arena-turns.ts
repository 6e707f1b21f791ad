import type { RunResult, Storage } from '../../contract/index.ts'
import { listGaps, readArenaTask, turnOf } from '../../services/index.ts'
import { findActivityOf, type ServedActivity } from '../runs/run-activity.ts'
import { loadArenaRun, type ArenaContext } from './arena-pages.ts'
import { findNaming, type Naming } from './naming.ts'

/** GET /api/code-arena/:runId/turns: all runs of the conversation, the earliest turn first. */
export interface ArenaTurns {
  turns: ArenaTurn[]
  /** The prompts of this run's earlier turns, whether or not those runs still exist. */
  earlier: { runId: string; prompt: string }[]
}

export interface ArenaTurn extends ServedActivity {
  runId: string
  /** The run that it continues; absent for the first turn. */
  follows?: string
  /** From 1. */
  turn: number
  prompt: string
  startedAt: number
  models: TurnModel[]
}

interface TurnModel {
  modelId: string
  /** 0 to 1. */
  score?: number
  /** What it was not sent of its earlier turns, in words. */
  gaps: string[]
}

async function loadTurn(
  runId: string,
  context: ArenaContext,
  { areNamesShown }: { areNamesShown: boolean },
): Promise<ArenaTurn | undefined> {
  const { storage } = context
  const run = await storage.loadRun(runId, { texts: false })
  const task = readArenaTask(run)
  if (!run || !task) return undefined
  const { conversation } = task
  const { isHidden, order, toShown } = await findTurnNaming(run, { areNamesShown, storage })
  const follows = conversation?.turns.at(-1)?.runId
  return {
    runId,
    ...(follows !== undefined && { follows }),
    turn: turnOf(task),
    prompt: task.prompt,
    startedAt: run.startedAt ?? 0,
    ...(await findActivityOf(run, context)),
    models: order.map((place) => {
      const modelId = run.models[place]!
      if (isHidden) return { modelId: toShown(modelId), gaps: [] }
      const score = run.results.find((result) => result.modelId === modelId)?.score?.score
      return {
        modelId,
        ...(score !== undefined && { score }),
        gaps: conversation ? listGaps(conversation, modelId) : [],
      }
    }),
  }
}

/** The first run of the conversation that a run is part of. It never changes, and loading large runs takes time. */
const rootsOf = new WeakMap<Storage, Map<string, string>>()

/** All runs of the conversation that a run is part of, newest first: its first turn, and every follow-up. */
async function listConversation(runId: string, storage: Storage): Promise<string[]> {
  const roots = rootsOf.get(storage) ?? new Map<string, string>()
  rootsOf.set(storage, roots)
  const ids = (await storage.describeRuns({ kinds: ['page'] })).map(({ id }) => id)
  for (const id of ids) {
    if (roots.has(id)) continue
    const task = readArenaTask(await storage.loadRun(id, { texts: false }))
    roots.set(id, task?.conversation?.turns[0]?.runId ?? id)
  }
  return ids.filter((id) => roots.get(id) === roots.get(runId))
}

/** Which pages there are to vote on is told by their texts. */
async function findTurnNaming(
  run: RunResult,
  { areNamesShown, storage }: { areNamesShown: boolean; storage: Storage },
): Promise<Naming> {
  const withTexts = areNamesShown ? run : ((await storage.loadRun(run.id)) ?? run)
  return findNaming(withTexts, { areAskedFor: areNamesShown, storage })
}

export async function listTurns(
  runId: string,
  context: ArenaContext,
  { areNamesShown = false }: { areNamesShown?: boolean } = {},
): Promise<ArenaTurns> {
  const run = await loadArenaRun(context.storage, runId)
  const turns: ArenaTurn[] = []
  for (const id of await listConversation(runId, context.storage)) {
    const turn = await loadTurn(id, context, { areNamesShown })
    if (turn) turns.push(turn)
  }
  return {
    turns: turns.toSorted((a, b) => a.turn - b.turn || a.startedAt - b.startedAt),
    earlier: readArenaTask(run)?.conversation?.turns ?? [],
  }
}
