import type { Storage } from '../../../contract/index.ts'
import { listCases } from '../../../report/model/cases.ts'
import { splitSuite } from './case-facts.ts'
import { createFilter, sortCases, type CaseQuery } from './case-query.ts'
import { readCell, type CaseCell } from './case-table.ts'
import type { LoadedSelection } from '../selection/load-selection.ts'
import { createPauses } from '../selection/pauses.ts'

/** GET /api/results/:selection/cases?offset=&limit=&sort=&order=&search=&category=&tag=&state= */
export interface CasePage {
  total: number
  /** The page goes from here over `cases.length` cases: fewer than asked for where very many models make it large. */
  offset: number
  /** Whose `CaseRow.cells` are, in their order: while a run goes on, models change places from one request to the next. */
  models: string[]
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
  /** One a model, in the order of `ResultsView.rows`. */
  cells: CaseCell[]
}

/** A page ends here, with fewer cases than asked for, when so many models make it large. */
const MOST_BYTES = 900_000

/** What was worked out for one page serves the next. */
interface Remembered {
  orders: Map<string, Uint32Array>
  searches: Map<string, Promise<Set<string>>>
}

const MOST_REMEMBERED = 8
const remembered = new WeakMap<LoadedSelection, Remembered>()

function remember<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const value = known.get(key) ?? make()
  known.delete(key)
  known.set(key, value)
  if (known.size > MOST_REMEMBERED) known.delete(known.keys().next().value!)
  return value
}

interface PageOptions {
  storage: Storage
  isLive: boolean
  query: CaseQuery
}

/** One page of the grid of cases. */
export async function createCasePage(
  selection: LoadedSelection,
  { storage, isLive, query }: PageOptions,
): Promise<CasePage> {
  const { rows } = await selection.results.standings
  const models = rows.map(({ modelId }) => modelId)
  const queried = { ...selection, isLive }
  const memory = remembered.get(selection) ?? { orders: new Map(), searches: new Map() }
  remembered.set(selection, memory)

  const isWanted = createFilter(queried, query)
  const order = remember(memory.orders, `${query.order} ${query.sort}`, () =>
    sortCases(queried, query.sort, query.order),
  )
  const found =
    query.search === ''
      ? undefined
      : await remember(memory.searches, query.search, () => searchOnce(selection, storage, query.search, memory))
  const { caseIds } = selection.columns
  const wanted: number[] = []
  const pauses = createPauses()
  for (const caseIndex of order) {
    if ((!found || found.has(caseIds[caseIndex]!)) && isWanted(caseIndex)) wanted.push(caseIndex)
    if (pauses.isDue()) await pauses.take()
  }
  const places = models.map((modelId) => selection.columns.modelIds.indexOf(modelId))
  const cases: CaseRow[] = []
  let bytes = 0
  for (const caseIndex of wanted.slice(query.offset, query.offset + query.limit)) {
    const id = caseIds[caseIndex]!
    const row = {
      id,
      title: selection.titleOf(id),
      ...selection.facts[caseIndex]!,
      cells: places.map((model) => readCell(selection.table, caseIndex, model)),
    }
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    if (bytes > MOST_BYTES && cases.length > 0) break
    cases.push(row)
  }
  return { total: wanted.length, offset: query.offset, models, cases }
}

/** One that failed is tried again. */
function searchOnce(
  selection: LoadedSelection,
  storage: Storage,
  text: string,
  { searches }: Remembered,
): Promise<Set<string>> {
  const found = findCases(selection, storage, text)
  found.catch(() => searches.delete(text))
  return found
}

/** Cases whose id, prompt or one of whose answers holds the text, whatever its case. */
async function findCases(
  { ids, suite, columns }: LoadedSelection,
  storage: Storage,
  search: string,
): Promise<Set<string>> {
  const wanted = search.toLowerCase()
  const holds = (text: string) => text.toLowerCase().includes(wanted)
  const found = new Set(columns.caseIds.filter(holds))
  const pauses = createPauses()
  for (const some of splitSuite(suite)) {
    for (const { id, prompt = '' } of listCases([], some, [])) if (holds(prompt)) found.add(id)
    if (pauses.isDue()) await pauses.take()
  }
  for (const runId of ids)
    for (const { testCaseId } of await storage.searchAnswers(runId, search)) found.add(testCaseId)
  return found
}
