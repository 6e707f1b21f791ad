import type { VoteRequest } from '../../contract/index.ts'
import { ARENA_CASE_ID, listVotes, removeVote, saveVote, type Vote } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { Refusal } from '../http/refusal.ts'
import { loadArenaRun } from './arena-pages.ts'
import { findModel, findNaming } from './naming.ts'
import { loadResponse } from './preview-page.ts'

/** GET /api/code-arena/:runId/votes?voter=: one vote at most for each pair of pages. */
export interface RunVotes {
  votes: RunVote[]
  /** When this voter last voted here; `DELETE …/votes/:castAt` takes that back. */
  lastCastAt?: number
}

export interface RunVote extends Pick<Vote, 'left' | 'right' | 'choice'> {
  isBlind: boolean
  isMine: boolean
}

type VoteContext = Pick<ServerContext, 'storage' | 'now'>

async function votesOf(runId: string, { storage }: VoteContext): Promise<Vote[]> {
  return (await listVotes(storage)).filter((vote) => vote.runId === runId)
}

export async function loadRunVotes(
  runId: string,
  { voter, names }: { voter: string; names?: 'shown' | 'hidden' },
  context: VoteContext,
): Promise<RunVotes> {
  const votes = await votesOf(runId, context)
  const { storage } = context
  const { toShown } = await findNaming(await loadArenaRun(storage, runId), { areAskedFor: names === 'shown', storage })
  const times = votes.flatMap((vote) => (vote.voter === voter && vote.castAt !== undefined ? [vote.castAt] : []))
  return {
    votes: votes.map(({ left, right, choice, isBlind = true, voter: by }) => ({
      left: toShown(left),
      right: toShown(right),
      choice,
      isBlind,
      isMine: by === voter,
    })),
    ...(times.length > 0 && { lastCastAt: Math.max(...times) }),
  }
}

/** The votes by the names of the models, whatever they were called when they were cast. */
async function readPages(
  runId: string,
  { votes: cast }: VoteRequest,
  { storage }: VoteContext,
): Promise<VoteRequest['votes']> {
  const run = await loadArenaRun(storage, runId)
  const { models } = run
  const votes = cast.map(({ left, right, choice }) => ({
    left: findModel(run, left),
    right: findModel(run, right),
    choice,
  }))
  for (const { left, right } of votes)
    if (left === right || !models.includes(left) || !models.includes(right))
      throw new Refusal(422, 'no-pair', 'A vote needs two different models of the run.')
  for (const modelId of new Set(votes.flatMap(({ left, right }) => [left, right])))
    if (!(await loadResponse(storage, { runId, testCaseId: ARENA_CASE_ID, modelId })))
      // Without the name: the voter may not know it yet.
      throw new Refusal(409, 'no-page', 'Both pages must be written before the vote.')
  return votes
}

/** Saves the votes on pairs that have none yet; refused if no pair is left. */
export async function castVotes(runId: string, request: VoteRequest, context: VoteContext): Promise<RunVotes> {
  const votes = await readPages(runId, request, context)
  const { voter, isBlind } = request
  const castAt = context.now()
  let saved = 0
  for (const vote of votes) if (await saveVote(context.storage, { runId, ...vote, isBlind, voter, castAt })) saved++
  if (saved === 0) throw new Refusal(409, 'voted', 'This pair already has a vote, perhaps from another tab.')
  return loadRunVotes(runId, { voter, names: isBlind ? 'hidden' : 'shown' }, context)
}

/** Takes back what the voter cast at that time. */
export async function undoVotes(
  runId: string,
  { voter, castAt }: { voter: string; castAt: number },
  context: VoteContext,
): Promise<RunVotes> {
  let removed = 0
  for (const vote of await votesOf(runId, context))
    if (vote.voter === voter && vote.castAt === castAt && (await removeVote(context.storage, vote))) removed++
  if (removed === 0) throw new Refusal(404, 'no-vote', 'This vote can no longer be undone.')
  return loadRunVotes(runId, { voter }, context)
}
