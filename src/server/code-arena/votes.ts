import { z } from 'zod'
import type { Storage } from '../../contract/index.ts'

const voteSchema = z.object({
  runId: z.string(),
  left: z.string(),
  right: z.string(),
  choice: z.enum(['left', 'right', 'tie', 'both-bad']),
})

export type Vote = z.output<typeof voteSchema>

export async function listVotes(storage: Storage): Promise<Vote[]> {
  const documents = await storage.listDocuments('vote')
  return documents.flatMap(({ content }) => voteSchema.safeParse(content).data ?? [])
}

export async function saveVote(storage: Storage, id: string, vote: Vote): Promise<void> {
  await storage.saveDocument({ kind: 'vote', id, content: vote }, { after: 0 })
}
