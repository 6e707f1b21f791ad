import { sumDollars, type RunResult, type RunSummary, type Storage, type Suite } from '../../../contract/index.ts'
import type { Standings } from '../../../report/model/standings.ts'
import type { ReportSummary } from '../../../report/model/summary.ts'
import { notFound } from '../../http/refusal.ts'
import { createTitles, describeCases, type CaseFacts } from '../cases/case-facts.ts'
import { createCaseTable, type CaseTable } from '../cases/case-table.ts'
import { runJobIn, startThread, type BackgroundThread } from './background-thread.ts'
import { gatherColumns, type Columns } from './run-columns.ts'
import { shortenId } from './resolve-selection.ts'

/** A run without its cells and without its suite. */
type RunHead = Omit<RunResult, 'results' | 'testSuiteSnapshot'>

/** A selection in memory: its numbers, never its texts. */
export interface LoadedSelection {
  ids: string[]
  runs: RunHead[]
  summaries: RunSummary[]
  suite?: Suite
  columns: Columns
  table: CaseTable
  facts: CaseFacts[]
  titleOf(caseId: string, longest?: number): string
  results: ResultsUnderWay
}

/** The leaderboard comes first; which differences are real may take longer. */
interface ResultsUnderWay {
  standings: Promise<Standings>
  summary: Promise<ReportSummary>
  /** The summary, once it is there. */
  finished?: ReportSummary
}

/** Cells, or pairs of models times cases, that take a few hundredths of a second here. */
const MOST_CELLS_HERE = 4000
const MOST_PAIRED_CASES_HERE = 12_000

/** Whether comparing so much takes longer than this thread may be held up. */
export function isLarge(summaries: readonly RunSummary[]): boolean {
  const cells = summaries.reduce((sum, { cells: { total } }) => sum + total, 0)
  const models = new Set(summaries.flatMap((summary) => summary.models)).size
  const pairs = (models * (models - 1)) / 2
  const cases = Math.max(...summaries.map((summary) => summary.cells.total / Math.max(1, summary.models.length)))
  return cells > MOST_CELLS_HERE || pairs * cases > MOST_PAIRED_CASES_HERE
}

export async function loadSelection(storage: Storage, summaries: RunSummary[]): Promise<LoadedSelection> {
  // Started now, so that it is up by the time the numbers are read.
  const thread = isLarge(summaries) ? startThread() : undefined
  try {
    return await load(storage, summaries, thread)
  } catch (error) {
    thread?.end()
    throw error
  }
}

async function load(
  storage: Storage,
  summaries: RunSummary[],
  thread: BackgroundThread | undefined,
): Promise<LoadedSelection> {
  const gathered = gatherColumns()
  const runs: RunHead[] = []
  let suite: Suite | undefined
  for (const { id } of summaries) {
    const run = await storage.loadRun(id, { texts: false })
    if (!run) throw notFound(`Run ${shortenId(id)}`)
    await gathered.add(run)
    const { results: _results, testSuiteSnapshot, ...head } = run
    suite = testSuiteSnapshot ?? suite
    runs.push(head)
  }
  const columns = gathered.finish()
  return {
    ids: summaries.map(({ id }) => id),
    runs,
    summaries,
    ...(suite && { suite }),
    columns,
    results: startSummary(columns, summaries, thread),
    table: await createCaseTable(columns),
    titleOf: createTitles(suite),
    facts: await describeCases(columns.caseIds, suite),
  }
}

function startSummary(
  columns: Columns,
  summaries: readonly RunSummary[],
  thread: BackgroundThread | undefined,
): ResultsUnderWay {
  const cost = {
    total: sumDollars(summaries.map((summary) => summary.cost)),
    unknown: summaries.reduce((sum, { unknownCosts }) => sum + unknownCosts, 0),
  }
  const standings = Promise.withResolvers<Standings>()
  const summary = Promise.withResolvers<ReportSummary>()
  const underWay: ResultsUnderWay = { standings: standings.promise, summary: summary.promise }
  // Each request that waits for them is told; one that nobody waits for must not end the program.
  for (const promise of [standings.promise, summary.promise]) promise.catch(() => {})
  runJobIn(thread, { kind: 'summarize', input: { columns, cost } }, (result) => {
    if (result.part === 'standings') standings.resolve(result.standings)
    else if (result.part === 'summary') {
      summary.resolve(result.summary)
      underWay.finished = result.summary
    }
  }).catch((error: unknown) => {
    standings.reject(error)
    summary.reject(error)
  })
  return underWay
}
