import { sql } from 'kysely'
import type { RunRequest, RunSummary } from '../../contract/index.ts'
import { readJson, readOptionalJson, readOptionalText, readSum } from './columns.ts'
import type { SqlDialect } from '../migrations/data-definition.ts'
import { readInteger } from './operation.ts'
import type { ReadRows } from './run-results.ts'
import type { CellState, TableReader } from './schema.ts'
import { compileTemplate } from './statement-template.ts'
import { decodeText, encodeText } from './text-codec.ts'

const runsAtOnce = 500

interface CountOfState {
  state: CellState
  count: number
}

interface CostOfRun {
  /** All attempts, and those whose cost is known. */
  count: number
  known: number
  /** For `readSum`. */
  total: string | null
}

/** In two parts, because the sum of 64-bit integers may not fit into one. NULL when not one cost is known. */
const total = sql<
  string | null
>`cast(sum(attempts.cost / 1000000) as text) || ' ' || cast(sum(attempts.cost % 1000000) as text)`

/** Runs with what has become of their cells and money, counted anew each time: nothing can be out of step. */
export class RunList {
  readonly #db: TableReader
  readonly #dialect: SqlDialect
  readonly #readRows: ReadRows
  readonly #costOfCells

  constructor({ db, dialect, readRows }: { db: TableReader; dialect: SqlDialect; readRows: ReadRows }) {
    this.#db = db
    this.#dialect = dialect
    this.#readRows = readRows
    this.#costOfCells = compileTemplate<{ first: number; last: number }>((slot) => ({
      compile: () =>
        sql`SELECT count(*), count(cost), ${total} FROM attempts WHERE cell BETWEEN ${slot('first')} AND ${slot('last')}`.compile(
          db,
        ),
    }))
  }

  async list({ limit, offset, ids }: { limit?: number; offset?: number; ids?: readonly string[] } = {}): Promise<
    RunSummary[]
  > {
    if (ids?.length === 0) return []
    const summaries: RunSummary[] = []
    let first = offset ?? 0
    let wanted = limit ?? Number.POSITIVE_INFINITY
    while (wanted > 0) {
      const page = await this.#listPage(Math.min(runsAtOnce, wanted), first, ids)
      summaries.push(...page)
      if (page.length < runsAtOnce) break
      first += page.length
      wanted -= page.length
    }
    return summaries
  }

  async #listPage(limit: number, offset: number, ids: readonly string[] | undefined): Promise<RunSummary[]> {
    const runs = await this.#db
      .selectFrom('runs')
      .$if(ids !== undefined, (query) => query.where('id', 'in', (ids ?? []).map(encodeText)))
      .selectAll()
      .orderBy('started_at', 'desc')
      .orderBy('number', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    if (runs.length === 0) return []
    const numbers = runs.map(({ number }) => number)
    const statesOf = await this.#countStates(numbers)
    const costOf = this.#dialect === 'sqlite' ? await this.#sumCosts(numbers, statesOf) : await this.#sumByJoin(numbers)
    return runs.map((row): RunSummary => {
      const states = statesOf.get(row.number)
      const cost = costOf.get(row.number)
      const seriesId = readOptionalText(row.series_id)
      const testSuiteId = readOptionalText(row.suite_id)
      const testSuiteName = readOptionalText(row.suite_name)
      const { maxCost } =
        readOptionalJson<Partial<RunRequest>>(row.request, `The column request of run ${row.id}`) ?? {}
      return {
        id: decodeText(row.id),
        ...(seriesId !== undefined && { seriesId }),
        ...(testSuiteId !== undefined && { testSuiteId }),
        ...(testSuiteName !== undefined && { testSuiteName }),
        models: readJson<string[]>(row.models, `The column models of run ${row.id}`),
        status: row.status,
        startedAt: row.started_at,
        ...(row.completed_at !== null && { completedAt: row.completed_at }),
        ...(row.stop_reason !== null && { stopReason: row.stop_reason }),
        ...(maxCost !== undefined && { maxCost }),
        cells: {
          total: countAll(states),
          scored: countOf(states, 'scored'),
          unscored: countOf(states, 'unscored'),
          errors: countOf(states, 'error'),
          pending: countOf(states, 'pending', 'answered'),
        },
        cost: readSum(cost?.total ?? null) ?? 0,
        unknownCosts: cost ? cost.count - cost.known : 0,
      }
    })
  }

  async #countStates(numbers: number[]): Promise<Map<number, CountOfState[]>> {
    const rows = await this.#db
      .selectFrom('cells')
      .where('run', 'in', numbers)
      .groupBy(['run', 'state'])
      .select((eb) => ['run', 'state', eb.fn.countAll<number>().as('count')])
      .execute()
    return Map.groupBy(rows, (row) => row.run)
  }

  /** A run's cells follow one another, and so do their attempts in the index: three times as quick as a join. */
  async #sumCosts(numbers: number[], statesOf: Map<number, CountOfState[]>): Promise<Map<number, CostOfRun>> {
    const ends = await this.#db
      .selectFrom('runs')
      .where('number', 'in', numbers)
      .select([
        'number',
        sql<number | null>`(SELECT min(id) FROM cells WHERE run = number)`.as('first'),
        sql<number | null>`(SELECT max(id) FROM cells WHERE run = number)`.as('last'),
      ])
      .execute()
    const costs = new Map<number, CostOfRun>()
    const mixed: number[] = []
    for (const { number, first, last } of ends) {
      if (first === null || last === null) continue
      // With a gap there may be another run's cell in between.
      if (last - first + 1 !== countAll(statesOf.get(number))) mixed.push(number)
      else costs.set(number, await this.#sumRange(first, last))
    }
    if (mixed.length > 0) for (const [number, cost] of await this.#sumByJoin(mixed)) costs.set(number, cost)
    return costs
  }

  async #sumRange(first: number, last: number): Promise<CostOfRun> {
    const [[count, known, sum] = []] = await this.#readRows(this.#costOfCells({ first, last }))
    return { count: readInteger(count), known: readInteger(known), total: typeof sum === 'string' ? sum : null }
  }

  async #sumByJoin(numbers: number[]): Promise<Map<number, CostOfRun>> {
    const rows = await this.#db
      .selectFrom('cells')
      .innerJoin('attempts', 'attempts.cell', 'cells.id')
      .where('cells.run', 'in', numbers)
      .groupBy('cells.run')
      .select((eb) => [
        'cells.run',
        eb.fn.countAll<number>().as('count'),
        eb.fn.count<number>('attempts.cost').as('known'),
        total.as('total'),
      ])
      .execute()
    return new Map(rows.map((row) => [row.run, row]))
  }
}

const countAll = (states: CountOfState[] = []) => states.reduce((sum, { count }) => sum + count, 0)
const countOf = (states: CountOfState[] = [], ...wanted: CellState[]) =>
  countAll(states.filter(({ state }) => wanted.includes(state)))
