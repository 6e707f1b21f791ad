import type { DatasetCase } from '../recipe.ts'
import { isMathematical, isNumber, trimMathematical } from './answers.ts'

const TRUE = ['Yes', 'True']
const FALSE = ['No', 'False']
const SAID: Readonly<Record<string, readonly string[]>> = { true: TRUE, false: FALSE, yes: TRUE, no: FALSE }

/** Whoever is asked whether something is so may say yes or true. */
function addSynonyms(answer: string): string[] {
  // A Chinese key may begin with "it is".
  const bare = /^是(.+)$/u.exec(answer)?.[1]
  return [
    answer,
    ...(bare === undefined ? [] : [bare]),
    ...(Object.hasOwn(SAID, answer.toLowerCase()) ? SAID[answer.toLowerCase()]! : []),
  ]
}

const RANGE = /^(.+?)\s*\(acceptable range: (?:anything )?between ([\d.,]+)[^\d]* and ([\d.,]+)[^\d]*\)$/i

/** SimpleQA Verified: `120,000 (acceptable range: anything between 118,800 and 121,200)`. */
function scoreRange(answer: string): DatasetCase | undefined {
  const [, , ...ends] = RANGE.exec(answer) ?? []
  const [low, high] = ends.map((end) => Number(end.replaceAll(',', '')))
  if (low === undefined || high === undefined || !(low > 0 && low <= high)) return undefined
  return {
    scoringMethod: 'math',
    expectedOutput: String((low + high) / 2),
    tolerance: Number((((high - low) / (high + low)) * 1.0001).toPrecision(6)),
  }
}

/** How a short right answer is compared: any of several wordings counts. */
export function scoreShortAnswer(answers: readonly string[]): DatasetCase {
  const range = scoreRange(answers[0] ?? '')
  if (range) return range
  const accepted = [
    ...new Map(answers.flatMap((answer) => addSynonyms(answer)).map((text) => [text.toLowerCase(), text])).values(),
  ]
  // 1,000 and 1000 are one number, in either notation.
  const plain = accepted.flatMap((text) =>
    isNumber(text) && text.includes(',') ? [text, text.replaceAll(',', '')] : [text],
  )
  const [expectedOutput, ...others] = plain
  return {
    scoringMethod: 'text-overlap',
    metric: 'normalized-match',
    expectedOutput,
    ...(others.length > 0 && { accepted: others }),
  }
}

export const ANSWER_SHORTLY = 'End with a line that has only "Answer:" and the answer in as few words as possible.'

/** A question with a short answer, in a suite whose other questions have options. */
export function askShortly(prompt: string, answers: readonly string[]): DatasetCase {
  const messages = [
    { role: 'system', content: ANSWER_SHORTLY },
    { role: 'user', content: prompt },
  ]
  const [answer] = answers
  return answer !== undefined && isMathematical(answer)
    ? { messages, scoringMethod: 'math', expectedOutput: trimMathematical(answer) }
    : { messages, ...scoreShortAnswer(answers) }
}
