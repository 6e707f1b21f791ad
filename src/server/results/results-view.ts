import type { PeopleRatings } from '../../statistics/index.ts'
import {
  countPending,
  decidingOf,
  type RunKind,
  type RunRequest,
  type RunSummary,
  type ScoredRun,
  type Storage,
} from '../../contract/index.ts'
import { buildVerdictCard, type VerdictCard } from '../../report/model/verdict/verdict-card.ts'
import { listCorrectedPairs, listPeopleNotes } from '../../report/words/index.ts'
import { findStandings, isScoredElsewhere, requestOf } from '../../services/index.ts'
import type { CaseGroup } from './selection/case-groups.ts'
import { countClusters, listGaps, type SeriesStats } from '../../report/model/standings/standings.ts'
import { buildHosts } from '../../report/model/contestants/hosts.ts'
import type { ReportFigures, ReportSummary } from '../../report/model/summary.ts'
import { buildWordings } from '../../report/model/contestants/wordings.ts'
import { findServedActivity, type ServedActivity } from '../runs/run-activity.ts'
import type { ServerContext } from '../context.ts'
import { cutText, sizeOf } from './fit-texts.ts'
import type { LoadedSelection } from './selection/load-selection.ts'

/** A run as a page lists it: without its cells, its suite and the rest of its request. */
type ServedRun = ServedActivity &
  Omit<ScoredRun, 'suite' | 'request' | 'models' | 'ratingQueues'> &
  Pick<RunRequest, 'startedBy' | 'project' | 'modelParameters'>

/** GET /api/results/:selection: the report's figures without its cells, cut to what fits into a reply. */
export interface ResultsView
  extends
    Pick<
      ReportFigures,
      | 'title'
      | 'caseCount'
      | 'clusterCount'
      | 'rows'
      | 'comparisons'
      | 'costs'
      | 'byHistory'
      | 'groups'
      | 'missing'
      | 'shared'
      | 'leader'
      | 'agreement'
      | 'method'
      | 'cost'
      | 'isCostKnown'
    >,
    Pick<ReportSummary, 'hosts' | 'wordings'> {
  /** Of the last run. */
  kind: RunKind
  runs: ServedRun[]
  seriesId?: string
  suite?: {
    id?: string
    name: string
    cases: number
    /** How many clusters they are in. */
    clusters: number
    systemPrompt?: string
    judgeSystemPrompt?: string
    categories: string[]
    tags: string[]
    difficulties: string[]
    methods: string[]
  }
  /** If only some of the cases are shown. */
  group?: CaseGroup
  verdictCard: VerdictCard
  /** What a resume would do; absent if there is nothing to resume. */
  resume?: ResumeFacts
  /** The stored request can be started again. */
  again?: { models: string[]; repeat: number }
  /** `repeats.flaky` has at most 100 of the `flakyCount` cases that passed in only some runs. */
  series: (SeriesStats & { flakyCount?: number })[]
  /** Comparisons are still being computed: `comparisons`, `groups` and ranks are empty. Request again in a second. */
  pendingComparisons?: true
  /** The number of pairs that did not fit, from the worst models; the pair view can still compare any two. */
  comparisonsLeftOut?: number
  /** What people's ratings say; absent without ratings. */
  people?: PeopleRatings & { notes: string[] }
  totalCells: number
}

interface ResumeFacts {
  runId: string
  /** Cells without an answer, in runs that have not started too. */
  notRun: number
  /** Runs of its series that have not started. */
  runsNotStarted?: number
  errors: number
  /** Set if it stopped at its budget: it then needs a higher one. */
  usedUpBudget?: number
}

const MAX_FLAKY = 100
const MAX_LABELS = 500
const MAX_PROMPT_LENGTH = 50_000
const MAX_TITLE_LENGTH = 500

/** Half of the size limit of a reply; twelve hundred pairs of models fit. */
const ROOM_FOR_COMPARISONS = 500_000

async function listRuns({ scores: { runs } }: LoadedSelection, context: ServerContext): Promise<ServedRun[]> {
  const activityOf = await findServedActivity(runs, context)
  return runs.map(({ suite: _suite, models: _models, ratingQueues: _queues, request, ...run }) => ({
    ...run,
    ...activityOf(run.id),
    ...(request?.startedBy && { startedBy: request.startedBy }),
    ...(request?.project !== undefined && { project: request.project }),
    ...(request?.modelParameters && { modelParameters: request.modelParameters }),
  }))
}

function toSuiteView({ suite, facts, scores }: LoadedSelection): ResultsView['suite'] {
  const { runs, caseIds } = scores
  const last = runs.at(-1)
  const name = suite?.name ?? last?.testSuiteName
  if (name === undefined) return undefined
  const distinct = (labels: string[]) => [...new Set(labels)].slice(0, MAX_LABELS)
  return {
    ...(last?.testSuiteId !== undefined && { id: last.testSuiteId }),
    name: cutText(name, MAX_TITLE_LENGTH),
    cases: caseIds.length,
    clusters: countClusters(scores, caseIds.keys()),
    ...(suite?.systemPrompt !== undefined && { systemPrompt: cutText(suite.systemPrompt, MAX_PROMPT_LENGTH) }),
    ...(suite?.judgeSystemPrompt !== undefined && {
      judgeSystemPrompt: cutText(suite.judgeSystemPrompt, MAX_PROMPT_LENGTH),
    }),
    categories: distinct(facts.flatMap(({ category }) => category ?? [])),
    tags: distinct(facts.flatMap(({ tags }) => tags)),
    difficulties: distinct(facts.flatMap(({ difficulty }) => difficulty ?? [])),
    methods: distinct(facts.flatMap(({ methods }) => methods)),
  }
}

/** The pairs that fit, best models first. */
function fitComparisons({ comparisons }: ReportFigures): Pick<ResultsView, 'comparisons' | 'comparisonsLeftOut'> {
  let room = ROOM_FOR_COMPARISONS
  const fitting = comparisons.findIndex((comparison) => (room -= sizeOf(comparison)) < 0)
  if (fitting < 0) return { comparisons }
  return { comparisons: comparisons.slice(0, fitting), comparisonsLeftOut: comparisons.length - fitting }
}

function toComparisonsView(
  summary: ReportFigures | undefined,
): Pick<ResultsView, 'comparisons' | 'pendingComparisons' | 'comparisonsLeftOut' | 'groups' | 'method'> {
  if (!summary) return { comparisons: [], pendingComparisons: true, groups: [], method: [] }
  return { ...fitComparisons(summary), groups: summary.groups, method: summary.method }
}

function cutFlaky({ repeats, ...stats }: SeriesStats): ResultsView['series'][number] {
  if (!repeats) return stats
  const { flaky } = repeats
  return { ...stats, repeats: { ...repeats, flaky: flaky.slice(0, MAX_FLAKY) }, flakyCount: flaky.length }
}

/** All runs of a series, whether they were selected or not. */
async function listMembers(seriesId: string, storage: Storage): Promise<RunSummary[]> {
  return storage.listRuns({ ids: await storage.runsOfSeries(seriesId) })
}

/** The first run with work left: resuming it finishes its whole series. */
async function findResume(
  { scores: { runs }, summaries }: LoadedSelection,
  storage: Storage,
): Promise<ResumeFacts | undefined> {
  const open = summaries.findIndex(
    (summary) => countPending(summary) + summary.cells.errors > 0 || summary.status !== 'completed',
  )
  const found = runs[open]
  if (!found || isScoredElsewhere(found)) return undefined
  const { seriesId } = found
  const members =
    seriesId === undefined ? summaries.filter(({ id }) => id === found.id) : await listMembers(seriesId, storage)
  const { repeat } = requestOf({ ...found, results: [] })
  const runsNotStarted = Math.max(0, repeat - members.length)
  const notStarted = runsNotStarted * (members[0]?.cells.total ?? 0)
  const used = members.find(({ stopReason }) => stopReason === 'budget')?.maxCost
  return {
    runId: found.id,
    notRun: notStarted + members.reduce((sum, summary) => sum + countPending(summary), 0),
    ...(runsNotStarted > 0 && { runsNotStarted }),
    errors: members.reduce((sum, { cells }) => sum + cells.errors, 0),
    ...(used !== undefined && { usedUpBudget: used }),
  }
}

/** Runs that are missing here because they have not started; of one run of a series, nothing is missing. */
function findPlanned({ summaries, scores: { runs } }: LoadedSelection, resume: ResumeFacts | undefined): number {
  const [first] = runs
  const isWhole = first?.seriesId !== undefined && runs.every(({ seriesId }) => seriesId === first.seriesId)
  return isWhole && summaries.length > 1 ? (resume?.runsNotStarted ?? 0) : 0
}

/** The models that these runs were asked to run, each once. */
export function listRequestedModels(runs: readonly ScoredRun[]): string[] {
  return [...new Set(runs.flatMap((run) => requestOf({ ...run, results: [] }).models))]
}

function findAgain({ scores: { runs }, suite }: LoadedSelection): ResultsView['again'] {
  const last = runs.at(-1)
  if (!last || !suite || isScoredElsewhere(last)) return undefined
  return { models: listRequestedModels(runs), repeat: requestOf({ ...last, results: [] }).repeat }
}

/**
 * How long to wait for the comparisons before sending the rest without them: few cells need less, very many need
 * seconds and are not waited for.
 */
const COMPARISON_WAIT_MS = 500
const MAX_CELLS_TO_WAIT_FOR = 20_000

/** What a report says about hosts and wordings, of the whole suite. */
function answerForAll(
  { scores, suites }: LoadedSelection,
  { rows }: ReportFigures,
  sameWithin: number | undefined,
): Pick<ResultsView, 'hosts' | 'wordings'> {
  const hosts = buildHosts(scores, { rows, sameWithin })
  const wordings = buildWordings(
    scores,
    suites,
    rows.map(({ modelId }) => modelId),
  )
  return { ...(hosts && { hosts }), ...(wordings && { wordings }) }
}

/** Everything about a selection except its cells. */
export async function createResultsView(
  selection: LoadedSelection,
  context: ServerContext,
  { smallestDifference, group }: { smallestDifference?: number | undefined; group?: CaseGroup | undefined } = {},
): Promise<ResultsView> {
  const { summaries, suite } = selection
  const { runs } = selection.scores
  const results = selection.resultsFor(smallestDifference, group)
  const standings = await results.standings
  const totalCells = summaries.reduce((sum, { cells }) => sum + cells.total, 0)
  if (!results.finished && totalCells < MAX_CELLS_TO_WAIT_FOR)
    await Promise.race([results.summary, new Promise((resolve) => setTimeout(resolve, COMPARISON_WAIT_MS))])
  const { finished } = results
  const { title, rows, series, agreement, people, ratingQueues, cost, isCostKnown } = finished ?? standings
  const isDeciding = runs.every(({ request }) => request && decidingOf(request))
  const seriesIds = new Set(runs.map(({ seriesId }) => seriesId))
  const [seriesId] = seriesIds
  const described = toSuiteView(selection)
  const describedRuns = await listRuns(selection, context)
  const comparisons = finished?.comparisons ?? []
  const [resume, again] = [await findResume(selection, context.storage), findAgain(selection)]
  return {
    title: cutText(suite?.name ?? title, MAX_TITLE_LENGTH),
    kind: runs.at(-1)?.kind ?? 'suite',
    runs: describedRuns,
    ...(seriesIds.size === 1 && seriesId !== undefined && { seriesId }),
    ...(described && { suite: described }),
    ...(group && { group }),
    verdictCard: buildVerdictCard({
      rows,
      comparisons,
      ...(agreement && { agreement }),
      judging: finished?.judging,
      decisions: finished?.decisions,
      templates: finished?.templates,
      runs: describedRuns.map((run, index) => ({ ...run, request: { maxCost: summaries[index]?.maxCost } })),
      calibrations: await findStandings(runs, context.storage),
      left: resume ?? { notRun: 0, errors: 0 },
      runsNotStarted: findPlanned(selection, resume),
      isRated: people?.models.some(({ ratedCases }) => ratedCases > 0) ?? false,
      isPending: !finished,
    }),
    ...(resume && { resume }),
    ...(again && { again }),
    caseCount: standings.caseCount,
    clusterCount: standings.clusterCount,
    rows,
    series: series.map(cutFlaky),
    ...toComparisonsView(finished),
    // Drawn from the whole suite: a part of its cases is another sample.
    ...(!group && finished?.byHistory && { byHistory: finished.byHistory }),
    ...(!group && finished && answerForAll(selection, finished, smallestDifference)),
    ...(finished?.costs && { costs: finished.costs }),
    missing: listGaps(standings, { isDeciding }),
    ...(standings.shared && { shared: standings.shared }),
    ...(standings.leader && { leader: standings.leader }),
    ...(agreement && { agreement }),
    ...(people && {
      people: { ...people, notes: [...listCorrectedPairs(people), ...listPeopleNotes(people, ratingQueues)] },
    }),
    cost,
    isCostKnown,
    totalCells,
  }
}
