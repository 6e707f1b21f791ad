import { InputError } from '../../../contract/index.ts'
import type { Recipe } from '../recipe.ts'
import { findAnswers, findFinalAnswer, isMathematical, trimMathematical } from '../parts/answers.ts'
import { findQuestion, writeQuestion } from '../parts/question.ts'
import type { Row } from '../rows/row.ts'

const SOLUTIONS = ['solution', 'answer', 'output', 'response', 'rationale', 'explanation', 'target', 'completion']
const MOSTLY = 0.8

/** The final answer: of the answer itself if it is worked out there, else as it is, else of the solution. */
function findResult(row: Row): { text: string; isSure: boolean } | undefined {
  const [answer] = findAnswers(row)
  const marked = answer === undefined ? undefined : findFinalAnswer(answer)
  if (marked !== undefined) return { text: trimMathematical(marked), isSure: true }
  if (answer !== undefined && (isMathematical(answer) || answer.length < 60)) {
    const text = trimMathematical(answer)
    return { text, isSure: isMathematical(text) || isWorkedOut(row, text) }
  }
  for (const name of SOLUTIONS) {
    const found = findFinalAnswer(row.text(name) ?? '')
    if (found !== undefined) return { text: trimMathematical(found), isSure: true }
  }
  return undefined
}

/** A worked solution that ends in a box holds the result, be it the name of a person. */
function isWorkedOut(row: Row, result: string): boolean {
  const boxed = findFinalAnswer(row.text('solution') ?? '')
  return boxed !== undefined && trimMathematical(boxed) === result
}

export const maths: Recipe = {
  name: 'maths',
  reads: 'a problem with a number or formula as its answer (GSM8K, MATH, AIME, SVAMP, MGSM, OlympiadBench)',
  systemPrompt: String.raw`Work the problem out step by step, and put the final answer into \boxed{}.`,
  recognises(fields, rows) {
    // The number of a label is a name, not a result.
    if (fields.has('label') && !['answer', 'solution', 'target'].some((name) => fields.has(name))) return false
    const sure = rows.filter((row) => findQuestion(row) !== undefined && findResult(row)?.isSure)
    return rows.length > 0 && sure.length >= MOSTLY * rows.length
  },
  toCase(row) {
    const asked = findQuestion(row)
    if (!asked) throw new InputError('has no question')
    const result = findResult(row)
    if (!result || result.text === '') throw new InputError('has no final answer')
    return { prompt: writeQuestion(asked), scoringMethod: 'math', expectedOutput: result.text }
  },
}
