import { InputError } from '../../../contract/index.ts'
import type { Recipe } from '../recipe.ts'
import { joinPassage } from '../parts/question.ts'
import { LETTERS } from '../parts/options.ts'
import { toText, type Row } from '../rows/row.ts'
import { NUMBERED_LABEL } from './labels.ts'
import { ANSWER_WITH_LETTER, makeChoiceCase } from './multiple-choice.ts'

const THREE = ['entailment', 'neutral', 'contradiction']
const TWO = ['entailment', 'not entailment']
const VERDICTS = ['SUPPORTS', 'REFUTES', 'NOT ENOUGH INFO']

const LABELS = ['label', 'claimlabel', 'goldlabel', 'entailmentjudgment', 'answer', 'verdict', 'target']
const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')

/** The labels of the whole dataset: words as they are, or numbers and letters by their usual meaning. */
function listLabels(rows: readonly Row[]): string[] {
  const found = [...new Set(rows.flatMap((row) => toText(row.get(...LABELS)) ?? []))].filter(
    (label) => label !== '-1' && label !== '-',
  )
  // How alike two texts are, from 0 to 5, is no name.
  if (found.some((label) => /^\d+\.\d*[1-9]/.test(label))) return []
  if (found.every((label) => /^[0-2](?:\.0)?$/.test(label)))
    // RTE and MRPC have the same columns, and their numbers mean different things.
    return rows[0]!.has('sentence1')
      ? []
      : found.some((label) => label.startsWith('2')) || rows[0]!.has('reason')
        ? THREE
        : TWO
  if (found.every((label) => THREE.some((word) => word === label.toLowerCase() || word[0] === label.toLowerCase())))
    return THREE
  if (found.every((label) => VERDICTS.some((verdict) => lettersOf(verdict) === lettersOf(label)))) return VERDICTS
  if (found.some((label) => /^not.?entail/i.test(label))) return TWO
  return found.sort()
}

function indexOfLabel(label: string, labels: readonly string[]): number {
  if (/^\d(?:\.0)?$/.test(label)) return Number(label)
  const exact = labels.findIndex((name) => lettersOf(name) === lettersOf(label))
  return exact >= 0 ? exact : labels.findIndex((name) => name[0]!.toLowerCase() === label.toLowerCase())
}

const PAIRS = [
  ['premise', 'hypothesis'],
  ['context', 'hypothesis'],
  ['sentence1', 'sentence2'],
  ['text', 'hypothesis'],
  ['premises', 'conclusion'],
]

export const entailment: Recipe = {
  name: 'entailment',
  reads: 'a statement that follows from a text, or not (ANLI, MNLI, SNLI, RTE, MRPC, FEVER, FOLIO)',
  systemPrompt: ANSWER_WITH_LETTER,
  recognises: (fields) =>
    LABELS.some((name) => fields.has(name)) &&
    !fields.has('choice1') &&
    (PAIRS.some((pair) => pair.every((name) => fields.has(name))) ||
      (fields.has('claim') && (fields.has('label') || fields.has('claimlabel')))),
  toCase(row) {
    const labels = row.table.once('labels', listLabels)
    const label = toText(row.get(...LABELS))
    if (labels.length === 0) throw new InputError(NUMBERED_LABEL)
    const place = label === undefined ? -1 : indexOfLabel(label, labels)
    if (place < 0 || place >= labels.length)
      throw new InputError(`has no label (${label ?? 'empty'}); test splits often hide them`)
    const claim = row.text('claim')
    const pair = PAIRS.find((names) => names.every((name) => row.has(name)))
    if (claim === undefined && !pair) throw new InputError('has no pair of texts')
    const evidence = joinPassage(row.get('evidence', 'evidences', 'evidencetext', 'context'))
    const [text, statement] = pair ? [row.get(pair[0]!), row.text(pair[1]!)] : [evidence, claim]
    const written = (Array.isArray(text) ? text.flatMap((part) => toText(part) ?? []).join(' ') : toText(text)) ?? ''
    const isComparison = ![THREE, TWO, VERDICTS].includes(labels) && pair?.[0] === 'sentence1'
    if (isComparison)
      return makeChoiceCase(
        { question: `How do these texts relate?\n\n1: ${written}\n2: ${statement ?? ''}` },
        { texts: labels, source: 'labels' },
        LETTERS[place]!,
      )
    const asked =
      claim === undefined || written !== ''
        ? `${written}\n\nWhat does this say about the statement: ${statement ?? ''}`
        : `Is this claim right, by what is known?\n\n${claim}`
    return makeChoiceCase({ question: asked }, { texts: labels, source: 'labels' }, LETTERS[place]!)
  },
}
