import fieldNames from './field-names.json' with { type: 'json' }
import { countNoun, cutLine, InputError, isRecord, type Suite } from '../../contract/index.ts'
import { checkSuite } from '../../scoring/index.ts'
import { finishSuite, nameAfterFile, writePath, type FinishedSuite } from '../suite-files/finish-suite.ts'
import { escapeSuiteVariables } from '../suite-files/variables.ts'
import type { DatasetCase, Recipe } from './recipe.ts'
import { recipes } from './recipes.ts'
import { areTooMany, type OddRow } from './rows/odd-rows.ts'
import { isMissing, looseName, toText, type Row, type RowTable } from './rows/row.ts'
import { listAnswers } from './parts/answers.ts'

/** How a dataset was read, to be said in one line. */
export interface DatasetReading {
  recipe: string
  /** What the recipe reads. */
  reads: string
  rows: number
  /** Rows that could not be used. */
  leftOut: number
  scoringMethods: string[]
  firstPrompt: string
}

export interface ReadDataset extends FinishedSuite {
  dataset: DatasetReading
  summary: string
}

export const recipeNames: string[] = recipes.map(({ name }) => name)

function checkRecipeName(name: string): void {
  if (recipes.some((recipe) => recipe.name === name)) return
  throw new InputError(`there is no recipe ${JSON.stringify(name)}; use none, or one of ${recipeNames.join(', ')}`)
}

function findRecipe(table: RowTable, named?: string): Recipe | undefined {
  const found =
    named === undefined
      ? recipes.find((recipe) => recipe.recognises(table.fields, table.rows))
      : recipes.find(({ name }) => name === named)
  // Looking at fields to recognise a file is not using them.
  table.used.clear()
  return found
}

const IDS = fieldNames.ids
const CATEGORIES = fieldNames.categories
const CLUSTERS = fieldNames.clusters
const IMAGE = /^(?:images?|image\d+|img|picture|figure|audio|video)(?:path|url|file|bytes|base64)?$/

const MOST_NAMED = 5

/** The id field: the first whose values differ, else the first there is. */
function chooseIdField(rows: readonly Row[]): string | undefined {
  const held = IDS.filter((name) => rows.every((row) => toText(row.get(name)) !== undefined))
  return held.find((name) => new Set(rows.map((row) => row.text(name))).size === rows.length) ?? held[0]
}

function readCategory(row: Row): string | undefined {
  const named = row.text(...CATEGORIES)
  if (named !== undefined) return named
  // SimpleQA keeps its topic in an object.
  const metadata = row.structure('metadata')
  return isRecord(metadata) ? (toText(metadata['category']) ?? toText(metadata['topic'])) : undefined
}

function needImage(row: Row): void {
  const image = Object.entries(row.values).find(
    ([name, value]) =>
      IMAGE.test(looseName(name)) && !isMissing(value) && !(Array.isArray(value) && value.length === 0),
  )
  if (image) throw new InputError(`needs its ${image[0]}, which cannot be read from a dataset`)
}

/** What the dataset itself says about a row. A field that is already part of the question is not repeated. */
function readRowFacts(row: Row, taken: ReadonlySet<string>): DatasetCase {
  const isFree = (name: string) => ![...taken].some((used) => looseName(used) === name)
  const category = CATEGORIES.some((name) => row.has(name) && !isFree(name)) ? undefined : readCategory(row)
  const difficulty = isFree('difficulty') && isFree('level') ? row.text('difficulty', 'level') : undefined
  const split = isFree('split') ? row.text('split') : undefined
  const tags = isFree('tags') ? listAnswers(row.get('tags')) : []
  const metadata = {
    ...(category !== undefined && { category }),
    ...(difficulty !== undefined && { difficulty }),
    ...(split !== undefined && { split }),
    ...(tags.length > 0 && { tags }),
  }
  const cluster = row.text(...CLUSTERS)
  return {
    ...(cluster !== undefined && { cluster }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}

interface Made {
  row: Row
  testCase: DatasetCase
}

/** A row may have a system prompt of its own, as those of EvalScope. */
function addSystem({ prompt, ...testCase }: DatasetCase, system: string | undefined): DatasetCase {
  if (typeof prompt !== 'string') return testCase
  if (system === undefined) return { prompt, ...testCase }
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
  ]
  return { messages, ...testCase }
}

function makeCases(table: RowTable, recipe: Recipe): { made: Made[]; problems: OddRow[] } {
  const made: Made[] = []
  const problems: OddRow[] = [...table.odd]
  for (const row of table.rows)
    try {
      needImage(row)
      made.push({ row, testCase: addSystem(recipe.toCase(row), row.text('system', 'systemprompt')) })
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      problems.push({ place: row.place, message: error.message })
    }
  return { made, problems }
}

/** Ids are those of the dataset; a second one of the same name gets a number. */
function nameCases(made: readonly Made[]): { ids: string[]; repeated: number; field: string | undefined } {
  const field = made.length === 0 ? undefined : chooseIdField(made.map(({ row }) => row))
  const seen = new Map<string, number>()
  const taken = new Set<string>()
  let repeated = 0
  const ids = made.map(({ row }, index) => {
    const own = (field === undefined ? undefined : row.text(field)?.slice(0, 200)) ?? `row-${index + 1}`
    let id = own
    if (taken.has(id)) {
      repeated++
      let count = seen.get(own) ?? 1
      do id = `${own}-${++count}`
      while (taken.has(id))
      seen.set(own, count)
    }
    taken.add(id)
    return id
  })
  return { ids, repeated, field }
}

function refuseTooMany(problems: readonly OddRow[], rows: number, file: string, recipe: Recipe): void {
  if (!areTooMany(problems.length, rows)) return
  const named = problems.slice(0, MOST_NAMED).map(({ place, message }) => `${place}: ${message}`)
  const more = problems.length > named.length ? [`… and ${problems.length - named.length} more`] : []
  throw new InputError(
    [
      `${file}: read as ${recipe.name}, ${problems.length} of ${countNoun(rows, 'row')} cannot be used, more than 5 %. Choose another reading with --recipe (${recipeNames.join(', ')}) or name the columns with --map`,
      ...named,
      ...more,
    ].join('\n'),
  )
}

function caseText(testCase: DatasetCase): string {
  const { prompt, messages } = testCase
  if (typeof prompt === 'string') return prompt
  return Array.isArray(messages) ? messages.map((message: { content: string }) => message.content).join(' … ') : ''
}

const SHOWN = 200

interface DatasetChoices {
  recipe?: string | undefined
  /** How this dataset says that it is read. */
  own?: Recipe | undefined
  name?: string | undefined
  benchmark?: Suite['benchmark']
}

/** Makes a suite of the rows of a dataset by the named recipe, or the first that knows them; undefined if none does. */
export function readDataset(
  table: RowTable,
  file: string,
  { recipe: named, own, name: suiteName, benchmark }: DatasetChoices = {},
): ReadDataset | undefined {
  if (named !== undefined) checkRecipeName(named)
  const recipe = own ?? findRecipe(table, named)
  if (!recipe) return undefined
  const { made, problems } = makeCases(table, recipe)
  const rowCount = table.rows.length + table.odd.length
  refuseTooMany(problems, rowCount, file, recipe)
  const taken = new Set(table.used)
  const { ids, repeated, field } = nameCases(made)
  const raw = made.map(({ row, testCase }, index): Record<string, unknown> => ({
    id: ids[index]!,
    ...testCase,
    ...readRowFacts(row, taken),
  }))

  // What a scoring method cannot score is a row that cannot be used, like one without an answer.
  const wrong = new Map(
    checkSuite({ name: 'S', testCases: raw }).problems.flatMap(({ path: [, index, ...inCase], message }) =>
      typeof index === 'number' ? [[index, `${writePath(inCase)}: ${message}`] as const] : [],
    ),
  )
  for (const [index, message] of wrong) problems.push({ place: made[index]!.row.place, message })
  refuseTooMany(problems, rowCount, file, recipe)
  const kept = made.flatMap((one, index) => (wrong.has(index) ? [] : [{ ...one, testCase: raw[index]! }]))
  if (kept.length === 0) throw new InputError(`${file}: has no rows that can be used`)

  const isAnswered = kept.some(({ testCase }) => testCase['scoringMethod'] !== 'none')
  const suiteFields = {
    name: suiteName ?? nameAfterFile(file),
    ...(benchmark && { benchmark }),
    ...(recipe.systemPrompt !== undefined && isAnswered && { systemPrompt: recipe.systemPrompt }),
    testCases: kept.map(({ testCase }) => testCase),
  }
  const locate = ([, index]: readonly PropertyKey[]) =>
    (typeof index === 'number' ? kept[index]?.row.place : undefined) ?? file
  const { suite, warnings } = finishSuite(escapeSuiteVariables(suiteFields), locate)

  const unused = table.names.filter((name) => !table.used.has(name))
  const scoringMethods = [
    ...new Set(
      suite.testCases.flatMap(
        ({ scoringMethod, checks = [] }) => scoringMethod ?? checks.map((check) => check.scoringMethod),
      ),
    ),
  ]
  const firstPrompt = cutLine(caseText(kept[0]!.testCase), SHOWN)
  const dataset = {
    recipe: recipe.name,
    reads: recipe.reads,
    rows: rowCount,
    leftOut: problems.length,
    scoringMethods,
    firstPrompt,
  }
  return {
    suite,
    warnings: [
      ...problems.map(({ place, message }) => `${place}: left out: ${message}`),
      ...(repeated > 0 && field !== undefined
        ? [`${file}: ${countNoun(repeated, 'row')} had the ${field} of another row; a number was added to it`]
        : []),
      ...(isAnswered ? [] : [`${file}: no column holds answers: those of the models are collected, not scored (none)`]),
      ...(unused.length > 0 ? [`${file}: not used: ${unused.map((name) => JSON.stringify(name)).join(', ')}`] : []),
      ...warnings,
    ],
    dataset,
    summary: describeReading(dataset),
  }
}

function describeReading({ recipe, reads, rows, leftOut, scoringMethods, firstPrompt }: DatasetReading): string {
  const count = leftOut === 0 ? countNoun(rows, 'row') : `${rows - leftOut} of ${countNoun(rows, 'row')}`
  return `Read as ${recipe}: ${reads}. ${count}, scored by ${scoringMethods.join(' and ')}. The first prompt: ${firstPrompt}`
}
