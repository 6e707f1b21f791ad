import { InputError, isRecord } from '../../../contract/index.ts'
import type { Recipe } from '../recipe.ts'
import { countWords, listAnswers } from '../parts/answers.ts'
import { askWith, isConversation, readMessages, type DatasetMessage } from '../parts/messages.ts'
import { toText, type Row } from '../rows/row.ts'

const HISTORIES = ['conversationinput', 'conversation', 'conversations']

/** MT-Bench has texts, Arena-Hard objects with a content. */
function readTurns(turns: readonly unknown[]): DatasetMessage[] {
  return turns.map((turn) => {
    const content = toText(isRecord(turn) ? turn['content'] : turn)
    if (content === undefined) throw new InputError('has a turn without text')
    return { role: 'user', content }
  })
}

function readAsked(row: Row): readonly DatasetMessage[] {
  const turns = row.structure('turns')
  if (Array.isArray(turns)) return readTurns(turns)
  const history = row.structure(...HISTORIES)
  if (isConversation(history)) {
    const messages = readMessages(history)
    // What a model answered at the end is what is asked for here.
    return messages.at(-1)?.role === 'assistant' ? messages.slice(0, -1) : messages
  }
  const text = row.text('instruction', 'prompt', 'text', 'question')
  if (text === undefined) throw new InputError('has no prompt')
  const input = row.text('input')
  return [{ role: 'user', content: input === undefined ? text : `${text}\n\n${input}` }]
}

const SHORT = 5

/** Alpaca's outputs are texts; one or two words are a label, which is compared. */
function areOutputsLong(rows: readonly Row[]): boolean {
  const words = rows.map((row) => countWords(row.text('output') ?? '')).sort((a, b) => a - b)
  return words[Math.floor(words.length / 2)]! > SHORT
}

/** `generator` is who wrote AlpacaEval's outputs: answers to compare with, not right ones. */
export const conversations: Recipe = {
  name: 'conversations',
  reads: 'open questions for a judge (MT-Bench, Arena-Hard, AlpacaEval, WildBench)',
  recognises: (fields, rows) =>
    (fields.has('turns') && !fields.has('groundtruth')) ||
    fields.has('conversationinput') ||
    (fields.has('instruction') &&
      (fields.has('generator') || (fields.has('output') && fields.has('input') && areOutputsLong(rows)))) ||
    (fields.has('prompt') && fields.has('category') && fields.has('subcategory') && !fields.has('answer')) ||
    (fields.has('text') &&
      fields.has('questionid') &&
      fields.has('category') &&
      !fields.has('answer') &&
      !fields.has('label')),
  toCase(row) {
    const messages = readAsked(row)
    const references = row.has('generator') ? [] : listAnswers(row.get('reference', 'referenceanswer', 'output'))
    return {
      ...askWith(messages),
      scoringMethod: 'llm-judge',
      ...(references.length > 0 && { expectedOutput: references.join('\n\n') }),
    }
  },
}
