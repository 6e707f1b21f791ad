import { dirname } from 'node:path'
import { InputError } from '../../../contract/index.ts'
import { readCsv } from '../../text/csv-rows.ts'
import { readJsonLines } from '../../text/json-lines.ts'
import type { LocatedDocument } from '../../text/located-json.ts'
import { readCsvTest } from './csv-tests.ts'
import type { ImportContext } from '../import-warnings.ts'
import { contextOf, readTest, type PlacedTest } from './placed-test.ts'
import {
  expandPattern,
  isFileReference,
  readDocument,
  readReference,
  readReferenced,
  runsCode,
  type FileReference,
} from '../config/referenced-files.ts'

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
  if (/^(?:https?|huggingface|az|s3):/.test(path))
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
