import { InputError, isRecord } from '../../../contract/index.ts'
import type { Recipe } from '../recipe.ts'
import { LETTERS } from '../parts/options.ts'
import type { Row } from '../rows/row.ts'
import { ANSWER_WITH_LETTER, makeChoiceCase } from './multiple-choice.ts'

interface Kind {
  needs: readonly string[]
  /** Fields that would make it another kind. */
  not?: readonly string[]
  /** The labels say true or false; numbers would be something else, such as the mood of the sentence. */
  isWorded?: boolean
  ask(row: Row): string
  /** What 0 and 1 stand for. */
  options: readonly [string, string]
}

const textOrNothing = (row: Row, name: string) => row.text(name) ?? ''

/** In `target`, as SuperGLUE's files have it, or in columns. */
function readSpan(row: Row, number: 1 | 2): string {
  const target = row.structure('target')
  const text: unknown = isRecord(target) ? target[`span${number}_text`] : row.text(`span${number}text`)
  if (typeof text !== 'string') throw new InputError(`has no span${number}_text`)
  return text
}

const askCoreference = (row: Row) =>
  `${textOrNothing(row, 'text')}\n\nDoes "${readSpan(row, 2)}" stand for "${readSpan(row, 1)}" here?`

const OF_TWO_TEXTS = ['question', 'context', 'passage', 'premise', 'hypothesis', 'sentence1', 'sentence2', 'choices']

/** Datasets that ask whether something is so, without asking it. */
const KINDS: readonly Kind[] = [
  {
    needs: ['word', 'sentence1', 'sentence2', 'label'],
    ask: (row) =>
      `1: ${textOrNothing(row, 'sentence1')}\n2: ${textOrNothing(row, 'sentence2')}\n\nHas the word "${textOrNothing(row, 'word')}" the same meaning in both sentences?`,
    options: ['No', 'Yes'],
  },
  {
    needs: ['word', 'context1', 'context2', 'label'],
    ask: (row) =>
      `1: ${textOrNothing(row, 'context1')}\n2: ${textOrNothing(row, 'context2')}\n\nHas the word "${textOrNothing(row, 'word')}" the same meaning in both sentences?`,
    options: ['No', 'Yes'],
  },
  {
    needs: ['statement', 'tabletext', 'label'],
    ask: (row) =>
      `${textOrNothing(row, 'tablecaption')}\n\n${textOrNothing(row, 'tabletext')}\n\nIs this right, by the table?\n\n${textOrNothing(row, 'statement')}`.trim(),
    options: ['No', 'Yes'],
  },
  { needs: ['text', 'target', 'label'], not: ['question', 'input'], ask: askCoreference, options: ['No', 'Yes'] },
  { needs: ['text', 'span1text', 'span2text', 'label'], ask: askCoreference, options: ['No', 'Yes'] },
  {
    needs: ['paragraph', 'question', 'answer', 'label'],
    ask: (row) =>
      `${textOrNothing(row, 'paragraph')}\n\nQuestion: ${textOrNothing(row, 'question')}\nAnswer: ${textOrNothing(row, 'answer')}\n\nIs this answer right?`,
    options: ['No', 'Yes'],
  },
  {
    needs: ['question', 'sentence', 'label'],
    not: ['answer', 'choices', 'options', 'option1'],
    ask: (row) =>
      `Question: ${textOrNothing(row, 'question')}\nSentence: ${textOrNothing(row, 'sentence')}\n\nDoes the sentence contain the answer to the question?`,
    options: ['Yes', 'No'],
  },
  {
    needs: ['question1', 'question2', 'label'],
    ask: (row) =>
      `1: ${textOrNothing(row, 'question1')}\n2: ${textOrNothing(row, 'question2')}\n\nDo both questions ask the same?`,
    options: ['No', 'Yes'],
  },
  {
    needs: ['question1', 'question2', 'isduplicate'],
    ask: (row) =>
      `1: ${textOrNothing(row, 'question1')}\n2: ${textOrNothing(row, 'question2')}\n\nDo both questions ask the same?`,
    options: ['No', 'Yes'],
  },
  ...['sentence', 'statement'].map((name) => ({
    needs: [name, 'label'],
    not: OF_TWO_TEXTS,
    isWorded: true,
    ask: (row: Row) => `Is this true?\n\n${textOrNothing(row, name)}`,
    options: ['No', 'Yes'] as const,
  })),
]

const ZERO = new Set(['0', 'false', 'entailment', 'notaduplicate', 'notduplicate'])
const ONE = new Set(['1', 'true', 'notentailment', 'aduplicate', 'duplicate'])

function readVerdict(row: Row): 0 | 1 {
  const label = (row.text('label', 'isduplicate') ?? '').toLowerCase().replaceAll(/[^a-z\d]/g, '')
  if (ZERO.has(label)) return 0
  if (ONE.has(label)) return 1
  throw new InputError(
    `has no label that says yes or no (${label === '' ? 'empty' : label}); test splits often hide them`,
  )
}

const findKind = (fields: ReadonlySet<string>) =>
  KINDS.find(({ needs, not = [] }) => needs.every((name) => fields.has(name)) && !not.some((name) => fields.has(name)))

export const judgments: Recipe = {
  name: 'judgments',
  reads: 'whether something is so (WiC, WSC, QNLI, QQP, MultiRC, CREAK)',
  systemPrompt: ANSWER_WITH_LETTER,
  recognises(fields, rows) {
    const kind = findKind(fields)
    if (!kind) return false
    const labels = rows.map((row) => row.text('label', 'isduplicate')?.toLowerCase())
    if (kind.isWorded) return labels.every((label) => label === undefined || /^(?:true|false)$/.test(label))
    return labels.every(
      (label) => label === undefined || /^(?:[01]|-1|true|false|(?:not.)?(?:entailment|(?:a )?duplicate))$/.test(label),
    )
  },
  toCase(row) {
    const kind = findKind(row.table.fields)
    if (!kind) throw new InputError('is not one of the kinds that ask whether something is so')
    const texts = [...kind.options]
    return makeChoiceCase({ question: kind.ask(row) }, { texts, source: 'judgments' }, LETTERS[readVerdict(row)]!)
  },
}
