import { InputError } from '../../../contract/index.ts'
import type {
  ForeignResults,
  ForeignSample,
  ResultsFile,
  ResultsReader,
  ResultsTable,
  TableRow,
} from '../foreign-results.ts'
import type { ResultsChoices } from '../results-choices.ts'
import { stemOf } from '../results-file.ts'
import { flattenScore, readScoreValue } from '../score-value.ts'
import { readLabels } from '../sample-labels.ts'
import { readFirstRecord } from '../top-keys.ts'
import { isParquet } from './parquet-rows.ts'
import { openTable, splitHeader } from './table-rows.ts'

/** What a column of a results table can hold, and the names by which it is recognised. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  id: [
    'id',
    'sample_id',
    'sampleid',
    'testcaseid',
    'case_id',
    'case',
    'question_id',
    'doc_id',
    'task_id',
    'example_id',
  ],
  model: ['model', 'model_id', 'modelid', 'model_name', 'provider'],
  score: ['score', 'is_correct', 'correct', 'passed', 'accuracy', 'acc', 'exact_match', 'reward', 'grade'],
  epoch: ['epoch', 'repeat', 'trial', 'attempt'],
  prompt: ['prompt', 'question', 'input', 'query'],
  answer: ['answer', 'response', 'output', 'completion', 'prediction'],
  expected: ['expected', 'expectedoutput', 'expected_output', 'target', 'reference', 'ground_truth', 'gold'],
  error: ['error'],
  cluster: ['cluster', 'cluster_id', 'clusterid'],
  category: ['category'],
  difficulty: ['difficulty'],
  tags: ['tags'],
  cost: ['cost'],
}

const columnFields: readonly string[] = Object.keys(COLUMNS)

type ColumnMap = Readonly<Record<string, string>>

/** The columns by what they hold: those that the user named, and others under their usual names. */
function mapColumns(columns: readonly string[], named: ColumnMap = {}): ColumnMap {
  const used = new Set(Object.values(named))
  const found = Object.entries(COLUMNS).flatMap(([field, names]): [string, string][] => {
    if (Object.hasOwn(named, field)) return []
    const column = names
      .map((name) => columns.find((given) => given.toLowerCase() === name && !used.has(given)))
      .find((given) => given !== undefined)
    return column === undefined ? [] : [[field, column]]
  })
  return { ...Object.fromEntries(found), ...named }
}

/** Rows that tell what a column holds. */
const ROWS_LOOKED_AT = 200

/** The first of the columns with scores in at least half of what is filled in; `correct` may be the key of a choice. */
async function findScores(table: ResultsTable, columns: readonly string[]): Promise<string | undefined> {
  const values: unknown[][] = columns.map(() => [])
  let count = 0
  for await (const row of table.rows(columns)) {
    for (const [index, column] of columns.entries()) values[index]!.push(row.get(column))
    if (++count === ROWS_LOOKED_AT) break
  }
  return columns.find((_column, index) => {
    const filled = values[index]!.filter((value) => cellText(value) !== undefined)
    const scores = filled.flatMap((value) => flattenScore('', value)).filter(([, value]) => isScore(value))
    return filled.length > 0 && scores.length * 2 >= filled.length
  })
}

const isScore = (value: unknown) => readScoreValue(value).kind !== 'none'

/** Like `mapColumns`, but of several columns that may be the score, the one that holds scores. */
async function findColumns(table: ResultsTable, named: ColumnMap = {}): Promise<ColumnMap> {
  const map = mapColumns(table.columns, named)
  const used = new Set(Object.values(named))
  const names = COLUMNS['score']!.flatMap((name) =>
    table.columns.filter((column) => column.toLowerCase() === name && !used.has(column)),
  )
  if (Object.hasOwn(named, 'score') || names.length < 2) return map
  const score = await findScores(table, names)
  return score === undefined ? map : { ...map, score }
}

/** The columns if they are not those that would be found. */
async function findChosen(table: ResultsTable, map: ColumnMap): Promise<ColumnMap | undefined> {
  const byName = await findColumns(table)
  return columnFields.every((field) => map[field] === byName[field]) ? undefined : map
}

function checkNamedColumns(table: ResultsTable, named: ColumnMap, name: string): void {
  const unknown = Object.keys(named).find((field) => !columnFields.includes(field))
  if (unknown !== undefined)
    throw new InputError(
      `${name}: a column can hold ${columnFields.join(', ')}; ${JSON.stringify(unknown)} is none of them`,
    )
  const missing = Object.values(named).filter(
    (column) => !table.columns.includes(column) && !table.columns.includes(column.split('.')[0]!),
  )
  if (missing.length > 0)
    throw new InputError(
      `${name}: there is no column ${missing.map((column) => JSON.stringify(column)).join(', ')}; the columns are ${table.columns.map((column) => JSON.stringify(column)).join(', ')}`,
    )
}

function cellText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function readEpoch(value: unknown, place: string): number {
  const text = cellText(value)
  const epoch = text === undefined ? 1 : Number(text)
  if (Number.isSafeInteger(epoch) && epoch >= 0) return epoch
  throw new InputError(`${place}: the epoch is ${JSON.stringify(text)}; it must be a whole number`)
}

function readCost(value: unknown): number | undefined {
  const text = cellText(value)
  const cost = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(cost) ? cost : undefined
}

/** What programs write where nothing went wrong. */
const NO_ERROR: ReadonlySet<string> = new Set(['none', 'null', 'nan', 'false', 'n/a'])

function readError(value: unknown): string | undefined {
  const text = cellText(value)
  return text === undefined || NO_ERROR.has(text.trim().toLowerCase()) ? undefined : text
}

function readSample(row: TableRow, map: ColumnMap, model: string): ForeignSample {
  const get = (field: string) => (map[field] === undefined ? undefined : row.get(map[field]))
  const id = cellText(get('id'))?.trim()
  if (id === undefined || id === '')
    throw new InputError(`${row.place}: the column ${JSON.stringify(map['id'])} is empty; each row needs an id`)
  const score = get('score')
  return {
    id,
    epoch: readEpoch(get('epoch'), row.place),
    modelId: cellText(get('model'))?.trim() || model,
    prompt: cellText(get('prompt')),
    expected: cellText(get('expected')),
    ...readLabels(get),
    cluster: cellText(get('cluster'))?.trim() || undefined,
    answer: cellText(get('answer')),
    error: readError(get('error')),
    scores: new Map(flattenScore(map['score'] ?? 'score', score === '' ? null : score)),
    cost: readCost(get('cost')),
    place: row.place,
  }
}

/** What a column says about a sample, whoever answered it. */
const GROUPINGS = ['cluster', 'category', 'difficulty', 'tags'] as const

/** A column that puts one sample into several groups is about something else: it does not count, and the sample is named. */
function leaveOutDivided(samples: readonly ForeignSample[], column: (typeof GROUPINGS)[number]): string | undefined {
  const groupOf = new Map<string, string>()
  const divided = samples.find((sample) => {
    const known = groupOf.get(sample.id)
    const group = sample[column] === undefined ? undefined : String(sample[column])
    if (group !== undefined) groupOf.set(sample.id, group)
    return known !== undefined && group !== undefined && known !== group
  })
  if (divided) for (const sample of samples) sample[column] = undefined
  return divided?.id
}

const groupWords: Record<(typeof GROUPINGS)[number], string> = {
  cluster: 'into several clusters',
  category: 'into several categories',
  difficulty: 'at several difficulties',
  tags: 'under different tags',
}

/** Of two columns with one name nobody knows which one is meant. */
function refuseNamesakes(table: ResultsTable, map: ColumnMap, name: string): void {
  const twice = Object.values(map).find((column) => table.columns.indexOf(column) !== table.columns.lastIndexOf(column))
  if (twice !== undefined)
    throw new InputError(`${name}: two columns are named ${JSON.stringify(twice)}; rename the one that does not count`)
}

function explainColumns(table: ResultsTable, map: ColumnMap, name: string): string {
  const missing = ['id', 'score'].filter((field) => map[field] === undefined)
  return `${name}: which column holds the ${missing.join(' and the ')}? Name the columns: --columns id=…,score=… (also ${columnFields.filter((field) => field !== 'id' && field !== 'score').join(', ')}); there are ${table.columns.map((column) => JSON.stringify(column)).join(', ')}`
}

/** The metric that was asked for may be a column of its own. */
function withMetric(named: ColumnMap, { metric }: ResultsChoices, table: ResultsTable): ColumnMap {
  return metric !== undefined && named['score'] === undefined && table.columns.includes(metric)
    ? { ...named, score: metric }
    : named
}

const OPTIONS = new Set([
  'options',
  'choices',
  'endings',
  'opa',
  'optiona',
  'option_a',
  'incorrect answer 1',
  'distractor1',
])
const ANSWERED = new Set([
  'model',
  'model_id',
  'model_name',
  'response',
  'completion',
  'prediction',
  'output',
  'is_correct',
])

/** Questions with options and nobody's answers: `correct` is the key of a dataset there. */
function areQuestions(columns: readonly string[]): boolean {
  const names = columns.map((column) => column.trim().toLowerCase())
  const hasOptions = names.some((name) => OPTIONS.has(name)) || ['a', 'b', 'c'].every((name) => names.includes(name))
  return hasOptions && !names.some((name) => ANSWERED.has(name))
}

/** True if the usual columns are there, and those of a suite are not. */
function areResults(columns: readonly string[], { metric }: ResultsChoices): boolean {
  const { id, score } = mapColumns(columns)
  const hasScore = score !== undefined || (metric !== undefined && columns.includes(metric))
  return (
    id !== undefined &&
    hasScore &&
    !areQuestions(columns) &&
    (!columns.includes('scoringMethod') || columns.includes('testCaseId'))
  )
}

async function looksLikeResults(file: ResultsFile, choices: ResultsChoices): Promise<boolean> {
  if (isParquet(file)) return areResults((await openTable(file)).columns, choices)
  const start = file.start.toString('utf8', 0, 65_536)
  const first = /^\uFEFF?\s*[{[]/.test(start) ? await readFirstRecord(file) : undefined
  if (!first && /^\uFEFF?\s*[{[]/.test(start)) return false
  return areResults(first ? Object.keys(first) : splitHeader(start), choices)
}

/** True for files that can be tables, whatever their columns are called. */
export function canBeTable(file: ResultsFile): boolean {
  const { name, start } = file
  return (
    isParquet(file) ||
    /\.(csv|tsv|jsonl|ndjson|parquet)(\.gz)?$/i.test(name) ||
    /^\uFEFF?\s*\[/.test(start.toString('utf8', 0, 4096))
  )
}

/** The columns of a table, and what they hold as far as the user or their names say. */
export async function readColumns(
  file: ResultsFile,
  named: ColumnMap = {},
): Promise<{ names: string[]; map: Record<string, string> }> {
  const opened = await openTable(file)
  return { names: opened.columns, map: { ...(await findColumns(opened, named)) } }
}

/** Any table with one row per answer: CSV, JSON lines, a JSON list or Parquet. */
export const table: ResultsReader = {
  name: 'table',
  looksLike: 'a table with one row per answer: CSV, JSON lines or Parquet; --columns id=…,score=… names its columns',
  recognises: async (file, choices) => choices.columns !== undefined || looksLikeResults(file, choices),
  async read(file, choices): Promise<ForeignResults> {
    const opened = await openTable(file)
    const named = withMetric(choices.columns ?? {}, choices, opened)
    checkNamedColumns(opened, named, file.name)
    const map = await findColumns(opened, named)
    if (map['id'] === undefined || map['score'] === undefined)
      throw new InputError(explainColumns(opened, map, file.name))
    refuseNamesakes(opened, map, file.name)
    const model = choices.model ?? stemOf(file.name)
    const samples: ForeignSample[] = []
    for await (const row of opened.rows(Object.values(map))) samples.push(file.keep(readSample(row, map, model)))
    if (samples.some(({ epoch }) => epoch === 0)) for (const sample of samples) sample.epoch += 1
    const divided = GROUPINGS.flatMap((column) => {
      const sample = leaveOutDivided(samples, column)
      return sample === undefined
        ? []
        : `${file.name}: the column ${JSON.stringify(map[column])} is not used: its rows put the sample ${JSON.stringify(sample)} ${groupWords[column]}`
    })
    const guessed = Object.entries(map).filter(([field]) => !Object.hasOwn(named, field))
    return {
      format: 'table',
      tool: isParquet(file) ? 'a Parquet file' : 'a table',
      task: stemOf(file.name),
      samples,
      columns: await findChosen(opened, map),
      isModelUnnamed: map['model'] === undefined,
      ...(map['epoch'] === undefined && {
        repeatHint: 'if these are repeats, name the column that counts them: --columns epoch=…',
      }),
      warnings: [
        ...divided,
        ...(guessed.length > 0
          ? [
              `${file.name}: columns by their names: ${guessed.map(([field, column]) => `${field} is ${JSON.stringify(column)}`).join(', ')}; --columns names others`,
            ]
          : []),
        ...(map['model'] === undefined && choices.model === undefined
          ? [`${file.name}: has no column for the model, so it is called ${model}; --model names it`]
          : []),
      ],
    }
  },
}
