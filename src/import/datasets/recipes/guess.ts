import { InputError } from '../../../contract/index.ts'
import { guessColumns } from '../../suite-files/column-map.ts'
import { areAnswersLong } from './facts.ts'
import { NUMBERED_LABEL } from './labels.ts'
import type { Recipe } from '../recipe.ts'
import { findAnswers, hasNumberedLabels, listAnswers } from '../parts/answers.ts'
import { findQuestion, writeQuestion } from '../parts/question.ts'
import { ANSWER_SHORTLY, scoreShortAnswer } from '../parts/short-answer.ts'
import { looseName, type Row } from '../rows/row.ts'

/** Numbers and names that a person would not read out. */
const isText = (value: string | undefined): value is string => value !== undefined && /\p{L}/u.test(value)
const isAsked = (value: string) => /[?？؟;]\s*$/.test(value)

const LEAST_ASKED = 0.5
/** Without question marks: how long questions are, and how much longer than answers. */
const LEAST_LENGTH = 20
const LONGER = 3

/**
 * Of two columns of text whose names say nothing, which asks and which answers: questions end in a question mark, or are
 * several times as long. Undefined if that is not clear.
 */
function guessByValues(rows: readonly Row[]): Record<string, string> | undefined {
  const { names } = rows[0]!.table
  // Tests or lists of answers beside them are what answers are compared with.
  if (names.some((name) => typeof rows[0]!.get(looseName(name)) === 'object')) return undefined
  const columns = names.flatMap((name) => {
    const values = rows.flatMap((row) => row.text(looseName(name)) ?? [])
    const texts = values.filter(isText)
    if (values.length < rows.length || (texts.length * 2 < rows.length && names.length > 2)) return []
    const asked = texts.filter(isAsked).length / rows.length
    return [{ name, asked, length: values.reduce((sum, value) => sum + value.length, 0) / rows.length }]
  })
  if (columns.length !== 2) return undefined
  const [question, answer] = columns.toSorted((a, b) => b.asked - a.asked || b.length - a.length)
  const isClear =
    question!.asked >= LEAST_ASKED
      ? answer!.asked < LEAST_ASKED / 2
      : answer!.asked === 0 && question!.length >= Math.max(LEAST_LENGTH, LONGER * answer!.length)
  return isClear ? { prompt: question!.name, expectedOutput: answer!.name } : undefined
}

/** By the names of columns, else by what is in them. */
function guessFor(rows: readonly Row[]): Record<string, string> {
  const named = guessColumns(rows[0]!.table.names)
  return named['prompt'] === undefined ? (guessByValues(rows) ?? named) : named
}

/** For files of no known kind: the columns that the web form would suggest. */
export const guess: Recipe = {
  name: 'guess',
  reads: 'a prompt, and an answer if there is one, by the names of columns or what is in them',
  systemPrompt: ANSWER_SHORTLY,
  recognises: (_fields, rows) => rows.length > 0 && guessFor(rows)['prompt'] !== undefined,
  toCase(row) {
    const { prompt: question, expectedOutput } = row.table.once('guess', guessFor)
    const asked = findQuestion(row)
    const prompt = asked ? writeQuestion(asked) : question === undefined ? undefined : row.text(looseName(question))
    if (prompt === undefined) throw new InputError('has no prompt')
    if (expectedOutput === undefined && hasNumberedLabels(row)) throw new InputError(NUMBERED_LABEL)
    const found = row.table.once('has answers', (rows) => rows.some((one) => findAnswers(one).length > 0))
    if (expectedOutput === undefined && !found) return { prompt, scoringMethod: 'none' }
    const answers = expectedOutput === undefined ? findAnswers(row) : listAnswers(row.get(looseName(expectedOutput)))
    if (answers.length === 0) throw new InputError(`has no ${expectedOutput ?? 'answer'}`)
    return row.table.once('long answers', areAnswersLong)
      ? { prompt, scoringMethod: 'llm-judge', expectedOutput: answers[0] }
      : { prompt, ...scoreShortAnswer(answers) }
  },
}
