import { ClientError, ScoringError, type AskModel, type ModelRequest } from '../../contract/index.ts'
import type { ModelCalls } from '../scorer.ts'

/** An unreadable grade is retried once. */
export const gradeCalls: ModelCalls = { expected: 1, most: 2 }

/** Draws a mark that occurs in none of the texts. */
export function drawMark(texts: readonly string[], random: () => number): string {
  for (;;) {
    const mark = Math.floor(random() * 2 ** 48).toString(36)
    if (!texts.some((text) => text.includes(mark))) return mark
  }
}

export interface GradeQuestion<Grade> {
  judgeModelId: string
  ask: AskModel
  random: () => number
  /** All untrusted text in the request; the mark must not occur in it. */
  texts: readonly string[]
  write(mark: string, isRetry: boolean): ModelRequest
  /** The grade in a judge's answer; `undefined` if it is unreadable. */
  read(answer: string, isRetry: boolean): Grade | undefined
}

/** What a judge wrote while thinking may contain grades that it changed its mind about. */
function removeThinking(answer: string): string {
  const end = Math.max(...['</think>', '</thinking>', '</reasoning>'].map((tag) => endOfLast(tag, answer)))
  return answer.slice(end)
}

function endOfLast(tag: string, text: string): number {
  const start = text.lastIndexOf(tag)
  return start < 0 ? 0 : start + tag.length
}

/** Asks one judge, retries once if the answer is unreadable, then throws `judge-unreadable`. */
export async function askForGrade<Grade>({
  judgeModelId,
  ask,
  random,
  texts,
  write,
  read,
}: GradeQuestion<Grade>): Promise<Grade> {
  let lastAnswer = ''
  for (let asked = 0; asked < gradeCalls.most; asked++) {
    const isRetry = asked > 0
    try {
      const mark = drawMark(texts, random)
      lastAnswer = (await ask({ ...write(mark, isRetry), mark })).response
    } catch (error) {
      if (!(error instanceof ClientError) || error.kind === 'cancelled') throw error
      throw new ScoringError('judge-failed', `judge ${judgeModelId}: ${error.message}`, { cause: error })
    }
    const grade = read(removeThinking(lastAnswer), isRetry)
    if (grade !== undefined) return grade
  }
  throw new ScoringError(
    'judge-unreadable',
    `judge ${judgeModelId} gave no readable grade; its last answer was ${JSON.stringify(lastAnswer.slice(0, 200))}`,
  )
}

/** Combines the scores of a panel into one. */
export function combineScores(scores: readonly number[], how: 'mean' | 'median' = 'mean'): number {
  if (how === 'mean') return scores.reduce((sum, score) => sum + score, 0) / scores.length
  const sorted = scores.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
