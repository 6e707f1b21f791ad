import fieldNames from '../field-names.json' with { type: 'json' }
import { isRecord } from '../../../contract/index.ts'
import labelNames from '../label-names.json' with { type: 'json' }
import { findLabelNames, findTask, nameLabels, nameParts, reshapeRow } from './reshape.ts'
import { looseName } from './row.ts'

export interface RawRow {
  values: Record<string, unknown>
  place: string
}

type Fields = Record<string, unknown>

const isRows = (value: unknown): value is Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isRecord(item))

/** Columns instead of rows: `{ question: [...], answer: [...] }`, or pandas' `{ question: { "0": … } }`. */
function fromColumns(value: Fields): Fields[] | undefined {
  const columns = Object.entries(value)
  const lists = columns.map(([name, column]): [string, unknown[]] => [
    name,
    Array.isArray(column) ? column : isRecord(column) ? Object.values(column) : [],
  ])
  const length = lists[0]?.[1].length ?? 0
  if (columns.length < 2 || length === 0 || lists.some(([, list]) => list.length !== length)) return undefined
  // Objects with other keys than row numbers are rows by id.
  if (columns.some(([, column]) => isRecord(column) && !Object.keys(column).every((key) => /^\d+$/.test(key))))
    return undefined
  const keys = columns.map(([, column]) => (isRecord(column) ? Object.keys(column).join('\n') : ''))
  if (new Set(keys).size > 1 || lists.every(([, list]) => list.every((item) => isRecord(item)))) return undefined
  return Array.from({ length }, (_, index) => Object.fromEntries(lists.map(([name, list]) => [name, list[index]])))
}

const ASKED = new Set(['question', 'prompt', 'problem', 'input', 'query', 'instruction'])

const isAsked = (row: Fields) => Object.keys(row).some((name) => ASKED.has(looseName(name)))

/** Lists of questions by subject, each also below a key of its own: all of them, in the category of their key. */
function joinSubjects(document: Fields): Fields[] | undefined {
  const entries = Object.entries(document)
  const subjects = entries.map(([category, value]) => {
    const rows = isRecord(value) && !isAsked(value) && isWrapped(value) ? findRecords(value) : value
    return isRows(rows) && rows.every(isAsked) ? rows.map((row) => ({ category, ...row })) : undefined
  })
  return entries.length > 1 && subjects.every((rows) => rows !== undefined) ? subjects.flat() : undefined
}

/** The rows under a usual name, those for tests first, else the longest list. */
function chooseList(document: Fields, lists: readonly Fields[][]): Fields[] {
  const named = Object.entries(document).flatMap(([name, value]) =>
    WRAPPERS.has(name.toLowerCase()) && isRows(value) ? [{ name: name.toLowerCase(), value }] : [],
  )
  const test = named.find(({ name }) => name === 'test')
  if (test) return test.value
  const candidates = named.length > 0 ? named.map(({ value }) => value) : lists
  return candidates.reduce((longest, list) => (list.length > longest.length ? list : longest))
}

/** What the document says of all its rows: the task, and the words of labels. */
function addDocumentFacts(rows: readonly Fields[], document: Fields): Fields[] {
  const task = findTask(document)
  const names = findLabelNames(document)
  return rows.map((row) => {
    const inner = row['row']
    const named = isRecord(inner) ? { ...row, row: nameLabels(inner, names) } : nameLabels(row, names)
    return task === undefined ? named : { ...named, task_prefix: task }
  })
}

const ROW_FIELDS = new Set(fieldNames.rowFields)

const WRAPPERS = new Set([
  'examples',
  'data',
  'rows',
  'questions',
  'instances',
  'samples',
  'items',
  'test',
  'dev',
  'train',
])

/** A single line of JSON that holds rows, and is none. */
export function isWrapped(document: unknown): boolean {
  return (
    Array.isArray(document) ||
    (isRecord(document) &&
      Object.entries(document).some(([name, value]) => WRAPPERS.has(name.toLowerCase()) && isRows(value)))
  )
}

const isCell = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** A table of lists, the first of which may name the columns; two columns without names ask and answer. */
function fromLists(lists: readonly unknown[], names?: readonly unknown[]): Fields[] | undefined {
  const [first] = lists
  const isTable =
    Array.isArray(first) &&
    first.length > 1 &&
    lists.every((list) => Array.isArray(list) && list.length === first.length && list.every(isCell))
  if (!isTable) return undefined
  const isHeader = first.some((name) => typeof name === 'string' && ROW_FIELDS.has(looseName(name)))
  const columns = names ?? (isHeader ? first : first.length === 2 ? ['question', 'answer'] : undefined)
  const rows = names === undefined && isHeader ? lists.slice(1) : lists
  return columns?.length === first.length
    ? (rows as unknown[][]).map((row) => Object.fromEntries(columns.map((name, at) => [String(name), row[at]])))
    : undefined
}

/** `{ "Who …?": "Ann", "Where …?": "Oslo" }` */
function fromPairs(document: Fields): Fields[] | undefined {
  const entries = Object.entries(document)
  const asked = entries.filter(([question]) => /[?？؟]\s*$/.test(question))
  return entries.length > 1 && asked.length * 2 > entries.length && entries.every(([, answer]) => isCell(answer))
    ? entries.map(([question, answer]) => ({ question, answer }))
    : undefined
}

/** Rows that a JSON document holds: a list, a list below one of its keys, objects by id, or columns. */
export function findRecords(document: unknown): Fields[] | undefined {
  if (isRows(document)) return document
  const parts = Array.isArray(document) ? document.map(nameParts) : []
  if (parts.length > 0 && parts.every((row) => row !== undefined)) return parts
  if (Array.isArray(document)) return fromLists(document)
  if (!isRecord(document)) return undefined
  // pandas' orientation "split".
  const { columns: names, data } = document
  const table = Array.isArray(names) && Array.isArray(data) ? fromLists(data, names) : fromPairs(document)
  if (table) return table
  // A single row, whose lists are its options or the questions about its passage.
  if (Object.entries(document).some(([name, value]) => typeof value === 'string' && ROW_FIELDS.has(looseName(name))))
    return [document]
  // QASPER: an article with its questions.
  if (isRows(document['qas']) && PASSAGES.some((name) => name in document)) return [document]
  const isUsual = Object.keys(document).some((name) => WRAPPERS.has(name.toLowerCase()))
  const subjects = isUsual ? undefined : joinSubjects(document)
  if (subjects) return subjects
  const lists = Object.values(document).filter((value) => isRows(value))
  if (lists.length > 0) return addDocumentFacts(chooseList(document, lists), document)
  const columns = fromColumns(document)
  if (columns) return columns
  const entries = Object.entries(document)
  if (entries.length === 1 && isRecord(entries[0]![1])) return findRecords(entries[0]![1]) ?? undefined
  return entries.length > 1 && entries.every(([, value]) => isRecord(value))
    ? entries.map(([id, value]) => ({ id, ...(value as Fields) }))
    : undefined
}

const PASSAGES = [
  'passage',
  'context',
  'article',
  'story',
  'paragraph',
  'narrative',
  'full_text',
  'paragraphs',
  'context_text',
  'background',
  'text',
]
const GROUPS = ['qas', 'qa_pairs', 'questions', 'qa']

/** A row of the Hugging Face viewer, or of lm-evaluation-harness, holds the dataset's row under one key. */
function unwrapRow(values: Fields): Fields {
  for (const key of ['row', 'doc']) {
    const inner = values[key]
    if (isRecord(inner) && (key === 'row' ? 'row_idx' in values : 'doc_id' in values)) return inner
  }
  // Opik and others keep what is theirs beside the row.
  const isRow = (fields: Fields) => Object.keys(fields).some((name) => ROW_FIELDS.has(looseName(name)))
  const held = ['data', 'example', 'sample', 'fields', 'record'].map((name) => values[name]).find(isRecord)
  if (held && isRow(held) && !isRow(values)) return unwrapRow({ ...values, ...held })
  // MathOdyssey: `{ Problem_1: { question, answer } }` a line.
  const [[id, only] = ['', undefined], ...others] = Object.entries(values)
  if (others.length === 0 && isRecord(only) && isRow(only)) return unwrapRow(/\d/.test(id) ? { id, ...only } : only)
  // ARC, OpenBookQA and CommonsenseQA keep stem and choices inside the question.
  const { question } = values
  if (isRecord(question) && 'stem' in question) return { ...values, ...question, question: question['stem'] }
  return isRecord(question) && typeof question['text'] === 'string' ? { ...values, question: question['text'] } : values
}

/** QuAC: a question needs those before it, with their answers. */
function askInTurn(before: readonly Fields[], { question }: Fields): string {
  const turns = before.map((turn) => {
    const [answer] = Array.isArray(turn['answers']) ? (turn['answers'] as unknown[]) : []
    return `Q: ${String(turn['question'])}\nA: ${isRecord(answer) ? String(answer['text']) : ''}`
  })
  return [...turns, turns.length === 0 ? String(question) : `Q: ${String(question)}`].join('\n')
}

/** Questions that share a passage become rows of their own, in one cluster. */
function expandGroups(values: Fields): Fields[] | undefined {
  if (
    isRows(values['paragraphs']) &&
    values['paragraphs'].some((paragraph) => GROUPS.some((name) => name in paragraph))
  )
    return values['paragraphs'].flatMap((paragraph, index) => {
      const title = typeof values['title'] === 'string' ? values['title'] : ''
      return expandGroups({ ...paragraph, cluster: `${title || 'passage'} ${index + 1}`.trim() }) ?? []
    })
  const passage = PASSAGES.find((name) => typeof values[name] === 'string' || isRows(values[name]))
  const group = GROUPS.find((name) => Array.isArray(values[name]))
  if (passage === undefined || group === undefined) return undefined
  const { [group]: asked, ...shared } = values
  const id = ['id', 'example_id', 'passage_id', 'context_id', '_id', 'filename']
    .map((name) => shared[name])
    .find((name) => typeof name === 'string')
  const cluster = shared['cluster'] ?? id
  const common = { ...shared, ...(cluster !== undefined && { cluster }) }
  if (isRows(asked)) {
    const { answers } = shared
    return asked.map((question, index) => ({
      ...common,
      ...question,
      // CoQA: questions and answers are two lists, and each question needs those before it.
      ...('input_text' in question &&
        Array.isArray(answers) && {
          question: asked
            .slice(0, index + 1)
            .map((turn, at) => {
              const answer: unknown = answers[at]
              const said = isRecord(answer) ? answer['input_text'] : undefined
              return at < index
                ? `Q: ${String(turn['input_text'])}\nA: ${String(said)}`
                : `Q: ${String(turn['input_text'])}`
            })
            .join('\n'),
          answers: undefined,
          answer: isRecord(answers[index]) ? (answers[index] as Fields)['input_text'] : undefined,
        }),
      ...('followup' in question && { question: askInTurn(asked.slice(0, index), question) }),
      ...(typeof id === 'string' && question['id'] === undefined && { id: `${id}-${index + 1}` }),
    }))
  }
  const { options, answers } = shared
  if (!Array.isArray(asked) || !Array.isArray(options) || !Array.isArray(answers)) return undefined
  return asked.map((question: unknown, index) => ({
    ...common,
    question,
    options: options[index] as unknown,
    answers: undefined,
    answer: answers[index] as unknown,
    ...(typeof id === 'string' && { id: `${id}-${index + 1}` }),
  }))
}

/** The words that the labels of a well-known dataset stand for, by the name of its file. */
function knowLabels(file: string): ReadonlyMap<string, readonly string[]> {
  const words = ` ${file
    .split('/')
    .at(-1)!
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .join(' ')} `
  const known = Object.entries(labelNames).find(([name]) => words.includes(` ${name} `))
  return new Map(known ? [['label', known[1]]] : [])
}

/** Takes apart what holds several questions. */
export function unwrapRows(rows: readonly RawRow[]): RawRow[] {
  const labels = knowLabels(rows[0]?.place.replace(/:.*$/, '') ?? '')
  return rows.flatMap(({ values, place }) => {
    const inner = reshapeRow(unwrapRow(values))
    const expanded = expandGroups(inner)
    return expanded
      ? expanded.map((question) => ({ values: unwrapRow(question), place }))
      : [{ values: nameLabels(inner, labels), place }]
  })
}
