import { z } from 'zod'
import { isRecord } from '../../contract/index.ts'
import { findJson } from '../text/find-json.ts'
import { readNumbers } from '../text/read-numbers.ts'

export interface Grade {
  /** 0 to 10, as the judge gave it. */
  score: number
  reasoning: string
}

const reasoningSchema = z.object({ reasoning: z.string() })

function distinct(numbers: (number | undefined)[]): number | undefined {
  const [first, ...others] = new Set(numbers)
  return others.length === 0 ? first : undefined
}

function inRange(score: number | undefined, reasoning: string): Grade | undefined {
  return score !== undefined && score >= 0 && score <= 10 ? { score, reasoning } : undefined
}

function readLoneNumber(text: string): number | undefined {
  return distinct(readNumbers(text.replace(/\s*(?:\/|out of)\s*10\b/g, ' ')))
}

/** The value of every `"score": …` in the answer; `undefined` for one that is not a number. */
function readScoreFields(answer: string): (number | undefined)[] {
  return [...answer.matchAll(/"score"\s*:\s*(?:"([^"]*)|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?))?/gi)].map(
    ([, quoted, plain]) => {
      if (quoted !== undefined) return readLoneNumber(quoted)
      return plain === undefined ? undefined : Number(plain)
    },
  )
}

/**
 * The grade in a judge's answer. Every `"score": n` in it must have the same n; this covers plain, fenced and truncated
 * JSON alike. Without any JSON object, every number in the text must be the same, where "8/10" and "8 out of 10" count
 * as 8. `undefined` if there is no number, two different ones, or one outside 0 to 10. Numbers in the reasoning are
 * never mistaken for the grade.
 */
export function readGrade(answer: string): Grade | undefined {
  const json = findJson(answer)?.value
  const scores = readScoreFields(answer)
  if (scores.length > 0) return inRange(distinct(scores), reasoningSchema.safeParse(json).data?.reasoning ?? '')
  return isRecord(json) ? undefined : inRange(readLoneNumber(answer), answer.trim())
}
