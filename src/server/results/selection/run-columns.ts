import {
  hasPassed,
  readPassMarks,
  type CellResult,
  type Outcome,
  decidingOf,
  isCutShort,
  type RatingQueue,
  type RunRequest,
  type RunResult,
  type RunStatus,
  type StopReason,
  type Suite,
} from '../../../contract/index.ts'
import { createPauses } from './pauses.ts'

/**
 * The numbers of runs in columns: what statistics and the grid of cases need from each cell. A hundred thousand cells
 * as objects would take ten times the memory, and passing them to another thread would block this one.
 */
export interface Columns {
  caseIds: string[]
  modelIds: string[]
  /** Codes of unscored cells; a cell stores its index in this list plus one, or 0. */
  codes: string[]
  judges: string[]
  runs: RunColumns[]
}

export interface RunColumns {
  run: RunFacts
  /** The cases that the run asks, as indices in `caseIds`. */
  asked: Uint32Array
  /** Weights other than 1, by index in `caseIds`. */
  weights: { cases: Uint32Array; values: Float64Array }
  /** Indices in `caseIds` and `modelIds`, one per cell. */
  cases: Uint32Array
  models: Uint32Array
  /** NaN if there is no score. */
  scores: Float64Array
  /** 1 if the score reaches the pass mark of the case. */
  passed: Uint8Array
  /** Index in `outcomes` plus one, or 0. */
  outcomes: Uint8Array
  codes: Uint16Array
  hasError: Uint8Array
  isRated: Uint8Array
  /** NaN if unknown. */
  latency: Float64Array
  firstToken: Float64Array
  cost: Float64Array
  /** When an answer from the cache was given; NaN for all others. */
  cachedAt: Float64Array
  /** Each judge's verdict, for answers graded by several judges. */
  verdicts: { cells: Uint32Array; judges: Uint16Array; scores: Float64Array }
  /** What people said, without their notes: few cells have it. */
  ratings: ({ cell: number } & Pick<CellResult, 'rating' | 'ratings'>)[]
}

/** A run without its cells and its suite. */
interface RunFacts {
  id: string
  seriesId?: string
  suiteName?: string
  models: string[]
  /** How old cached answers were then. */
  startedAt?: number
  status?: RunStatus
  ratingQueues?: RatingQueue[]
  stopReason?: StopReason
  /** Only of a run that decides, whose order of cases the statistics need; absent if only some cases are selected. */
  request?: RunRequest
}

export const outcomes: readonly Outcome[] = [
  'ok',
  'empty',
  'refusal',
  'filtered',
  'truncated',
  'error',
  'timeout',
  'cancelled',
]
const ANSWERED: ReadonlySet<Outcome> = new Set<Outcome>(['ok', 'empty', 'refusal', 'filtered', 'truncated'])

/** Gives each distinct text an index in a growing list. */
function createIndex() {
  const texts: string[] = []
  const indices = new Map<string, number>()
  return {
    texts,
    indexOf(text: string): number {
      let index = indices.get(text)
      if (index === undefined) {
        index = texts.length
        texts.push(text)
        indices.set(text, index)
      }
      return index
    },
  }
}

/** Collects runs one by one; cases are in suite order, followed by those that appear only in results. */
export function gatherColumns() {
  const [cases, models, codes, judges] = [createIndex(), createIndex(), createIndex(), createIndex()]
  const runs: RunColumns[] = []

  const readVerdicts = (
    { score }: CellResult,
    cell: number,
    verdicts: { cells: number[]; judges: number[]; scores: number[] },
  ) => {
    const grades = score?.judges ?? (score?.checks ?? []).flatMap((check) => check.judges ?? [])
    if (grades.length < 2) return
    for (const { judgeModelId, score: grade } of grades) {
      verdicts.cells.push(cell)
      verdicts.judges.push(judges.indexOf(judgeModelId))
      verdicts.scores.push(grade)
    }
  }

  return {
    async add(run: RunResult): Promise<void> {
      const { id, seriesId, testSuiteName, testSuiteSnapshot, status, stopReason, request, results, ratingQueues } = run
      const pauses = createPauses()
      const markOf = readPassMarks(testSuiteSnapshot)
      const asked = testSuiteSnapshot
        ? Uint32Array.from(testSuiteSnapshot.testCases, ({ id: caseId }) => cases.indexOf(caseId))
        : undefined
      for (const modelId of run.models) models.indexOf(modelId)
      const columns = allocate(results.length)
      const ratings: RunColumns['ratings'] = []
      const verdicts = { cells: new Array<number>(), judges: new Array<number>(), scores: new Array<number>() }
      for (const [cell, result] of results.entries()) {
        columns.cases[cell] = cases.indexOf(result.testCaseId)
        columns.models[cell] = models.indexOf(result.modelId)
        columns.scores[cell] = result.score?.score ?? Number.NaN
        columns.passed[cell] = result.score && hasPassed(result.score, markOf(result.testCaseId)) ? 1 : 0
        columns.outcomes[cell] = result.outcome === undefined ? 0 : outcomes.indexOf(result.outcome) + 1
        columns.codes[cell] = result.unscored ? codes.indexOf(result.unscored.code) + 1 : 0
        columns.hasError[cell] = result.error === undefined ? 0 : 1
        columns.isRated[cell] = (result.rating ?? result.ratings) === undefined ? 0 : 1
        if (columns.isRated[cell] === 1) ratings.push({ cell, ...keepRatings(result) })
        columns.latency[cell] = result.latencyMs ?? Number.NaN
        columns.firstToken[cell] = result.firstTokenMs ?? Number.NaN
        columns.cost[cell] = result.cost ?? Number.NaN
        columns.cachedAt[cell] = result.cachedAt ?? Number.NaN
        if (result.score?.judges || result.score?.checks) readVerdicts(result, cell, verdicts)
        if (pauses.isDue()) await pauses.take()
      }
      runs.push({
        ...columns,
        asked: asked ?? Uint32Array.from(new Set(columns.cases)),
        run: {
          id,
          models: run.models,
          ...(run.startedAt !== undefined && { startedAt: run.startedAt }),
          ...(seriesId !== undefined && { seriesId }),
          ...(testSuiteName !== undefined && { suiteName: testSuiteName }),
          ...(status && { status }),
          ...(ratingQueues && { ratingQueues }),
          ...(stopReason && { stopReason }),
          ...(request && decidingOf(request) && { request }),
        },
        weights: readWeights(testSuiteSnapshot, cases.indexOf),
        ratings,
        verdicts: {
          cells: Uint32Array.from(verdicts.cells),
          judges: Uint16Array.from(verdicts.judges),
          scores: Float64Array.from(verdicts.scores),
        },
      })
    },
    finish: (): Columns => ({
      caseIds: cases.texts,
      modelIds: models.texts,
      codes: codes.texts,
      judges: judges.texts,
      runs,
    }),
  }
}

function keepRatings({ rating, ratings }: CellResult): Pick<CellResult, 'rating' | 'ratings'> {
  return {
    ...(rating?.rating !== undefined && { rating: { rating: rating.rating } }),
    ...(ratings && { ratings: ratings.map(({ note: _note, ...said }) => said) }),
  }
}

function allocate(length: number) {
  return {
    cases: new Uint32Array(length),
    models: new Uint32Array(length),
    scores: new Float64Array(length),
    passed: new Uint8Array(length),
    outcomes: new Uint8Array(length),
    codes: new Uint16Array(length),
    hasError: new Uint8Array(length),
    isRated: new Uint8Array(length),
    latency: new Float64Array(length),
    firstToken: new Float64Array(length),
    cost: new Float64Array(length),
    cachedAt: new Float64Array(length),
  }
}

function readWeights(suite: Suite | undefined, indexOf: (caseId: string) => number): RunColumns['weights'] {
  const weighted = (suite?.testCases ?? []).filter(({ weight }) => weight !== 1)
  return {
    cases: Uint32Array.from(weighted, ({ id }) => indexOf(id)),
    values: Float64Array.from(weighted, ({ weight }) => weight),
  }
}

/** Whether a cell of the run at this index passed; undefined if it has no score. */
export function findPassed(
  { caseIds, modelIds, runs }: Columns,
  runIndex: number,
  { testCaseId, modelId }: Pick<CellResult, 'testCaseId' | 'modelId'>,
): boolean | undefined {
  const { cases, models, scores, passed } = runs[runIndex]!
  const [caseIndex, model] = [caseIds.indexOf(testCaseId), modelIds.indexOf(modelId)]
  const cell = cases.findIndex((index, position) => index === caseIndex && models[position] === model)
  return cell < 0 || Number.isNaN(scores[cell]) ? undefined : passed[cell] === 1
}

/** Rebuilds the runs with only what the statistics need. */
export function restoreRuns({ caseIds, modelIds, codes, judges, runs }: Columns): RunResult[] {
  return runs.map(({ run, weights, ...columns }) => {
    const { id, seriesId, suiteName, models, startedAt, status, stopReason, request, ratingQueues } = run
    const results = Array.from(columns.cases, (caseIndex, cell): CellResult => {
      const result: CellResult = { testCaseId: caseIds[caseIndex]!, modelId: modelIds[columns.models[cell]!]! }
      const [score, latency, firstToken, cost, cachedAt] = [
        columns.scores[cell]!,
        columns.latency[cell]!,
        columns.firstToken[cell]!,
        columns.cost[cell]!,
        columns.cachedAt[cell]!,
      ]
      const outcome = outcomes[columns.outcomes[cell]! - 1]
      const code = codes[columns.codes[cell]! - 1]
      if (!Number.isNaN(score)) result.score = { score, passed: columns.passed[cell] === 1 }
      if (outcome !== undefined) result.outcome = outcome
      if (code !== undefined) result.unscored = { code, message: '' }
      if (columns.hasError[cell] === 1) result.error = ''
      if (!Number.isNaN(latency)) result.latencyMs = latency
      if (!Number.isNaN(firstToken)) result.firstTokenMs = firstToken
      if (!Number.isNaN(cost)) result.cost = cost
      if (!Number.isNaN(cachedAt)) result.cachedAt = cachedAt
      // A cost can be unknown only for an answer; its text is not kept here.
      if (outcome !== undefined && ANSWERED.has(outcome)) result.response = ''
      return result
    })
    for (const [index, cell] of columns.verdicts.cells.entries()) {
      const { score } = results[cell]!
      if (!score) continue
      score.judges ??= []
      score.judges.push({
        judgeModelId: judges[columns.verdicts.judges[index]!]!,
        score: columns.verdicts.scores[index]!,
        reasoning: '',
      })
    }
    for (const { cell, ...said } of columns.ratings) Object.assign(results[cell]!, said)
    const weightOf = new Map(Array.from(weights.cases, (caseIndex, index) => [caseIndex, weights.values[index]!]))
    // For a run that was cut short the statistics need every case, to count those without a result.
    const needed = request || isCutShort(run) ? columns.asked : weights.cases
    const testCases = Array.from(needed, (caseIndex) => ({
      id: caseIds[caseIndex]!,
      weight: weightOf.get(caseIndex) ?? 1,
    }))
    return {
      id,
      models,
      results,
      testSuiteSnapshot: { name: suiteName ?? `Run ${id}`, testCases },
      ...(seriesId !== undefined && { seriesId }),
      ...(startedAt !== undefined && { startedAt }),
      ...(status && { status }),
      ...(ratingQueues && { ratingQueues }),
      ...(stopReason && { stopReason }),
      ...(request && { request }),
    }
  })
}
