import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { CellKey, PairJudgement, Storage } from '../../contract/index.ts'
import type { PairOutcome } from '../../scoring/pairwise.ts'

const voteSchema = z.object({
  kind: z.literal('pairwise'),
  runId: z.string(),
  testCaseId: z.string(),
  modelA: z.string(),
  modelB: z.string(),
  /** 1 if a is better, 0.5 for a tie, 0 if b is. */
  scoreA: z.union([z.literal(0), z.literal(0.5), z.literal(1)]),
  /** Who voted. */
  voter: z.string(),
})

/** Which of two answers to a case a person found better. */
export type PairwiseVote = Omit<z.output<typeof voteSchema>, 'kind'>

/** One vote a person and pair, whichever answer is named first. */
function voteId({ runId, testCaseId, modelA, modelB, voter }: Omit<PairwiseVote, 'scoreA'>): string {
  const key = ['pairwise', runId, testCaseId, ...[modelA, modelB].toSorted(), voter]
  return createHash('sha256').update(JSON.stringify(key)).digest('hex')
}

/** A second vote of the same person on the same pair replaces the first. */
export async function savePairwiseVote(storage: Storage, vote: PairwiseVote): Promise<void> {
  await storage.saveDocument({ kind: 'vote', id: voteId(vote), content: { kind: 'pairwise', ...vote } })
}

export function removePairwiseVote(storage: Storage, vote: Omit<PairwiseVote, 'scoreA'>): Promise<boolean> {
  return storage.deleteDocument('vote', voteId(vote))
}

/** All votes on the answers of a run. */
export async function listPairwiseVotes(runId: string, storage: Storage): Promise<PairwiseVote[]> {
  const documents = await storage.listDocuments('vote')
  return documents.flatMap(({ content }) => {
    const vote = voteSchema.safeParse(content).data
    return vote?.runId === runId ? [vote] : []
  })
}

/** For a run that was deleted. */
export async function deletePairwiseVotes(runId: string, storage: Storage): Promise<void> {
  for (const vote of await listPairwiseVotes(runId, storage)) await removePairwiseVote(storage, vote)
}

/** The votes on the answers to one case, pair by pair. */
export async function listCaseVotes({ runId, testCaseId }: Omit<CellKey, 'modelId'>, storage: Storage) {
  const votes = (await listPairwiseVotes(runId, storage)).filter((vote) => vote.testCaseId === testCaseId)
  return {
    /** Undefined if nobody has voted on the pair. Several people count like a panel, by their mean. */
    outcomeOf(a: string, b: string): PairOutcome | undefined {
      const judges = votes.flatMap(({ modelA, modelB, scoreA, voter }): PairJudgement[] => {
        const score = modelA === a && modelB === b ? scoreA : modelA === b && modelB === a ? 1 - scoreA : undefined
        return score === undefined ? [] : [{ judgeModelId: voter, score, isConsistent: true, reasoning: '' }]
      })
      if (judges.length === 0) return undefined
      return { score: judges.reduce((sum, { score }) => sum + score, 0) / judges.length, judges }
    },
  }
}
