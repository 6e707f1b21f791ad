/**
 * Every kind of reply that reads stored cells, on PostgreSQL with 100,000 and then with 1,000,000 of them: runs of 5,000
 * cells, five of them a suite, so that the first page of runs is full in both. Medians of three first replies, so that no
 * cache helps. Run: `node bench/team/million.ts [cells …] [--only=WORDS] [--sqlite] [--explain]`. `--only` asks only for
 * replies whose name contains the words; `--explain` prints the plan of every query of the last size that took more than
 * 1 ms on the server.
 */
import pg from 'pg'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ServerContext } from '../../src/server/context.ts'
import type { Storage } from '../../src/contract/index.ts'
import { teamRoutes } from '../../src/server/access/team-routes.ts'
import { codeArenaRoutes } from '../../src/server/code-arena/routes.ts'
import { comparingRoutes } from '../../src/server/comparing/routes.ts'
import { auditRoutes } from '../../src/server/judges/audit-routes.ts'
import { judgeRoutes } from '../../src/server/judges/routes.ts'
import { rankingRoutes } from '../../src/server/rankings/routes.ts'
import { ratingRoutes } from '../../src/server/ratings/routes.ts'
import { compareRoutes } from '../../src/server/results/compare/compare-routes.ts'
import { resultsRoutes } from '../../src/server/results/routes.ts'
import { runRoutes } from '../../src/server/runs/routes.ts'
import { suiteRoutes } from '../../src/server/suites/routes.ts'
import { startRouteServer } from '../../src/server/testing/route-server.ts'
import { openStorage } from '../../src/storage/index.ts'
import { startPostgres } from '../../src/storage/testing/postgres-server.ts'

const options = process.argv.slice(2)
const [isExplained, isSqlite] = ['--explain', '--sqlite'].map((name) => options.includes(name))
const only = options.find((option) => option.startsWith('--only='))?.slice('--only='.length) ?? ''
const named = options.filter((option) => !option.startsWith('--')).map(Number)
const sizes = named.length > 0 ? named : [100_000, 1_000_000]

const MODELS = Array.from({ length: 10 }, (_, index) => `lab/model-${index}`)
const CASES = 500
const RUNS_PER_SUITE = 5
const ROUNDS = 3
const LOG_ENTRIES_PER_RUN = 50
const testCases = Array.from({ length: CASES }, (_, index) => ({
  id: `case-${index}`,
  prompt: `Question ${index}: what follows from the text?`,
  expectedOutput: 'yes',
  scoringMethod: 'exact-match',
  weight: 1,
  metadata: { category: `category ${index % 12}`, tags: [`tag ${index % 30}`] },
}))

/** The rows of one run, as the engine leaves them; valid in both databases. */
const rowsOfRun = (run: number, series: string) => [
  `INSERT INTO cells (run, case_id, model_id, state, outcome)
    SELECT ${run}, 'case-' || (place / 10), 'lab/model-' || (place % 10), 'scored', 'ok' FROM ${series} ORDER BY place`,
  `INSERT INTO attempts (cell, purpose, asked_model, started_at, ended_at, outcome, cost, latency_ms)
    SELECT id, 'answer', model_id, ${Date.now()}, ${Date.now() + 2}, 'ok', 123400000 + id, 812.25 FROM cells WHERE run = ${run}`,
  `INSERT INTO answers (cell, attempt, outcome, prompt_tokens, completion_tokens, cost, latency_ms, first_token_ms, finish_reason, response)
    SELECT cell, attempts.id, 'ok', 120, 80, attempts.cost, 800.25 + cell % 1000, 201.5, 'stop', 'The answer to ' || case_id || ' follows from what was said before, step by step, and was found by ' || model_id || '. ' || (cell * 7919 % 1000003)
    FROM attempts JOIN cells ON cells.id = cell WHERE run = ${run}`,
  `INSERT INTO scores (cell, score, confidence, raw_score, max_score, notes)
    SELECT id, (id * 7919 % 101) / 100.0, 1, id % 11, 10, 'expected text found' FROM cells WHERE run = ${run}`,
  `UPDATE runs SET started_by = 'person-${run % 10}' WHERE number = ${run}`,
  // As many as end together in one transaction at 20 requests in flight.
  `INSERT INTO spending (run, person, at, cost) SELECT runs.id, started_by, min(attempts.started_at), sum(attempts.cost)
    FROM runs JOIN cells ON run = number JOIN attempts ON cell = cells.id WHERE number = ${run}
    GROUP BY runs.id, started_by, cells.id / 10`,
]

const SERIES = {
  postgres: `generate_series(0, ${CASES * MODELS.length - 1}) AS places (place)`,
  sqlite: `(WITH RECURSIVE places (place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM places WHERE place < ${CASES * MODELS.length - 1}) SELECT place FROM places)`,
}

interface Tested {
  open: () => Promise<Storage>
  execute: (sql: string) => Promise<unknown>
  series: string
  analyse: string[]
}

async function fill({ open, execute, series, analyse }: Tested, from: number, to: number): Promise<void> {
  const storage = await open()
  for (let run = from; run < to; run++) {
    const suiteId = `suite-${Math.floor(run / RUNS_PER_SUITE)}`
    const suite = { name: suiteId, testCases }
    if (run % RUNS_PER_SUITE === 0) await storage.saveDocument({ kind: 'suite', id: suiteId, content: { suite } })
    const seen = { testSuiteId: suiteId, testSuiteName: suiteId, testSuiteSnapshot: suite }
    const id = `run-${run}`
    const startedAt = Date.now()
    const startedBy = { id: `person-${run % 10}`, name: `Person ${run % 10}` }
    await storage.createRun({ id, kind: 'suite', models: MODELS, startedAt, ...seen }, [])
    for (const sql of rowsOfRun(run + 1, series)) await execute(sql)
    await storage.setRunStatus(id, 'completed', { completedAt: startedAt })
    const cell = { runId: id, testCaseId: 'case-1', modelId: MODELS[1]! }
    await storage.saveRating(cell, { rating: 0.8, note: 'good' }, { rater: 'ann' })
    for (let entry = 0; entry < LOG_ENTRIES_PER_RUN; entry++)
      await storage.access.addActivity({ at: startedAt, person: startedBy, action: 'run started', object: id })
  }
  await storage.close()
  for (const sql of analyse) await execute(sql)
}

const routes = [
  runRoutes,
  suiteRoutes,
  resultsRoutes,
  compareRoutes,
  comparingRoutes,
  codeArenaRoutes,
  judgeRoutes,
  auditRoutes,
  rankingRoutes,
  ratingRoutes,
  (context: ServerContext) => teamRoutes(context, { publicUrl: () => 'http://127.0.0.1', isSecure: false }),
]

const allReplies: Record<string, string> = {
  'list of runs': '/runs?limit=20',
  'search for a run': '/runs?limit=20&search=suite-1',
  'list of suites': '/suites',
  'live page of a finished run': '/runs/run-3/events',
  results: '/results/run-3',
  'cases, first page': '/results/run-3/cases?limit=100',
  'cases, first page with answers': '/results/run-3/cases?limit=100&answers=1',
  'cases, search in answers': '/results/run-3/cases?limit=100&search=case-77',
  'one case': '/results/run-3/case?id=case-250',
  'groups by tag': '/results/run-3/groups?by=tag',
  'two models': '/results/run-3/compare?a=lab/model-0&b=lab/model-1',
  'two runs': '/compare?a=run-3&b=run-4',
  'one exchange': '/runs/run-3/exchange?case=case-5&model=lab/model-1',
  'trend of a suite': '/suites/suite-1/trend',
  'history of a suite': '/suites/suite-1/history',
  'problems of a suite': '/suites/suite-1/findings',
  'search for a model': '/runs?limit=20&search=model-9',
  'label of a run': '/runs/run-3/label',
  'judging of a run': '/results/run-3/judging',
  'one answer': '/results/run-3/answer?id=case-5&run=run-3&model=lab/model-1',
  'export as CSV': '/results/run-3/export?format=csv',
  'export as HTML': '/results/run-3/export?format=html',
  'two runs, cases': '/compare/cases?a=run-3&b=run-4&modelA=lab/model-1&modelB=lab/model-1&limit=100',
  'two runs, export': '/compare/export?a=run-3&b=run-4&format=html',
  'ranking of all suites': '/rankings',
  'ranking of one suite': '/rankings?suite=suite-1',
  'Code Arena, history': '/code-arena?limit=20',
  'Code Arena, ranking': '/code-arena/ranking',
  'samples for judges': '/judges/samples',
  'agreement of judges': '/judges/agreement',
  calibrations: '/calibrations',
  audits: '/audits',
  'rating queues': '/ratings',
  'the team and what it spent': '/team',
  'log of the team': '/team/log?limit=50',
  'log of the team, search': '/team/log?limit=50&search=run-3',
}

const replies = Object.fromEntries(Object.entries(allReplies).filter(([label]) => label.includes(only)))

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Each round has a server of its own, whose caches are empty. */
async function measure({ open }: Tested): Promise<Map<string, number>> {
  const times = new Map(Object.keys(replies).map((label): [string, number[]] => [label, []]))
  for (let round = 0; round < ROUNDS; round++)
    for (const [label, path] of Object.entries(replies)) {
      const server = await startRouteServer(routes, { openDatabase: open })
      const start = performance.now()
      const reply = await server.request(path)
      const body = await reply.text()
      times.get(label)!.push(performance.now() - start)
      if (!reply.ok && round === 0) console.error(`${path}: ${reply.status} ${body}`)
      await server.close()
    }
  return new Map([...times].map(([label, values]) => [label, median(values)]))
}

/** Runs `work` and returns the SELECT statements that it sent. */
async function recordQueries(work: () => Promise<unknown>): Promise<Map<string, unknown[]>> {
  const queries = new Map<string, unknown[]>()
  const original = pg.Client.prototype.query
  const record = function (this: pg.Client, ...args: unknown[]): unknown {
    const [text, values] = args
    if (typeof text === 'string' && /^\s*select/i.test(text)) queries.set(text, Array.isArray(values) ? values : [])
    return Reflect.apply(original, this, args)
  }
  Reflect.set(pg.Client.prototype, 'query', record)
  try {
    await work()
  } finally {
    Reflect.set(pg.Client.prototype, 'query', original)
  }
  return queries
}

async function explain({ open }: Tested, client: pg.Client): Promise<void> {
  for (const [label, path] of Object.entries(replies)) {
    const server = await startRouteServer(routes, { openDatabase: open })
    const queries = await recordQueries(async () => (await server.request(path)).arrayBuffer())
    await server.close()
    for (const [text, values] of queries) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, values)
      const plan = rows.map((row) => row['QUERY PLAN'])
      const took = Number(/Execution Time: ([\d.]+)/.exec(plan.join('\n'))?.[1])
      if (took > 1) console.log(`\n${label}: ${took} ms\n${text}\n${plan.join('\n')}`)
    }
  }
}

async function compareSizes(title: string, tested: Tested): Promise<void> {
  const measured: Map<string, number>[] = []
  let runs = 0
  for (const size of sizes) {
    const wanted = Math.max(RUNS_PER_SUITE, Math.round(size / (CASES * MODELS.length)))
    const start = performance.now()
    await fill(tested, runs, wanted)
    runs = wanted
    console.log(
      `${title}: ${size.toLocaleString('en')} cells are stored (${((performance.now() - start) / 1000).toFixed(0)} s)`,
    )
    measured.push(await measure(tested))
  }
  for (const label of Object.keys(replies)) {
    const times = measured.map((each) => each.get(label)!)
    const ratio = times.at(-1)! / times[0]!
    console.log(
      `${label.padEnd(34)}${times.map((time) => `${time.toFixed(0).padStart(7)} ms`).join('')}   × ${ratio.toFixed(2)}`,
    )
  }
}

async function measurePostgres(): Promise<void> {
  const server = await startPostgres({ isDurable: true })
  const connectionString = await server.createDatabase()
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const tested: Tested = {
      open: () => openStorage({ connectionString }),
      execute: (sql) => client.query(sql),
      series: SERIES.postgres,
      analyse: ['VACUUM ANALYZE'],
    }
    await compareSizes('PostgreSQL', tested)
    if (isExplained) await explain(tested, client)
  } finally {
    await client.end()
    await server.stop()
  }
}

async function measureSqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-bench-'))
  const file = join(folder, 'benchmaker.db')
  try {
    await compareSizes('SQLite', {
      open: () => openStorage({ file }),
      execute: async (sql) => {
        const database = new DatabaseSync(file, { timeout: 10_000 })
        database.exec(sql)
        database.close()
      },
      series: SERIES.sqlite,
      analyse: [],
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await measurePostgres()
if (isSqlite) await measureSqlite()
