import type { JudgeAgreement, MissingSummary, ModelComparison, MultiRunStats } from '../../statistics/index.ts'
import type { ReportRow } from '../../report/index.ts'
import type { ModelParameters, RunStatus } from '../../contract/index.ts'
import type { Standings } from '../../report/model/standings.ts'
import type { ReportSummary } from '../../report/model/summary.ts'
import { isInterrupted } from '../runs/interrupted-runs.ts'
import type { ServerContext } from '../context.ts'
import { cutText, sizeOf } from './fit-texts.ts'
import type { LoadedSelection } from './selection/load-selection.ts'

/** GET /api/results/:selection: all figures, no cells. */
export interface ResultsView {
  title: string
  runs: {
    id: string
    status: RunStatus
    isLive: boolean
    isInterrupted: boolean
    startedAt?: number
    completedAt?: number
    parameters?: ModelParameters
    judgeModel?: string
    versions?: Record<string, string>
  }[]
  seriesId?: string
  suite?: {
    id?: string
    name: string
    cases: number
    systemPrompt?: string
    judgeSystemPrompt?: string
    categories: string[]
    tags: string[]
    methods: string[]
  }
  rows: ReportRow[]
  series: Record<string, MultiRunStats>
  comparisons: { comparison: ModelComparison; sentence: string }[]
  /** Which differences are real is still being worked out: `comparisons`, `groups` and ranks are empty. Ask again in a second. */
  pendingComparisons?: true
  /** Very many pairs do not fit: those left out, worst models last; any two can be had by the pair view. */
  comparisonsLeftOut?: number
  groups: string[][]
  overRuns: { line: string; modelId: string; flaky: string[] }[]
  /** For a series. `flaky`: at most 100 cases that passed in some runs only, of `flakyCount`. */
  repeats: Record<string, { passAtK: number[]; passHatK: number[]; flaky: string[]; flakyCount: number }>
  missing: MissingSummary[]
  agreement?: JudgeAgreement
  method: string[]
  cost: { total: number; unknown: number }
  /** False when nobody said what anything cost: that is not 0. */
  isCostKnown: boolean
  totalCells: number
  isSimulated: boolean
}

const MOST_FLAKY = 100
const MOST_LABELS = 500
const LONGEST_PROMPT = 50_000
const LONGEST_TITLE = 500

/** Half of what a reply may have; twelve hundred pairs of models fit. */
const ROOM_FOR_COMPARISONS = 500_000

async function describeRuns({ runs }: LoadedSelection, context: ServerContext): Promise<ResultsView['runs']> {
  const described: ResultsView['runs'] = []
  for (const run of runs) {
    const { id, status = 'completed', startedAt, completedAt, parameters, judgeModel, versions } = run
    described.push({
      id,
      status,
      isLive: context.runs.isLive(id),
      isInterrupted: await isInterrupted(run, context),
      ...(startedAt !== undefined && { startedAt }),
      ...(completedAt !== undefined && { completedAt }),
      ...(parameters && { parameters }),
      ...(judgeModel !== undefined && { judgeModel }),
      ...(versions && { versions }),
    })
  }
  return described
}

function describeSuite({ suite, runs, facts, columns }: LoadedSelection): ResultsView['suite'] {
  const last = runs.at(-1)
  const name = suite?.name ?? last?.testSuiteName
  if (name === undefined) return undefined
  const distinct = (labels: string[]) => [...new Set(labels)].slice(0, MOST_LABELS)
  return {
    ...(last?.testSuiteId !== undefined && { id: last.testSuiteId }),
    name: cutText(name, LONGEST_TITLE),
    cases: columns.caseIds.length,
    ...(suite?.systemPrompt !== undefined && { systemPrompt: cutText(suite.systemPrompt, LONGEST_PROMPT) }),
    ...(suite?.judgeSystemPrompt !== undefined && {
      judgeSystemPrompt: cutText(suite.judgeSystemPrompt, LONGEST_PROMPT),
    }),
    categories: distinct(facts.flatMap(({ category }) => category ?? [])),
    tags: distinct(facts.flatMap(({ tags }) => tags)),
    methods: distinct(facts.flatMap(({ methods }) => methods)),
  }
}

/** The pairs that fit, best models first. */
function fitComparisons({ comparisons }: ReportSummary): Pick<ResultsView, 'comparisons' | 'comparisonsLeftOut'> {
  let room = ROOM_FOR_COMPARISONS
  const fitting = comparisons.findIndex((comparison) => (room -= sizeOf(comparison)) < 0)
  if (fitting < 0) return { comparisons }
  return { comparisons: comparisons.slice(0, fitting), comparisonsLeftOut: comparisons.length - fitting }
}

function describeComparisons(
  summary: ReportSummary | undefined,
): Pick<ResultsView, 'comparisons' | 'pendingComparisons' | 'comparisonsLeftOut' | 'groups' | 'method'> {
  if (!summary) return { comparisons: [], pendingComparisons: true, groups: [], method: [] }
  return { ...fitComparisons(summary), groups: summary.groups, method: summary.method }
}

function describeRepeats({ repeats, overRuns }: Standings): Pick<ResultsView, 'repeats' | 'overRuns'> {
  return {
    overRuns: overRuns.map(({ flaky, ...rest }) => ({ ...rest, flaky: flaky.slice(0, MOST_FLAKY) })),
    repeats: Object.fromEntries(
      [...repeats].map(([modelId, { passAtK, passHatK, flaky }]) => [
        modelId,
        { passAtK, passHatK, flaky: flaky.slice(0, MOST_FLAKY), flakyCount: flaky.length },
      ]),
    ),
  }
}

/** Waits so long for which differences are real before the rest is sent without: few cells need less, very many need seconds. */
const PATIENCE_MS = 150
const VERY_MANY_CELLS = 20_000

/** Everything about a selection but its cells. */
export async function createResultsView(selection: LoadedSelection, context: ServerContext): Promise<ResultsView> {
  const { results, summaries, suite, runs } = selection
  const standings = await results.standings
  const totalCells = summaries.reduce((sum, { cells }) => sum + cells.total, 0)
  if (!results.finished && totalCells < VERY_MANY_CELLS)
    await Promise.race([results.summary, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
  const { finished } = results
  const { title, rows, series, missing, agreement, cost, isCostKnown } = finished ?? standings
  const seriesIds = new Set(runs.map(({ seriesId }) => seriesId))
  const [seriesId] = seriesIds
  const described = describeSuite(selection)
  return {
    title: cutText(suite?.name ?? title, LONGEST_TITLE),
    runs: await describeRuns(selection, context),
    ...(seriesIds.size === 1 && seriesId !== undefined && { seriesId }),
    ...(described && { suite: described }),
    rows,
    series: Object.fromEntries(series),
    ...describeComparisons(finished),
    ...describeRepeats(standings),
    missing,
    ...(agreement && { agreement }),
    cost,
    isCostKnown,
    totalCells,
    isSimulated: rows.some(({ isSimulated }) => isSimulated),
  }
}
