import { z } from 'zod'
import { findJson } from './find-json.ts'
import { readNumbers } from './read-numbers.ts'

export interface Grade {
  /** 0 to 10, as the judge gave it. */
  score: number
  reasoning: string
}

const gradeSchema = z.object({
  score: z.union([z.number(), z.string().regex(/^\s*\d+(\.\d+)?\s*$/).transform(Number)]),
  reasoning: z.string().optional(),
})

function distinct(numbers: number[]): number | undefined {
  const [first, ...others] = new Set(numbers)
  return others.length === 0 ? first : undefined
}

function inRange(score: number | undefined, reasoning: string): Grade | undefined {
  return score !== undefined && score >= 0 && score <= 10 ? { score, reasoning } : undefined
}

/**
 * The grade in a judge's answer, by one rule: every `"score": n` in it must give the same n (so JSON, JSON in a fence, and
 * JSON that was cut off are read alike); where there is none, every number in the text must be the same, "8/10" and "8 out
 * of 10" counting as 8. No number, two different ones, or one outside 0 to 10: `undefined`.
 */
export function readGrade(answer: string): Grade | undefined {
  const whole = gradeSchema.safeParse(findJson(answer)?.value)
  const scores = [...answer.matchAll(/"score"\s*:\s*"?(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/g)].map(([, number]) => Number(number))
  if (scores.length > 0) return inRange(distinct(scores), whole.success ? (whole.data.reasoning ?? '') : '')
  const withoutScale = answer.replace(/\s*(?:\/|out of)\s*10\b/g, ' ')
  return inRange(distinct(readNumbers(withoutScale)), answer.trim())
}
