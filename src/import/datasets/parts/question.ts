import fieldNames from '../field-names.json' with { type: 'json' }
import { isRecord } from '../../../contract/index.ts'
import { toStructure, toText, type Row } from '../rows/row.ts'

const QUESTIONS = fieldNames.questions
const PASSAGES = fieldNames.passages

const isCell = (value: unknown) => value === null || toText(value) !== undefined || value === ''

/** The lines of a table: a list of rows, or a header with them. */
function writeTable(value: unknown): string | undefined {
  if (isRecord(value) && Array.isArray(value['header']) && Array.isArray(value['rows']))
    return writeTable([value['header'], ...(value['rows'] as unknown[])])
  if (isRecord(value) && Array.isArray(value['table'])) return writeTable(value['table'])
  const isTable =
    Array.isArray(value) &&
    value.length > 1 &&
    value.every((line) => Array.isArray(line) && line.length > 1 && line.every(isCell))
  return isTable
    ? value.map((line: unknown[]) => line.map((cell) => toText(cell) ?? '').join(' | ')).join('\n')
    : undefined
}

/** Sentences of a passage that comes in pieces: HotpotQA's titles with sentences, PubMedQA's sections. */
export function joinPassage(value: unknown): string | undefined {
  const found = toStructure(value)
  const table = writeTable(found)
  if (table !== undefined) return table
  if (Array.isArray(found)) {
    const [title, sentences] = found as unknown[]
    if (found.length === 2 && typeof title === 'string' && Array.isArray(sentences))
      return `${title}: ${sentences.map((sentence) => toText(sentence) ?? '').join(' ')}`
    const parts = found.flatMap((part) => joinPassage(part) ?? [])
    const isTurns = parts.every((part) => /^\p{L}{1,20}:\s/u.test(part))
    const isParts = found.some((part) => Array.isArray(part) || isRecord(part))
    return parts.length === 0 ? undefined : parts.join(isParts ? '\n\n' : isTurns ? '\n' : ' ')
  }
  if (!isRecord(found)) return toText(found)
  const { title, sentences, contexts } = found
  if (Array.isArray(title) && Array.isArray(sentences))
    return title.map((name, index) => joinPassage([toText(name) ?? '', sentences[index]])).join('\n\n')
  if (Array.isArray(contexts)) return contexts.flatMap((part) => toText(part) ?? []).join('\n\n')
  const text = TEXTS.map((name) => joinPassage(found[name])).find((part) => part !== undefined)
  const head = toText(found['title']) ?? toText(found['section_name'])
  return text === undefined || head === undefined || text.startsWith(head) ? text : `${head}: ${text}`
}

/** What a person has to know about the answer: in which unit it is given, and whom a pronoun is to name. */
function findNote(row: Row): string | undefined {
  const unit = row.text('unit', 'answerunit')
  const pronoun = row.has('pronoun', 'options') ? row.text('pronoun') : undefined
  if (pronoun !== undefined) return `Who or what is meant by "${pronoun}" in "${row.text('quote') ?? pronoun}"?`
  return unit === undefined ? undefined : `Give the answer in ${unit}.`
}

export interface AskedQuestion {
  passage?: string | undefined
  question: string
}

const TEXTS = [
  'text',
  'passage_text',
  'evidence',
  'passage',
  'content',
  'summary',
  'paragraph_text',
  'paragraphs',
  'sentences',
  'paragraph',
]

/** LiveBench has one turn in a list. */
function readTurn(row: Row): string | undefined {
  const turns = row.structure('turns')
  return Array.isArray(turns) && turns.length === 1 ? toText(turns[0]) : undefined
}

/** The question of a row, with the passage it is about. */
export function findQuestion(row: Row): AskedQuestion | undefined {
  const asked = findAsked(row)
  if (!asked) return undefined
  const task = row.text('taskprefix')
  const note = findNote(row)
  return {
    ...asked,
    question: [task, asked.question, note].filter((part) => part !== undefined).join('\n\n'),
  }
}

function findAsked(row: Row): AskedQuestion | undefined {
  const body = row.text('body')
  const named = QUESTIONS.find((name) => row.has(name) && toText(row.get(name)) !== undefined)
  const question = (named === undefined ? readTurn(row) : row.text(named)) ?? body
  if (question === undefined) return undefined
  // SVAMP and ASDiv tell the story in the body.
  if (body !== undefined && !question.includes(body.replace(/\W+$/, '')))
    return { question: `${/[.?!。]$/.test(body) ? body : `${body}.`} ${question}` }
  // CRUXEval asks what a function returns.
  if (named === 'input' && row.has('code', 'output'))
    return { question: `What does this return?\n\n\`\`\`\n${row.text('code')!}\n\nf(${question})\n\`\`\`` }
  // Alpaca: what to do, and what to do it with.
  if (named === 'input' && row.has('instruction')) return { passage: row.text('instruction'), question }
  const passages = PASSAGES.filter((name) => name !== named && row.has(name)).flatMap((name) => {
    const passage = joinPassage(row.get(name))
    return passage === undefined || question.includes(passage) ? [] : [passage]
  })
  // LawBench: what to do stands beside the question.
  const task = named === 'instruction' ? undefined : row.text('instruction')
  if (task !== undefined && !question.includes(task)) passages.unshift(task)
  // bAbI tells the story in the input; a question that is an input itself has none.
  const input = named === 'question' && row.has('target') ? row.text('input') : undefined
  if (input !== undefined && !question.includes(input)) passages.unshift(input)
  return { ...(passages.length > 0 && { passage: passages.join('\n\n') }), question }
}

export function writeQuestion({ passage, question }: AskedQuestion): string {
  return passage === undefined ? question : `${passage}\n\n${question}`
}
