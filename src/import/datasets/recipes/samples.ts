import { InputError } from '../../../contract/index.ts'
import type { DatasetCase, Recipe } from '../recipe.ts'
import { countWords, findFinalAnswer, isMathematical, listAnswers, trimMathematical } from '../parts/answers.ts'
import { chooseKey, readKeyLetters } from '../parts/key.ts'
import { askWith, isConversation, readMessages, type DatasetMessage } from '../parts/messages.ts'
import { findEmbeddedOptions, findOptions, writeOptions, type Options } from '../parts/options.ts'
import { scoreShortAnswer } from '../parts/short-answer.ts'
import type { Row } from '../rows/row.ts'

const INPUTS = ['input', 'messages', 'prompt', 'conversation', 'conversations', 'question']
const TARGETS = ['ideal', 'target', 'answer', 'expected', 'reference', 'groundtruth', 'label']

/** The words from which a right answer is no short one. */
export const LONG_ANSWER = 20

function readConversation(row: Row): DatasetMessage[] | undefined {
  const value = INPUTS.map((name) => row.structure(name)).find((found) => isConversation(found))
  return value && readMessages(value)
}

/** Options of a field of their own, or those in the last message. */
function readSampleOptions(row: Row): Options | undefined {
  return findOptions(row) ?? findEmbeddedOptions(readConversation(row)?.at(-1)?.content ?? '')
}

const areLong = (rows: readonly Row[]) => {
  const words = rows.map((row) => countWords(listAnswers(row.get(...TARGETS))[0] ?? '')).sort((a, b) => a - b)
  return words[Math.floor(words.length / 2)]! > LONG_ANSWER
}

/** Single letters, such as Y and N, are no results. */
const areMathematical = (rows: readonly Row[]) => {
  const answers = rows.map((row) => listAnswers(row.get(...TARGETS))[0] ?? '')
  return (
    answers.filter((answer) => isMathematical(answer)).length >= 0.8 * rows.length &&
    answers.some((answer) => /[^A-Za-z]/.test(answer))
  )
}

const MOSTLY = 0.8

/** The last message works the answer out and says it at the end, in a box or after ####, as in sets to train on. */
const areWorkedOut = (rows: readonly Row[]) =>
  rows.filter((row) => {
    const last = readConversation(row)?.at(-1)
    const final = last?.role === 'assistant' ? findFinalAnswer(last.content) : undefined
    return final !== undefined && isMathematical(trimMathematical(final))
  }).length >=
  MOSTLY * rows.length

/** The dataset's own messages say how to answer, so the suite has no system prompt. */
export const samples: Recipe = {
  name: 'samples',
  reads: 'chat messages with the ideal answer (OpenAI evals, Inspect)',
  recognises: (_fields, rows) =>
    rows.length > 0 && rows.every((row) => INPUTS.some((name) => isConversation(row.structure(name)))),
  toCase(row): DatasetCase {
    const messages = readConversation(row)
    if (!messages) throw new InputError('has no messages')
    const ideal = listAnswers(row.get(...TARGETS))
    // A dataset for training has the answer as the last message.
    const asked = messages.at(-1)!.role === 'assistant' ? messages.slice(0, -1) : messages
    const said = ideal.length > 0 ? ideal : asked.length < messages.length ? [messages.at(-1)!.content] : []
    if (asked.length === 0) throw new InputError('has no message of the user')
    if (said.length === 0) return { ...askWith(asked), scoringMethod: 'llm-judge' }
    if (ideal.length === 0 && row.table.once('worked out', areWorkedOut)) {
      const final = trimMathematical(findFinalAnswer(said[0]!) ?? '')
      if (final === '') throw new InputError('has no final answer')
      return { ...askWith(asked), scoringMethod: 'math', expectedOutput: final }
    }
    const options = readSampleOptions(row)
    const key = row.table.once('sample key', (rows) => chooseKey(rows, readSampleOptions))
    if (options && key) {
      const last = asked.at(-1)!
      const shown = options.isInQuestion
        ? asked
        : [...asked.slice(0, -1), { ...last, content: `${last.content}\n\n${writeOptions(options.texts)}` }]
      return {
        ...askWith(shown),
        scoringMethod: 'multiple-choice',
        choices: options.texts,
        expectedOutput: readKeyLetters(row, options, key),
      }
    }
    if (said.length === 1 && isMathematical(said[0]!) && row.table.once('mathematical', areMathematical))
      return { ...askWith(asked), scoringMethod: 'math', expectedOutput: trimMathematical(said[0]!) }
    return {
      ...askWith(asked),
      ...(row.table.once('long answers', areLong)
        ? { scoringMethod: 'llm-judge', expectedOutput: said[0] }
        : scoreShortAnswer(said)),
    }
  },
}
