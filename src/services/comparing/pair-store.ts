import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { CellKey, Storage } from '../../contract/index.ts'
import type { PairOutcome } from '../../scoring/pairwise.ts'

const missingSchema = z.array(z.object({ judgeModelId: z.string(), reason: z.string() }))

const outcomeSchema = z.object({
  opponentId: z.string(),
  score: z.number(),
  judges: z
    .array(z.object({ judgeModelId: z.string(), score: z.number(), isConsistent: z.boolean(), reasoning: z.string() }))
    .optional(),
  missingJudges: missingSchema.optional(),
  notes: z.string().optional(),
})

/** A model's name may be longer than that of an artifact. */
function nameOf(opponentId: string): string {
  return `pair-${createHash('sha256').update(opponentId).digest('hex').slice(0, 32)}.json`
}

/** Stored as soon as a pair is judged: a killed process must not pay for its comparisons again. */
export async function savePair(
  cell: CellKey,
  opponentId: string,
  outcome: PairOutcome,
  storage: Storage,
): Promise<void> {
  await storage.saveArtifact(cell, {
    name: nameOf(opponentId),
    mediaType: 'application/json',
    content: new TextEncoder().encode(JSON.stringify({ opponentId, ...outcome })),
  })
}

export async function loadPair(cell: CellKey, opponentId: string, storage: Storage): Promise<PairOutcome | undefined> {
  const artifact = await storage.loadArtifact(cell, nameOf(opponentId))
  if (!artifact) return undefined
  const { opponentId: stored, ...outcome } = outcomeSchema.parse(JSON.parse(new TextDecoder().decode(artifact.content)))
  return stored === opponentId ? outcome : undefined
}
