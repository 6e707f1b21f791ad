import { sameScoreTolerance } from '../../../statistics/numbers/tolerance.ts'
import type { Replied } from './asker.ts'
import type { AuditCase } from './finding.ts'

interface Side {
  label: string
  text: string
  reply: Replied<{ score: number; reasoning: string }>
}

/** The same answer in two forms, and what the judge gave to each. */
export function comparedCase({
  id,
  prompt,
  before,
  after,
}: {
  id: string
  prompt: string
  before: Side
  after: Side
}): AuditCase {
  const isGraded = before.reply.problem === undefined && after.reply.problem === undefined
  const change = isGraded ? (after.reply.score ?? 0) - (before.reply.score ?? 0) : undefined
  return {
    id,
    prompt,
    shown: [before, after].map(({ label, text }) => ({ label, text })),
    replies: [before, after].map(({ label, reply }) => ({ label, ...reply })),
    ...(change !== undefined && { change }),
    supports: change !== undefined && Math.abs(change) > sameScoreTolerance,
  }
}

/** The cases with both scores. */
export function pairedScores(cases: readonly AuditCase[]): { used: AuditCase[]; before: number[]; after: number[] } {
  const used = cases.filter(({ replies }) => replies.every(({ score }) => score !== undefined))
  const scoreAt = (index: number) => used.map(({ replies }) => replies[index]?.score ?? Number.NaN)
  return { used, before: scoreAt(0), after: scoreAt(1) }
}
