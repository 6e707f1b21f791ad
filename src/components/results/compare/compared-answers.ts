import type { TextDiff } from '../case/word-diff.ts'

interface Scored {
  runId: string
  result: { score?: { score: number } }
}

/**
 * The answer of the run in the address, else one that shows the change: for a case that got worse, the best of A and the
 * worst of B. The first run would often show two answers that are the same.
 */
export function chooseAnswer<Answer extends Scored>(
  answers: readonly Answer[],
  { runId, kind, side }: { runId: string | null; kind: string; side: 'a' | 'b' },
): Answer | undefined {
  const chosen = answers.find((answer) => answer.runId === runId)
  if (chosen || (kind !== 'better' && kind !== 'worse')) return chosen ?? answers[0]
  const sign = (kind === 'worse') === (side === 'a') ? -1 : 1
  const valueOf = ({ result }: Answer) => (result.score ? sign * result.score.score : Number.POSITIVE_INFINITY)
  return answers.toSorted((left, right) =>
    valueOf(left) < valueOf(right) ? -1 : valueOf(left) > valueOf(right) ? 1 : 0,
  )[0]
}

interface MarkedPart {
  text: string
  /** Only in this text. */
  isOwn: boolean
}

/** Both texts of a diff, each with the parts that the other does not have. */
export function splitDiff(diff: Extract<TextDiff, { parts: unknown }>): { a: MarkedPart[]; b: MarkedPart[] } {
  const without = (other: 'added' | 'removed') =>
    diff.parts.flatMap(({ kind, text }) => (kind === other ? [] : [{ text, isOwn: kind !== 'same' }]))
  return { a: without('added'), b: without('removed') }
}
