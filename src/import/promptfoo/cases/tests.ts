import { dirname } from 'node:path'
import { InputError } from '../../../contract/index.ts'
import { readCsv, type CsvRow } from '../../text/csv-rows.ts'
import { readJsonLines } from '../../text/json-lines.ts'
import type { LocatedDocument } from '../../text/located-json.ts'
import type { ImportContext, ImportWarnings } from '../import-warnings.ts'
import {
  expandPattern,
  isFileReference,
  readDocument,
  readReference,
  readReferenced,
  runsCode,
  type FileReference,
} from '../config/referenced-files.ts'
import { ASSERTION_TYPES } from '../assertions/assertion-types.ts'
import { z } from 'zod'

const record = z.record(z.string(), z.unknown())

const testSchema = z.looseObject({
  description: z.string().optional(),
  vars: z.union([record, z.string(), z.array(z.string())]).nullish(),
  assert: z.array(z.unknown()).nullish(),
  options: record.nullish(),
  metadata: record.nullish(),
  threshold: z.number().nullish(),
})

type TestFields = z.output<typeof testSchema>

/** One test, or a part of one such as `defaultTest`, and where it stands. */
export interface PlacedTest {
  /** For a layer that is not a test by itself: `defaultTest`. */
  name?: string
  fields: TestFields
  place(path: readonly PropertyKey[]): string
  /** The folder of the file it is in, if that is not the config. */
  folder?: string
}

/** The context for paths that a test names. */
export function contextOf({ folder }: Pick<PlacedTest, 'folder'>, context: ImportContext): ImportContext {
  return folder === undefined ? context : { ...context, folder, configFolder: context.configFolder ?? context.folder }
}

function readTest(value: unknown, place: PlacedTest['place']): PlacedTest {
  const parsed = testSchema.safeParse(value)
  if (parsed.success) return { fields: parsed.data, place }
  const issue = parsed.error.issues[0]!
  throw new InputError(`${place(issue.path)}: ${issue.path.join('.') || 'a test'}: ${issue.message}`)
}

/** `type:value`, `type(threshold):value`, `not-type:value`. */
const WRITTEN = /^(not-)?([a-z][a-z0-9:-]*?)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/

/** Aliases of types in a cell. */
const SHORT = new Map([
  ['grade', 'llm-rubric'],
  ['fn', 'javascript'],
  ['eval', 'javascript'],
])

const LISTS = new Set(['contains-any', 'contains-all', 'icontains-any', 'icontains-all'])
/** Their value is taken as it is written. */
const RAW = new Set(['is-json', 'contains-json', 'llm-rubric'])
/** In a cell, these have a threshold even if it is not written. */
const WITH_THRESHOLD = new Map([
  ['similar', 0.8],
  ...['answer-relevance', 'context-faithfulness', 'context-recall', 'context-relevance'].map(
    (type) => [type, 0.75] as const,
  ),
  ...['classifier', 'levenshtein', 'perplexity', 'perplexity-score', 'rouge-n'].map((type) => [type, 0.75] as const),
])

/** Reads a cell of an `__expected` column as promptfoo does; text without a type is the expected output itself. */
export function readExpected(written: string): Record<string, unknown> {
  const cell = written.trim()
  const [, not = '', name = '', threshold, value] = WRITTEN.exec(cell) ?? []
  const type = value === undefined ? name : (SHORT.get(name) ?? name)
  if (cell.startsWith('file://')) return { type: /\.py\b/.test(cell) ? 'python' : 'javascript', value: cell }
  if (!ASSERTION_TYPES.has(type)) return { type: 'equals', value: cell }
  const limit = threshold === undefined ? WITH_THRESHOLD.get(type) : Number(threshold)
  return {
    type: `${not}${type}`,
    ...(value !== undefined && {
      value: LISTS.has(type) ? value.split(',').map((item) => item.trim()) : RAW.has(type) ? value : value.trim(),
    }),
    ...(limit !== undefined && { threshold: limit }),
  }
}

function readThreshold(cell: string): number | undefined {
  const value = Number.parseFloat(cell)
  return Number.isFinite(value) ? value : undefined
}

/** Commas inside an item are written `\\,`. */
function splitList(cell: string): string[] {
  return cell.split(/(?<!\\),/).map((item) => item.trim().replaceAll(String.raw`\,`, ','))
}

/** `__config:__expected2:threshold` is for the second expected column. */
function thresholdOf(column: string, index: number, limits: ReadonlyMap<string, number>): { threshold?: number } {
  const limit = limits.get(column) ?? (index === 0 ? limits.get('__expected1') : undefined)
  return limit === undefined ? {} : { threshold: limit }
}

/** Reads a row of promptfoo's CSV: columns that begin with `__` have a meaning, all others are variables. */
function readCsvTest({ line, fields }: CsvRow, path: string, warnings: ImportWarnings): PlacedTest {
  const vars: [string, string][] = []
  const asserts: { column: string; assertion: Record<string, unknown> }[] = []
  const options: Record<string, string> = {}
  const metadata: [string, unknown][] = []
  const limits = new Map<string, number>()
  let description: string | undefined
  let metric: string | undefined
  let threshold: number | undefined
  for (const [column, cell] of fields) {
    const isBlank = cell.trim() === ''
    if (/^__expected\d*$/.test(column)) {
      if (!isBlank) asserts.push({ column, assertion: readExpected(cell) })
    } else if (column === '__prefix' || column === '__suffix') options[column.slice(2)] = cell
    else if (column === '__description') description = isBlank ? undefined : cell
    else if (column === '__metric') metric = isBlank ? undefined : cell.trim()
    else if (column === '__threshold') threshold = isBlank ? undefined : readThreshold(cell)
    else if (/^__config:__expected\d*:threshold$/.test(column)) {
      const limit = isBlank ? undefined : readThreshold(cell)
      if (limit !== undefined) limits.set(column.split(':')[1]!, limit)
    } else if (column.startsWith('__metadata:')) {
      const key = column.slice('__metadata:'.length)
      if (!isBlank) metadata.push(key.endsWith('[]') ? [key.slice(0, -2), splitList(cell)] : [key, cell])
    } else if (column.startsWith('__')) {
      if (!isBlank) warnings.add(`${path}:${line}`, `column ${JSON.stringify(column)} is not used`)
    } else vars.push([column, cell])
  }
  return {
    fields: {
      vars: Object.fromEntries(vars),
      assert: asserts.map(({ column, assertion }, index) => ({
        ...assertion,
        ...(metric !== undefined && { metric }),
        ...thresholdOf(column, index, limits),
      })),
      ...(threshold !== undefined && { threshold }),
      options,
      metadata: Object.fromEntries(metadata),
      ...(description !== undefined && { description }),
    },
    place: ([field, index]) => {
      const column = field === 'assert' && typeof index === 'number' ? asserts[index]?.column : undefined
      return `${path}:${line}${column === undefined ? '' : `: column ${column}`}`
    },
  }
}

function within(document: LocatedDocument, base: readonly PropertyKey[]): PlacedTest['place'] {
  return (path) => document.locate([...base, ...path])
}

async function readTestFile(reference: FileReference, configContext: ImportContext): Promise<PlacedTest[]> {
  const folder = dirname(reference.path)
  const context = contextOf({ folder }, configContext)
  const tests = await readTestsIn(reference, context)
  return tests.map((test) => ({ folder, ...test }))
}

async function readTestsIn(reference: FileReference, context: ImportContext): Promise<PlacedTest[]> {
  const { path, extension, place } = reference
  if (extension === '.csv' || extension === '.tsv') {
    const { rows } = readCsv(await readReferenced(reference), path)
    return rows.map((row) => readCsvTest(row, path, context.warnings))
  }
  if (extension === '.jsonl' || extension === '.ndjson') {
    const lines = readJsonLines(await readReferenced(reference), path)
    return lines.map(({ value, locate }) => readTest(value, locate))
  }
  if (extension === '.yaml' || extension === '.yml' || extension === '.json') {
    const document = await readDocument(reference)
    return readTestList({ value: document.value, document, base: [] }, context)
  }
  if (extension === '.xlsx' || extension === '.xls')
    throw new InputError(
      `${place}: ${path}: Excel files are not read; save the sheet as CSV (UTF-8) and name that file instead`,
    )
  throw new InputError(`${place}: ${path}: tests are read from .csv, .tsv, .jsonl, .json and .yaml`)
}

/** `huggingface://datasets/OWNER/NAME?split=test&config=main&limit=10` */
function readHubQuery(address: string): { address: string; limit: number | undefined } | undefined {
  const [, name, query = ''] = /^(?:huggingface|hf):\/\/datasets\/([\w.-]+\/[\w.-]+)(?:\?(.*))?$/.exec(address) ?? []
  if (name === undefined) return undefined
  const asked = new URLSearchParams(query)
  const config = asked.get('config') ?? asked.get('subset')
  const limit = Number(asked.get('limit') ?? Number.NaN)
  return {
    address: `hf://datasets/${name}${config === null ? '' : `/${config}`}@${asked.get('split') ?? 'test'}`,
    limit: Number.isInteger(limit) && limit > 0 ? limit : undefined,
  }
}

/** Every column of a row is a variable; a list in one is no several tests. */
async function readHubTests(
  path: string,
  place: string,
  { readHub }: ImportContext,
): Promise<PlacedTest[] | undefined> {
  const asked = readHub && readHubQuery(path)
  if (!asked) return undefined
  const rows = await readHub(asked.address, asked.limit)
  return rows.map((vars, index) =>
    readTest({ vars, options: { disableVarExpansion: true } }, () => `${place}: row ${index + 1}`),
  )
}

interface ListedTests {
  value: unknown
  document: LocatedDocument
  /** The path of the list in the document. */
  base: readonly PropertyKey[]
}

async function readListItem({ value, document, base }: ListedTests, context: ImportContext): Promise<PlacedTest[]> {
  const place = document.locate(base)
  const path = typeof value === 'object' && value !== null && 'path' in value && !('vars' in value) ? value.path : value
  if (typeof path !== 'string') return [readTest(value, within(document, base))]
  const rows = await readHubTests(path, place, context)
  if (rows) return rows
  if (/^(?:https?|huggingface|hf|az|s3):/.test(path))
    throw new InputError(
      `${place}: ${path}: tests are not fetched over the network; save them to a file beside the config`,
    )
  const reference = readReference(path, context, place)
  if (runsCode(reference)) {
    context.warnings.add(place, `the tests of ${path} are made by code, which is not run here; they are left out`)
    return []
  }
  return (await Promise.all((await expandPattern(reference)).map(async (one) => readTestFile(one, context)))).flat()
}

/** Reads tests that are written out, named by file, or both in one list. */
async function readTestList({ value, document, base }: ListedTests, context: ImportContext): Promise<PlacedTest[]> {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return readListItem({ value, document, base }, context)
  const lists = value.map(async (item: unknown, index) =>
    readListItem({ value: item, document, base: [...base, index] }, context),
  )
  return (await Promise.all(lists)).flat()
}

/** Reads `defaultTest`, written out or in a file of its own. */
async function readDefaultTest(
  value: unknown,
  document: LocatedDocument,
  context: ImportContext,
): Promise<PlacedTest | undefined> {
  if (value === undefined || value === null) return undefined
  const place = document.locate(['defaultTest'])
  if (!isFileReference(value)) return readTest(value, within(document, ['defaultTest']))
  const reference = readReference(value, context, place)
  const file = await readDocument(reference)
  return { ...readTest(file.value, within(file, [])), folder: dirname(reference.path) }
}

/** The layers of a test, most general first: later variables win, assertions add up. */
export interface LayeredTest {
  layers: PlacedTest[]
  /** Its number within a scenario, for its id: 1, 2, … */
  scenarioPart?: number
  scenario?: string
}

/** Reads every test of a config: its `tests`, and each scenario's data × its tests. */
export async function readTests(
  config: Record<string, unknown>,
  document: LocatedDocument,
  context: ImportContext,
): Promise<LayeredTest[]> {
  const defaults = await readDefaultTest(config['defaultTest'], document, context)
  const base = defaults ? [{ ...defaults, name: 'defaultTest' }] : []
  const tests = await readTestList({ value: config['tests'], document, base: ['tests'] }, context)
  const scenarios = await readScenarios(config['scenarios'], document, context)
  // With neither, promptfoo sends each prompt once, as written.
  if (config['tests'] === undefined && config['scenarios'] === undefined)
    return [{ layers: [...base, readTest({}, () => document.locate([]))] }]
  return [...tests.map((test): LayeredTest => ({ layers: [test] })), ...scenarios].map((test) => ({
    ...test,
    layers: [...base, ...test.layers],
  }))
}

async function readScenarios(
  value: unknown,
  document: LocatedDocument,
  context: ImportContext,
): Promise<LayeredTest[]> {
  if (value === undefined || value === null) return []
  const items: unknown[] = Array.isArray(value) ? value : [value]
  const read = items.map(async (item, index): Promise<LayeredTest[]> => {
    const at = ['scenarios', index]
    if (isFileReference(item)) {
      const file = await readDocument(readReference(item, context, document.locate(at)))
      const inFile: unknown[] = [file.value].flat()
      const baseOf = (inner: number) => (Array.isArray(file.value) ? [inner] : [])
      const scenarios = inFile.map(async (one, inner) =>
        readScenario({ value: one, document: file, base: baseOf(inner) }, context),
      )
      return (await Promise.all(scenarios)).flat()
    }
    return readScenario({ value: item, document, base: at }, context)
  })
  return (await Promise.all(read)).flat()
}

async function readScenario({ value, document, base }: ListedTests, context: ImportContext): Promise<LayeredTest[]> {
  if (typeof value !== 'object' || value === null)
    throw new InputError(`${document.locate(base)}: a scenario is { config, tests }`)
  const { config, tests, description }: { config?: unknown; tests?: unknown; description?: unknown } = value
  const parts = await readTestList({ value: config, document, base: [...base, 'config'] }, context)
  const listed = await readTestList({ value: tests, document, base: [...base, 'tests'] }, context)
  const cases = listed.length > 0 ? listed : [readTest({}, within(document, base))]
  const data = parts.length > 0 ? parts : [readTest({}, within(document, base))]
  return data.flatMap((part, index) =>
    cases.map((test) => ({
      layers: [{ ...part, name: 'scenario data' }, test],
      ...(data.length > 1 && { scenarioPart: index + 1 }),
      ...(typeof description === 'string' && { scenario: description }),
    })),
  )
}
