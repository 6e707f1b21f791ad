import { createHash } from 'node:crypto'
import { z } from 'zod'
import { VersionConflict, type Storage } from '../../contract/index.ts'

const voteSchema = z.object({
  runId: z.string(),
  left: z.string(),
  right: z.string(),
  choice: z.enum(['left', 'right', 'tie', 'both-bad']),
  /** False if the names were seen before the vote; absent in votes of earlier versions, which were all blind. */
  isBlind: z.boolean().optional(),
  /** Absent, like the time, in votes of earlier versions. */
  voter: z.string().optional(),
  /** Milliseconds; the same for votes that were cast together. */
  castAt: z.number().optional(),
})

/** What a person chose between two pages of a run. */
export type Vote = z.output<typeof voteSchema>

/** The same for both orders of the two models. */
function pairKey({ left, right }: Pick<Vote, 'left' | 'right'>): string {
  return JSON.stringify([left, right].toSorted())
}

/** One pair of a run, one document: the database refuses a second vote, whichever tab or process it comes from. */
function voteId(vote: Pick<Vote, 'runId' | 'left' | 'right'>): string {
  return createHash('sha256')
    .update(JSON.stringify([vote.runId, pairKey(vote)]))
    .digest('hex')
}

async function readVotes(storage: Storage): Promise<(Vote & { id: string })[]> {
  const documents = await storage.listDocuments('vote')
  return documents.flatMap(({ id, content }) => {
    const vote = voteSchema.safeParse(content).data
    return vote ? [{ ...vote, id }] : []
  })
}

/** The votes on runs that still exist. */
export async function listVotes(storage: Storage): Promise<Vote[]> {
  const votes = await readVotes(storage)
  if (votes.length === 0) return []
  const runIds = new Set(await storage.findRuns(''))
  return votes.filter(({ runId }) => runIds.has(runId)).map(({ id: _id, ...vote }) => vote)
}

/** Returns false if the pair has a vote already. */
export async function saveVote(storage: Storage, vote: Vote): Promise<boolean> {
  // Earlier versions gave votes random ids.
  const votes = await readVotes(storage)
  if (votes.some((other) => other.runId === vote.runId && pairKey(other) === pairKey(vote))) return false
  try {
    await storage.saveDocument({ kind: 'vote', id: voteId(vote), content: vote }, { after: 0 })
    return true
  } catch (error) {
    if (error instanceof VersionConflict) return false
    throw error
  }
}

/** Takes back a vote that `saveVote` saved. */
export function removeVote(storage: Storage, vote: Pick<Vote, 'runId' | 'left' | 'right'>): Promise<boolean> {
  return storage.deleteDocument('vote', voteId(vote))
}

/** For a run that was deleted. */
export async function removeVotesOf(storage: Storage, runId: string): Promise<void> {
  for (const vote of await readVotes(storage)) if (vote.runId === runId) await storage.deleteDocument('vote', vote.id)
}
