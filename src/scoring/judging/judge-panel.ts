import { ClientError, ScoringError, type AskModel, type ModelRequest } from '../../contract/index.ts'
import type { Asks } from '../scorer.ts'

/** An unreadable grade is asked for once more. */
export const gradeAsks: Asks = { expected: 1, most: 2 }

/** A mark that none of the texts contains, whatever they contain. */
function drawMark(texts: readonly string[], random: () => number): string {
  for (;;) {
    const mark = Math.floor(random() * 2 ** 48).toString(36)
    if (!texts.some((text) => text.includes(mark))) return mark
  }
}

export interface GradeQuestion<Grade> {
  judgeModelId: string
  ask: AskModel
  random: () => number
  /** Everything foreign in the request: no mark is taken that occurs in it. */
  texts: readonly string[]
  write(mark: string): ModelRequest
  /** The grade in a judge's answer; `undefined` when it cannot be read. */
  read(answer: string): Grade | undefined
}

/** Asks one judge, and once more when its answer cannot be read; then throws `judge-unreadable`. */
export async function askForGrade<Grade>({
  judgeModelId,
  ask,
  random,
  texts,
  write,
  read,
}: GradeQuestion<Grade>): Promise<Grade> {
  let lastAnswer = ''
  for (let asked = 0; asked < gradeAsks.most; asked++) {
    try {
      lastAnswer = (await ask(write(drawMark(texts, random)))).response
    } catch (error) {
      if (!(error instanceof ClientError) || error.kind === 'cancelled') throw error
      throw new ScoringError('judge-failed', `judge ${judgeModelId}: ${error.message}`, { cause: error })
    }
    const grade = read(lastAnswer)
    if (grade !== undefined) return grade
  }
  throw new ScoringError(
    'judge-unreadable',
    `judge ${judgeModelId} gave no grade that can be read; its last answer was ${JSON.stringify(lastAnswer.slice(0, 200))}`,
  )
}

/** One score out of a panel's. */
export function combineScores(scores: readonly number[], how: 'mean' | 'median' = 'mean'): number {
  if (how === 'mean') return scores.reduce((sum, score) => sum + score, 0) / scores.length
  const sorted = scores.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
