import { InputError, isRecord } from '../../../contract/index.ts'
import type { DatasetCase, Recipe } from '../recipe.ts'
import {
  countWords,
  findAnswers,
  hasNumberedLabels,
  isMathematical,
  listAnswers,
  trimMathematical,
} from '../parts/answers.ts'
import { findQuestion, writeQuestion } from '../parts/question.ts'
import { ANSWER_SHORTLY, scoreShortAnswer } from '../parts/short-answer.ts'
import type { Row } from '../rows/row.ts'
import { NUMBERED_LABEL } from './labels.ts'
import { askWithOptions } from './multiple-choice.ts'
import { LONG_ANSWER } from './samples.ts'

const UNANSWERABLE = [
  'unanswerable',
  'no answer',
  'not answerable',
  'it cannot be answered',
  'cannot be answered',
  'none',
]
const SPANS = ['answers', 'answersspans', 'answerstart']

/** SQuAD 2 has questions that its passage does not answer. */
function isImpossible(row: Row): boolean {
  if (row.get('answerable') === false || listAnswers(row.get('answers')).includes('CANNOTANSWER')) return true
  if (row.get('isimpossible') === true || row.text('isimpossible')?.toLowerCase() === 'true') return true
  const answers = row.structure('answers')
  if (!row.has('context') && !row.has('passage')) return false
  return (
    (isRecord(answers) && Array.isArray(answers['text']) && answers['text'].length === 0) ||
    (Array.isArray(answers) && answers.length === 0)
  )
}

export function areAnswersLong(rows: readonly Row[]): boolean {
  const words = rows.map((row) => countWords(findAnswers(row)[0] ?? '')).sort((a, b) => a - b)
  return words.length > 0 && words[Math.floor(words.length / 2)]! > LONG_ANSWER
}

/** BoolQ's labels are 0 and 1. Other numbers stand for words that the file does not have. */
function readYesNo(row: Row): string {
  const isYesNo = row.table.once('yes or no', (rows) => rows.every((one) => /^[01]$/.test(one.text('label') ?? '')))
  if (!isYesNo || !row.has('question') || !['passage', 'context', 'paragraph'].some((name) => row.has(name)))
    throw new InputError(NUMBERED_LABEL)
  return row.text('label') === '1' ? 'Yes' : 'No'
}

/** A whole number is compared as text: it may be a year. */
const isResult = (answer: string): boolean => isMathematical(answer) && !/^\d+$/.test(answer)

/** TheoremQA has yes and no, words and options among its numbers: a number is a result where most answers are. */
function areResults(row: Row): boolean {
  return row.table.once('results', (rows) => {
    const results = rows.filter((one) => isMathematical(findAnswers(one)[0] ?? ''))
    return results.length * 2 > rows.length
  })
}

/** A case from a question with its answer, or several that count: long ones are for a judge. */
function makeFactCase(row: Row): DatasetCase {
  const asked = findQuestion(row)
  if (!asked) throw new InputError('has no question')
  const canBeImpossible = row.table.once('impossible', (rows) => rows.some((other) => isImpossible(other)))
  const hint = canBeImpossible
    ? `\n\nIf ${asked.passage === undefined ? 'this cannot be answered' : 'the passage does not answer this'}, the answer is "unanswerable".`
    : ''
  const prompt = `${writeQuestion(asked).replaceAll(/\s*CANNOTANSWER/g, '')}${hint}`
  if (canBeImpossible && isImpossible(row)) return { prompt, ...scoreShortAnswer(UNANSWERABLE) }
  const choice = askWithOptions(row, asked)
  if (choice) return choice
  if (hasNumberedLabels(row)) return { prompt, ...scoreShortAnswer([readYesNo(row)]) }
  const answers = findAnswers(row)
  if (answers.length === 0) throw new InputError('has no answer')
  if (asked.passage === undefined && answers.length === 1 && isResult(answers[0]!) && areResults(row))
    return { prompt, scoringMethod: 'math', expectedOutput: trimMathematical(answers[0]!) }
  return row.table.once('long answers', areAnswersLong)
    ? { prompt, scoringMethod: 'llm-judge', expectedOutput: answers[0] }
    : { prompt, ...scoreShortAnswer(answers) }
}

const hasQuestion = (fields: ReadonlySet<string>) =>
  [
    'question',
    'problem',
    'query',
    'input',
    'questiontext',
    'qtext',
    'problemtext',
    'utterance',
    'userinput',
    'querytext',
    'originaltext',
    'body',
    'content',
    'q',
  ].some((name) => fields.has(name))
const isReading = (fields: ReadonlySet<string>) =>
  [
    'passage',
    'context',
    'story',
    'article',
    'narrative',
    'paragraph',
    'fulltext',
    'contexts',
    'table',
    'paragraphs',
    'contexttext',
    'retrievedcontexts',
    'situation',
    'passages',
    'snippets',
  ].some((name) => fields.has(name))

/** Before mathematics: the answers of DROP are mostly numbers, and found in its passage. */
export const reading: Recipe = {
  name: 'reading',
  reads: 'a question about a passage (SQuAD, DROP, HotpotQA, BoolQ, CoQA)',
  systemPrompt: ANSWER_SHORTLY,
  recognises: (fields, rows) =>
    hasQuestion(fields) &&
    isReading(fields) &&
    rows.filter((row) => isImpossible(row) || findAnswers(row).length > 0).length * 2 > rows.length,
  toCase: makeFactCase,
}

export const facts: Recipe = {
  name: 'facts',
  reads: 'a question with a short answer, or several that count (SimpleQA, TriviaQA, NQ-open, PopQA, StrategyQA, BBH)',
  systemPrompt: ANSWER_SHORTLY,
  recognises: (fields, rows) =>
    hasQuestion(fields) &&
    !SPANS.every((name) => fields.has(name)) &&
    rows.filter((row) => findQuestion(row) !== undefined && (isImpossible(row) || findAnswers(row).length > 0)).length *
      2 >
      rows.length,
  toCase: makeFactCase,
}
