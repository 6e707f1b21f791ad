import { InputError } from '../../../contract/index.ts'
import type { DatasetCase, Recipe } from '../recipe.ts'
import { findAnswers } from '../parts/answers.ts'
import { chooseKey, readKeyLetters, type KeyReading } from '../parts/key.ts'
import { findEmbeddedOptions, findOptions, writeOptions, type Options } from '../parts/options.ts'
import { findQuestion, writeQuestion, type AskedQuestion } from '../parts/question.ts'
import { askShortly } from '../parts/short-answer.ts'
import { looseName, type Row } from '../rows/row.ts'

export const ANSWER_WITH_LETTER = 'Choose the right option. End with a line that has only "Answer:" and its letter.'

/** The options of the row, or those in its question. */
function readOptions(row: Row): Options | undefined {
  const own = findOptions(row)
  if (own) return own
  const asked = findQuestion(row)
  return asked && findEmbeddedOptions(writeQuestion(asked))
}

/** A case from a question, its options and the letters of the right ones. */
export function makeChoiceCase(asked: AskedQuestion, options: Options, letters: string): DatasetCase {
  const { texts, isInQuestion } = options
  if (texts.length > 26) throw new InputError(`has ${texts.length} options; at most 26 have a letter`)
  const question = writeQuestion(asked)
  return {
    prompt: isInQuestion ? question : `${question}\n\n${writeOptions(texts)}`,
    scoringMethod: 'multiple-choice',
    choices: texts,
    expectedOutput: letters,
  }
}

/** Some datasets repeat the options in the question: they are asked once. */
function isRepeated(question: string, { texts }: Options): boolean {
  const inside = findEmbeddedOptions(question)
  return inside !== undefined && inside.texts.length === texts.length
}

const findKey = (row: Row) => row.table.once('key', (rows) => chooseKey(rows, readOptions))

function chooseAmong(row: Row, asked: AskedQuestion, options: Options, key: KeyReading): DatasetCase {
  const isAsked = options.isInQuestion || isRepeated(writeQuestion(asked), options)
  return makeChoiceCase(
    asked,
    { ...options, ...(isAsked && { isInQuestion: true }) },
    readKeyLetters(row, options, key),
  )
}

/** An open question among those with options: JEEBench and Humanity's Last Exam have both. */
function askOpenly(row: Row, asked: AskedQuestion): DatasetCase {
  const answers = findAnswers(row)
  const [answer] = answers
  if (answer === undefined || /^\(?[A-Z]\)?$/.test(answer)) throw new InputError('has no options')
  return askShortly(writeQuestion(asked), answers)
}

/** A question with options among open ones. */
export function askWithOptions(row: Row, asked: AskedQuestion): DatasetCase | undefined {
  const options = readOptions(row)
  const key = options && findKey(row)
  try {
    return key && chooseAmong(row, asked, options, key)
  } catch (error) {
    // What looks like options may be part of the question.
    if (error instanceof InputError) return undefined
    throw error
  }
}

const LEAST_LENGTH = 20

/** A question under a name that nobody knows, such as CaseHOLD's citing_prompt: the longest text beside options and key. */
function findUnnamedQuestion(row: Row): AskedQuestion | undefined {
  const name = row.table.once('unnamed question', (rows) => {
    const { used, names } = row.table
    const lengths = names
      .filter((column) => !used.has(column))
      .map((column) => {
        const texts = rows.map((one) => (typeof one.values[column] === 'string' ? one.values[column] : ''))
        return { column, length: texts.reduce((sum, text) => sum + text.length, 0) / rows.length }
      })
      .filter(({ length }) => length >= LEAST_LENGTH)
    return lengths.toSorted((a, b) => b.length - a.length)[0]?.column
  })
  const question = name === undefined ? undefined : row.text(looseName(name))
  return question === undefined ? undefined : { question }
}

export const multipleChoice: Recipe = {
  name: 'multiple-choice',
  reads: 'a question with options and the right one (MMLU, ARC, RACE, AGIEval, CommonsenseQA, MedQA …)',
  systemPrompt: ANSWER_WITH_LETTER,
  recognises(_fields, rows) {
    const key = rows.length > 0 ? rows[0]!.table.once('key', () => chooseKey(rows, readOptions)) : undefined
    if (!key) return false
    const readable = rows.filter((row) => {
      const options = readOptions(row)
      try {
        return options !== undefined && readKeyLetters(row, options, key) !== ''
      } catch {
        return false
      }
    })
    return readable.length * 2 > rows.length
  },
  toCase(row) {
    const options = readOptions(row)
    const key = options && findKey(row)
    const asked = findQuestion(row) ?? (key && findUnnamedQuestion(row))
    if (!asked) throw new InputError('has no question')
    if (!options) return askOpenly(row, asked)
    if (!key) throw new InputError('has no key that is one of its options')
    return chooseAmong(row, asked, options, key)
  },
}
