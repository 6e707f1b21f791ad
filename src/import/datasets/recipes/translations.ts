import { InputError, isRecord } from '../../../contract/index.ts'
import type { Recipe } from '../recipe.ts'
import { toText, type Row } from '../rows/row.ts'

/** A text in one language, and what it is in another; codes such as `de`, `eng_Latn` or `en-de` as the dataset has them. */
interface Pair {
  from?: string | undefined
  to?: string | undefined
  source: string
  target: string
}

const CODE = /^[a-z]{2,3}(?:[_-][A-Za-z]{2,4})?$/

function nameLanguage(code: string): string {
  const known = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  try {
    return known.of(code.replace('_', '-')) ?? code
  } catch {
    return code
  }
}

/** WMT and OPUS: `{ translation: { de: …, en: … } }`. The last language is asked for. */
function readTranslation(row: Row): Pair | undefined {
  const value = row.structure('translation')
  if (!isRecord(value)) return undefined
  const [first, second] = Object.entries(value).filter(([code, text]) => CODE.test(code) && toText(text) !== undefined)
  return first && second && { from: first[0], to: second[0], source: toText(first[1])!, target: toText(second[1])! }
}

/** FLORES: a column a language, `sentence_eng_Latn`. */
function readColumns(row: Row): Pair | undefined {
  const columns = row.table.names.flatMap((name) => {
    const code = /^(?:sentence|text)_([a-z]{2,3}(?:_[A-Z][a-z]{3})?)$/.exec(name)?.[1]
    return code === undefined ? [] : [{ name, code }]
  })
  const [first, second] = columns
  if (!first || !second) return undefined
  const [source, target] = [first, second].map(({ name }) => row.text(name.toLowerCase().replaceAll(/[\s_-]/g, '')))
  return source === undefined || target === undefined
    ? undefined
    : { from: first.code, to: second.code, source, target }
}

const SOURCES = ['source', 'src', 'sourcetext', 'sourcesentence']
const TARGETS = ['target', 'tgt', 'ref', 'reference', 'targettext', 'translation', 'refa', 'targetsentence']

/** WMT24++: `source` and `target`, with the pair of languages in `lp`. */
function readNamed(row: Row): Pair | undefined {
  const [source, target] = [row.text(...SOURCES), row.text(...TARGETS)]
  const named = row.text('lp', 'langpair', 'languagepair', 'langs')
  const [, first, second] = /^([a-z]{2,3}(?:_[A-Z]{2})?)-([a-z]{2,3}(?:_[A-Z]{2})?)$/.exec(named ?? '') ?? []
  const from = first ?? row.text('sourcelanguage', 'sourcelang', 'srclang')
  const to = second ?? row.text('targetlanguage', 'targetlang', 'tgtlang')
  return source === undefined || target === undefined || to === undefined ? undefined : { from, to, source, target }
}

const readPair = (row: Row) => readTranslation(row) ?? readColumns(row) ?? readNamed(row)

export const translations: Recipe = {
  name: 'translations',
  reads: 'a text to translate (WMT, FLORES, OPUS)',
  systemPrompt: 'Answer with the translation alone.',
  recognises: (_fields, rows) => rows.length > 0 && rows.filter((row) => readPair(row)).length * 2 > rows.length,
  toCase(row) {
    const pair = readPair(row)
    if (!pair) throw new InputError('has no text with its translation')
    const { from, to, source, target } = pair
    const languages = [
      from === undefined ? '' : ` from ${nameLanguage(from)}`,
      to === undefined ? '' : ` into ${nameLanguage(to)}`,
    ]
    return {
      prompt: `Translate this${languages.join('')}:\n\n${source}`,
      scoringMethod: 'text-overlap',
      metric: 'chrf',
      expectedOutput: target,
    }
  },
}
