import {
  selectCases,
  sumDollars,
  type RunSummary,
  type ScoreTable,
  type Storage,
  type Suite,
} from '../../../contract/index.ts'
import { countCharacters, readPrompts, type Prompts } from '../../../report/model/contestants/templates.ts'
import type { Standings } from '../../../report/model/standings/standings.ts'
import type { ReportFigures } from '../../../report/model/summary.ts'
import { attachQueues } from '../../../services/index.ts'
import { notFound } from '../../http/refusal.ts'
import { createTitles, loadCaseFacts, type CaseFacts } from '../cases/case-facts.ts'
import { createCaseTable, type CaseTable } from '../cases/case-table.ts'
import { runJobIn, startThread, type BackgroundThread } from './background-thread.ts'
import { groupCases } from '../../../report/model/standings/groups.ts'
import type { CaseGroup } from './case-groups.ts'
import { shortenId } from './resolve-selection.ts'

/** A selection in memory: its numbers, without its texts. */
export interface LoadedSelection {
  ids: string[]
  summaries: RunSummary[]
  /** Of each run. */
  suites: (Suite | undefined)[]
  /** Of the last run that has one. */
  suite?: Suite
  scores: ScoreTable
  table: CaseTable
  facts: CaseFacts[]
  titleOf(caseId: string, maxLength?: number): string
  results: PendingResults
  /** The results with plans for another difference than the observed one, 0 to 1, or of some cases only. */
  resultsFor(smallestDifference: number | undefined, group?: CaseGroup | undefined): PendingResults
}

/** The leaderboard comes first; finding which differences are real may take longer. */
interface PendingResults {
  standings: Promise<Standings>
  summary: Promise<ReportFigures>
  /** The summary, once it is ready. */
  finished?: ReportFigures
}

/** Other results kept for each selection: users try a few differences and look at a few groups. */
const MAX_OTHERS = 8

/** This many cells, or pairs of models times cases, take a few hundredths of a second on this thread. */
const MAX_CELLS_INLINE = 4000
const MAX_PAIRED_CASES_INLINE = 12_000
/** Prompts of this length in all take a hundredth of a second to compare with each other. */
const MAX_CHARACTERS_INLINE = 50_000

/** True if comparing the runs would block this thread for too long. */
export function isLarge(summaries: readonly RunSummary[]): boolean {
  const cells = summaries.reduce((sum, { cells: { total } }) => sum + total, 0)
  const models = new Set(summaries.flatMap((summary) => summary.models)).size
  const pairs = (models * (models - 1)) / 2
  const cases = Math.max(...summaries.map((summary) => summary.cells.total / Math.max(1, summary.models.length)))
  return cells > MAX_CELLS_INLINE || pairs * cases > MAX_PAIRED_CASES_INLINE
}

/** True if looking for templates in the prompts would block this thread. */
export function isLongToCompare(prompts: Prompts): boolean {
  return countCharacters(prompts) > MAX_CHARACTERS_INLINE
}

export async function loadSelection(storage: Storage, summaries: RunSummary[]): Promise<LoadedSelection> {
  // Started now, so that it is ready when the numbers are loaded.
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
  const ids = summaries.map(({ id }) => id)
  const loaded = await storage.loadScores(ids)
  const missing = ids.find((id) => !loaded.scores.runs.some((run) => run.id === id))
  if (missing !== undefined) throw notFound(`Run ${shortenId(missing)}`)
  const scores = { ...loaded.scores, runs: await attachQueues(storage, loaded.scores.runs) }
  const suite = loaded.suites.findLast((own) => own !== undefined)
  const prompts = readPrompts(loaded.suites)
  const needsThread = isLarge(summaries) || isLongToCompare(prompts)
  const startOwn = () => (needsThread ? startThread() : undefined)
  const results = startSummary({ scores, summaries, prompts, thread: thread ?? startOwn() })
  const facts = await loadCaseFacts(scores.caseIds, suite)
  const others = new Map<string, PendingResults>()
  return {
    ids,
    summaries,
    suites: loaded.suites,
    ...(suite && { suite }),
    scores,
    results,
    resultsFor(smallestDifference, group) {
      if (smallestDifference === undefined && group === undefined) return results
      const key = JSON.stringify([smallestDifference, group])
      const cases = group && casesOf(facts, group)
      const found =
        others.get(key) ??
        startSummary({
          scores,
          summaries,
          prompts,
          thread: startOwn(),
          smallestDifference,
          cases,
        })
      others.delete(key)
      others.set(key, found)
      if (others.size > MAX_OTHERS) others.delete(others.keys().next().value!)
      return found
    },
    table: await createCaseTable(scores),
    titleOf: createTitles(suite),
    facts,
  }
}

interface SummaryStart {
  scores: ScoreTable
  summaries: readonly RunSummary[]
  prompts: Prompts
  thread: BackgroundThread | undefined
  smallestDifference?: number | undefined
  /** Only these cases, as indices in `caseIds`. */
  cases?: number[] | undefined
}

/** The cases of a group; refuses one without any. */
function casesOf(facts: readonly CaseFacts[], { by, value }: CaseGroup): number[] {
  const cases = groupCases(facts, by).get(value)
  if (!cases) throw notFound(`A case with the ${by} ${shortenId(value)}`)
  return cases
}

function startSummary({
  scores: all,
  summaries,
  prompts,
  thread,
  smallestDifference,
  cases,
}: SummaryStart): PendingResults {
  const scores = cases ? selectCases(all, cases) : all
  const caseCount = cases?.length ?? all.caseIds.length
  // Judges and failed attempts cannot be assigned to cases, so a group has the cost of its answers.
  const cost = cases
    ? undefined
    : {
        total: sumDollars(summaries.map((summary) => summary.cost)),
        unknown: summaries.reduce((sum, { unknownCosts }) => sum + unknownCosts, 0),
      }
  const standings = Promise.withResolvers<Standings>()
  const summary = Promise.withResolvers<ReportFigures>()
  const pending: PendingResults = { standings: standings.promise, summary: summary.promise }
  // Requests that wait for them get the error; without one, an unhandled rejection would end the process.
  for (const promise of [standings.promise, summary.promise]) promise.catch(() => {})
  runJobIn(thread, { kind: 'summarize', input: { scores, cost, caseCount, smallestDifference, prompts } }, (result) => {
    if (result.part === 'standings') standings.resolve(result.standings)
    else if (result.part === 'summary') {
      summary.resolve(result.summary)
      pending.finished = result.summary
    }
  }).catch((error: unknown) => {
    standings.reject(error)
    summary.reject(error)
  })
  return pending
}
