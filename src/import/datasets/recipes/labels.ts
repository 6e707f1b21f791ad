import { InputError } from '../../../contract/index.ts'
import type { Recipe } from '../recipe.ts'
import { LETTERS } from '../parts/options.ts'
import { askShortly } from '../parts/short-answer.ts'
import type { Row } from '../rows/row.ts'
import { ANSWER_WITH_LETTER, makeChoiceCase } from './multiple-choice.ts'

const TEXTS = [
  'text',
  'sentence',
  'review',
  'content',
  'tweet',
  'headline',
  'comment',
  'utterance',
  'utt',
  'question',
  'prompt',
]
const LABELS = [
  'labeltext',
  'labeldesc',
  'labeldes',
  'labelname',
  'coarselabel',
  'finelabel',
  'correctlabel',
  'label',
  'sentiment',
  'intent',
  'class',
  'emotion',
  'topic',
  'category',
  'answer',
]
const MOST_LABELS = 300

const SURE = LABELS.length - 3

export const NUMBERED_LABEL =
  'its label is a number, and the file does not say what it means; name a column with words: --map expectedOutput=COLUMN'

function listLabels(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => row.text(...LABELS) ?? []))].sort()
}

/** A column of a usual name, or the only other one that holds text. */
function findText(row: Row): string | undefined {
  const named = row.text(...TEXTS)
  if (named !== undefined) return named
  const others = [...row.table.fields].filter((name) => !OWN.has(name) && typeof row.get(name) === 'string')
  return others.length === 1 ? row.text(...others) : undefined
}

/** A topic or category beside other columns describes the text; alone with it, it is the label. */
function hasLabel(fields: ReadonlySet<string>): boolean {
  return LABELS.slice(0, SURE).some((name) => fields.has(name)) || [...fields].every((name) => OWN.has(name))
}

const OWN = new Set([...TEXTS, ...LABELS, 'id', 'index', 'idx', 'split'])

/** A person can choose a label only among those there are, so they are the options. */
export const labels: Recipe = {
  name: 'labels',
  reads: 'a text and its label, one of a few (SST-2, AG News, intents)',
  systemPrompt: ANSWER_WITH_LETTER,
  recognises(fields, rows) {
    if (!LABELS.some((name) => fields.has(name)) || !hasLabel(fields)) return false
    if (rows.some((row) => findText(row) === undefined)) return false
    if (['answers', 'target', 'ideal'].some((name) => fields.has(name))) return false
    const found = rows[0]!.table.once('labels', listLabels)
    // LegalBench and XSTest: answers, or what stands beside a prompt, are labels if they are few and come again and again.
    const isUnclear = fields.has('answer') || fields.has('prompt')
    if (isUnclear && (fields.has('question') || found.length * 2 > rows.length)) return false
    return found.length >= 2 && found.length <= MOST_LABELS && found.length < rows.length
  },
  toCase(row) {
    const text = findText(row)
    if (text === undefined) throw new InputError('has no text')
    const found = row.table.once('labels', listLabels)
    if (found.every((label) => /^-?\d+$/.test(label))) throw new InputError(NUMBERED_LABEL)
    const label = row.text(...LABELS) ?? ''
    const place = found.indexOf(label)
    if (place < 0) throw new InputError('has no label')
    const question = `Which label fits this text?\n\n${text}`
    // More labels than letters are named by their words.
    if (found.length > LETTERS.length) return askShortly(`${question}\n\nThe labels: ${found.join(', ')}`, [label])
    return makeChoiceCase({ question }, { texts: found, source: 'labels' }, LETTERS[place]!)
  },
}
