import { sameScoreTolerance } from '../../../statistics/numbers/weighted-moments.ts'
import type { JudgeClient, Replied } from './judge-client.ts'
import type { AuditCase, AuditReply } from './finding.ts'

/** Each form of an answer is scored twice, which halves the variance of a noisy judge. */
const TIMES = 2

type Graded = Replied<{ score: number; reasoning: string }>

/** One form of an answer, and what the judge gave to it. */
export interface Side {
  label: string
  text: string
  replies: readonly Graded[]
}

/** An answer in two forms. */
export interface ComparedCase extends AuditCase {
  /** The mean scores; absent if one form has none. */
  scores?: { before: number; after: number }
}

export async function gradeTwice(
  judgeClient: JudgeClient,
  answer: Parameters<JudgeClient['grade']>[0],
): Promise<Graded[]> {
  return Promise.all(Array.from({ length: TIMES }, (_, index) => judgeClient.grade(answer, String(index + 1))))
}

function meanScore(replies: readonly Graded[]): number | undefined {
  const scores = replies.flatMap((reply) => (reply.problem === undefined ? [reply.score] : []))
  return scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0) / scores.length
}

const listReplies = ({ label, replies }: Side): AuditReply[] => replies.map((reply) => ({ label, ...reply }))

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
}): ComparedCase {
  const [from, to] = [meanScore(before.replies), meanScore(after.replies)]
  const scores = from === undefined || to === undefined ? undefined : { before: from, after: to }
  const change = scores && scores.after - scores.before
  return {
    id,
    prompt,
    shown: [before, after].map(({ label, text }) => ({ label, text })),
    replies: [...listReplies(before), ...listReplies(after)],
    ...(scores && { scores }),
    ...(change !== undefined && { change }),
    supports: change !== undefined && Math.abs(change) > sameScoreTolerance,
  }
}

/** The cases with scores of both forms. */
export function pairedScores(cases: readonly ComparedCase[]): {
  used: ComparedCase[]
  before: number[]
  after: number[]
} {
  const used = cases.filter(({ scores }) => scores !== undefined)
  const pairs = used.flatMap(({ scores }) => scores ?? [])
  return { used, before: pairs.map(({ before }) => before), after: pairs.map(({ after }) => after) }
}

/** Without what only the calculation needs. */
export function showCase({ scores: _scores, ...shown }: ComparedCase): AuditCase {
  return shown
}
