import type { Storage } from '../../../contract/index.ts'
import { listCases } from '../../../report/model/cases.ts'
import { writeExpected } from '../../../scoring/index.ts'
import { splitSuite } from './case-facts.ts'
import { createFilter, sortCases, type CaseFilter, type CaseQuery, type CaseState } from './case-query.ts'
import { readCell, scoresOfCase, type CaseCell } from './case-table.ts'
import type { LoadedSelection } from '../selection/load-selection.ts'
import { createPauses } from '../selection/pauses.ts'

/** GET /api/results/:selection/cases?offset=&limit=&sort=&order=&search=&category=&tag=&difficulty=&below=&state=&answers= */
export interface CasePage {
  total: number
  /** Where the page starts. It has `cases.length` cases, fewer than requested if many models make it large. */
  offset: number
  /** The models of `CaseRow.cells`, in order: during a run their order changes between requests. */
  models: string[]
  /** How many cases there are in each state, whatever is searched and filtered. */
  counts: Record<CaseState, number>
  cases: CaseRow[]
}

export interface CaseRow {
  id: string
  title: string
  category?: string
  difficulty?: string
  tags: string[]
  methods: string[]
  weight: number
  /** One per model, in the order of `ResultsView.rows`. */
  cells: CaseCell[]
  /** Over the models with a score; absent if there is none. */
  mean?: number
  /** The first lines of the expected output, if answers are requested. */
  expected?: string
  /** The first lines of each answer, if requested; null for a cell without one. From the last run that has one. */
  answers?: (string | null)[]
}

/** A page ends at this size, with fewer cases than requested if many models make it large. */
const MAX_BYTES = 900_000

/** Each answer is a read of the database: a page ends after this many. */
const MAX_ANSWERS = 800
const MAX_ANSWER_LENGTH = 400
const MAX_ANSWER_LINES = 4

/** The first lines of a text, without empty ones. */
function firstLines(text: string): string {
  const lines = text
    .slice(0, MAX_ANSWER_LENGTH * 2)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
  return lines.slice(0, MAX_ANSWER_LINES).join('\n').slice(0, MAX_ANSWER_LENGTH)
}

async function loadAnswers(
  { ids }: LoadedSelection,
  storage: Storage,
  { testCaseId, models, cells }: { testCaseId: string; models: string[]; cells: CaseCell[] },
): Promise<(string | null)[]> {
  return Promise.all(
    models.map(async (modelId, index) => {
      const { state, passed = 0, scored = 0 } = cells[index]!
      if (state === 'pending') return null
      // A flaky cell looks failed: the right answer in it would puzzle.
      const isFlaky = passed > 0 && passed < scored
      let shown: { text: string; score: number } | undefined
      for (const runId of ids.toReversed()) {
        const cell = await storage.loadCell({ runId, testCaseId, modelId })
        const response = cell?.result.response ?? cell?.answer?.response
        const { score = 1 } = cell?.result.score ?? {}
        if (response !== undefined && score < (shown?.score ?? Infinity)) shown = { text: response, score }
        if (shown && (!isFlaky || shown.score === 0)) break
        if (cell?.result.error !== undefined && ids.length === 1) return firstLines(cell.result.error)
      }
      return shown ? firstLines(shown.text) : null
    }),
  )
}

/** Sort orders and search results, reused for the next page. */
interface PageCache {
  orders: Map<string, Uint32Array>
  searches: Map<string, Promise<Set<string>>>
}

const MAX_CACHED = 8
const caches = new WeakMap<LoadedSelection, PageCache>()

function getOrCreate<Value>(cache: Map<string, Value>, key: string, create: () => Value): Value {
  const value = cache.get(key) ?? create()
  cache.delete(key)
  cache.set(key, value)
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!)
  return value
}

interface PageOptions {
  storage: Storage
  isLive: boolean
  query: CaseQuery
}

/** The indices of the cases that match, in the requested order. */
export async function findMatching(
  selection: LoadedSelection,
  { storage, isLive, query }: Omit<PageOptions, 'query'> & { query: CaseFilter },
): Promise<number[]> {
  const queried = { ...selection, isLive }
  const cache = caches.get(selection) ?? { orders: new Map(), searches: new Map() }
  caches.set(selection, cache)
  const matches = createFilter(queried, query)
  const order = getOrCreate(cache.orders, `${query.order} ${query.sort}`, () =>
    sortCases(queried, query.sort, query.order),
  )
  const found =
    query.search === ''
      ? undefined
      : await getOrCreate(cache.searches, query.search, () => searchOnce(selection, storage, query.search, cache))
  const { caseIds } = selection.scores
  const matching: number[] = []
  const pauses = createPauses()
  for (const caseIndex of order) {
    if ((!found || found.has(caseIds[caseIndex]!)) && matches(caseIndex)) matching.push(caseIndex)
    if (pauses.isDue()) await pauses.take()
  }
  return matching
}

const counted = new WeakMap<LoadedSelection, CasePage['counts']>()

function countStates(selection: LoadedSelection, isLive: boolean): CasePage['counts'] {
  const known = counted.get(selection)
  if (known) return known
  const countOf = (state: CaseState) => {
    const isIn = createFilter(
      { ...selection, isLive },
      { state, category: undefined, tag: undefined, difficulty: undefined, below: undefined },
    )
    return selection.scores.caseIds.reduce((count, _, index) => count + Number(isIn(index)), 0)
  }
  const counts: CasePage['counts'] = {
    all: selection.scores.caseIds.length,
    missing: countOf('missing'),
    error: countOf('error'),
    'not-run': countOf('not-run'),
    failed: countOf('failed'),
    disagree: countOf('disagree'),
    'all-failed': countOf('all-failed'),
    flaky: countOf('flaky'),
    doubtful: countOf('doubtful'),
    rated: countOf('rated'),
  }
  counted.set(selection, counts)
  return counts
}

/** One page of the grid of cases. */
export async function createCasePage(
  selection: LoadedSelection,
  { storage, isLive, query }: PageOptions,
): Promise<CasePage> {
  const { rows } = await selection.results.standings
  const models = rows.map(({ modelId }) => modelId)
  const { caseIds } = selection.scores
  const matching = await findMatching(selection, { storage, isLive, query })
  const modelIndices = models.map((modelId) => selection.scores.modelIds.indexOf(modelId))
  const cases: CaseRow[] = []
  let bytes = 0
  for (const caseIndex of matching.slice(query.offset, query.offset + query.limit)) {
    const id = caseIds[caseIndex]!
    const cells = modelIndices.map((model) => readCell(selection.table, [caseIndex, model], { isLive }))
    const row: CaseRow = {
      id,
      title: selection.titleOf(id),
      ...selection.facts[caseIndex]!,
      cells,
      ...caseMean(selection, caseIndex),
      ...(query.answers && {
        ...expectedOf(selection, id),
        answers: await loadAnswers(selection, storage, { testCaseId: id, models, cells }),
      }),
    }
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    if (bytes > MAX_BYTES && cases.length > 0) break
    cases.push(row)
    if (query.answers && cases.length * models.length >= MAX_ANSWERS) break
  }
  return { total: matching.length, offset: query.offset, models, counts: countStates(selection, isLive), cases }
}

function caseMean({ table }: LoadedSelection, caseIndex: number): Pick<CaseRow, 'mean'> {
  const scores = scoresOfCase(table, caseIndex)
  return scores ? { mean: scores.mean } : {}
}

function expectedOf({ suite }: LoadedSelection, id: string): Pick<CaseRow, 'expected'> {
  const testCase = suite?.testCases.find((one) => one.id === id)
  const text = testCase && writeExpected(testCase)
  return text === undefined ? {} : { expected: firstLines(text) }
}

/** A failed search is not cached. */
function searchOnce(
  selection: LoadedSelection,
  storage: Storage,
  text: string,
  { searches }: PageCache,
): Promise<Set<string>> {
  const found = findCases(selection, storage, text)
  found.catch(() => searches.delete(text))
  return found
}

/** Finds cases whose id, prompt or answers contain the text, ignoring case. */
async function findCases(
  { ids, suite, scores }: LoadedSelection,
  storage: Storage,
  search: string,
): Promise<Set<string>> {
  const lowerCased = search.toLowerCase()
  const contains = (text: string) => text.toLowerCase().includes(lowerCased)
  const found = new Set(scores.caseIds.filter(contains))
  const pauses = createPauses()
  for (const piece of splitSuite(suite)) {
    for (const { id, prompt = '' } of listCases([], piece, [])) if (contains(prompt)) found.add(id)
    if (pauses.isDue()) await pauses.take()
  }
  for (const runId of ids)
    for (const { testCaseId } of await storage.searchAnswers(runId, search)) found.add(testCaseId)
  return found
}
