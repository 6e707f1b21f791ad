import { InputError } from '../../../contract/index.ts'
import type { Recipe } from '../recipe.ts'
import { chooseKey, readKeyLetters } from '../parts/key.ts'
import { findOptions } from '../parts/options.ts'
import type { Row } from '../rows/row.ts'
import { ANSWER_WITH_LETTER, makeChoiceCase } from './multiple-choice.ts'

interface Kind {
  needs: readonly string[]
  ask(row: Row): string
}

const joinTexts = (row: Row, ...names: string[]) => names.flatMap((name) => row.text(name) ?? []).join(' ')

const askForEnd = (row: Row) =>
  `How does the story end?\n\n${joinTexts(row, 'inputsentence1', 'inputsentence2', 'inputsentence3', 'inputsentence4')}`

/** Datasets in which the task goes without saying; here it is said. */
const KINDS: readonly Kind[] = [
  {
    needs: ['endings', 'ctx'],
    ask: (row) =>
      `How does the text go on best?\n\n${[row.text('activitylabel'), row.text('ctx')].flatMap((text) => text ?? []).join(': ')}`,
  },
  {
    needs: ['ending0', 'ending1'],
    ask(row) {
      const text = row.text('startphrase') ?? joinTexts(row, 'sent1', 'sent2')
      return text.endsWith('?') ? text : `How does the text go on best?\n\n${text}`
    },
  },
  {
    needs: ['sentence', 'option1', 'option2'],
    ask: (row) => `Which option fills the blank (_)?\n\n${joinTexts(row, 'sentence')}`,
  },
  {
    needs: ['goal', 'sol1', 'sol2'],
    ask: (row) => `Which is the better way to reach the goal?\n\n${joinTexts(row, 'goal')}`,
  },
  {
    needs: ['premise', 'choice1', 'choice2'],
    ask: (row) =>
      `${joinTexts(row, 'premise')}\n\n${row.text('question', 'asksfor') === 'cause' ? 'What was the cause of this?' : 'What happened as a result?'}`,
  },
  {
    needs: ['premise', 'alternative1', 'alternative2'],
    ask: (row) =>
      `${joinTexts(row, 'premise')}\n\n${/cause|원인/i.test(joinTexts(row, 'question', 'asksfor')) ? 'What was the cause of this?' : 'What happened as a result?'}`,
  },
  {
    needs: ['premise', 'hypothesis1', 'hypothesis2'],
    ask: (row) =>
      `${joinTexts(row, 'premise')}\n\n${row.text('askfor', 'question') === 'cause' ? 'What was the cause of this?' : 'What happened as a result?'}`,
  },
  {
    needs: ['obs1', 'obs2', 'hyp1', 'hyp2'],
    ask: (row) =>
      `What most likely happened in between?\n\nBefore: ${joinTexts(row, 'obs1')}\nAfter: ${joinTexts(row, 'obs2')}`,
  },
  {
    needs: ['inputsentence1', 'randomfifthsentencequiz1', 'randomfifthsentencequiz2'],
    ask: askForEnd,
  },
  {
    needs: ['inputsentence1', 'sentencequiz1', 'sentencequiz2'],
    ask: askForEnd,
  },
]

const findKind = (fields: ReadonlySet<string>) => KINDS.find(({ needs }) => needs.every((name) => fields.has(name)))

export const completions: Recipe = {
  name: 'completions',
  reads: 'a text and its possible continuations (HellaSwag, SWAG, WinoGrande, PIQA, COPA, e-CARE, StoryCloze)',
  systemPrompt: ANSWER_WITH_LETTER,
  recognises: (fields) => findKind(fields) !== undefined,
  toCase(row) {
    const kind = findKind(row.table.fields)
    if (!kind) throw new InputError('is not one of the kinds with continuations')
    const options = findOptions(row)
    if (!options) throw new InputError('has no options')
    const key = row.table.once('key', (rows) => chooseKey(rows, findOptions))
    if (!key) throw new InputError('has no key that is one of its options')
    return makeChoiceCase({ question: kind.ask(row) }, options, readKeyLetters(row, options, key))
  },
}
