import type { CellResult, Outcome, RunResult, RunStatus, Suite } from '../../../contract/index.ts'
import { isCutShort } from '../../../statistics/index.ts'
import { createPauses } from './pauses.ts'

/**
 * The numbers of runs as columns: what statistics and the grid of cases need of every cell. A hundred thousand cells as objects
 * would take ten times the memory, and could not be handed to another thread without a pause.
 */
export interface Columns {
  caseIds: string[]
  modelIds: string[]
  /** Kinds of reasons for no score; a cell has the place in this list plus one, or 0. */
  codes: string[]
  judges: string[]
  runs: RunColumns[]
}

export interface RunColumns {
  run: RunFacts
  /** The cases it asks, as places in `caseIds`. */
  asked: Uint32Array
  /** By place in `caseIds`, where they are not 1. */
  weights: { cases: Uint32Array; values: Float64Array }
  /** Places in `caseIds` and `modelIds`, a cell each. */
  cases: Uint32Array
  models: Uint32Array
  /** NaN without a score. */
  scores: Float64Array
  /** Place in `outcomes` plus one, or 0. */
  outcomes: Uint8Array
  codes: Uint16Array
  hasError: Uint8Array
  isRated: Uint8Array
  /** NaN when unknown. */
  latency: Float64Array
  firstToken: Float64Array
  cost: Float64Array
  /** Of answers that several judges graded: a verdict each. */
  verdicts: { cells: Uint32Array; judges: Uint16Array; scores: Float64Array }
}

/** A run without its cells and its suite. */
interface RunFacts {
  id: string
  seriesId?: string
  suiteName?: string
  models: string[]
  status?: RunStatus
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

/** Places of texts in a list that grows. */
function createIndex() {
  const texts: string[] = []
  const places = new Map<string, number>()
  return {
    texts,
    place(text: string): number {
      let place = places.get(text)
      if (place === undefined) {
        place = texts.length
        texts.push(text)
        places.set(text, place)
      }
      return place
    },
  }
}

/** Gathers runs one by one; cases come in the order of the suites, those that only results know after them. */
export function gatherColumns() {
  const [cases, models, codes, judges] = [createIndex(), createIndex(), createIndex(), createIndex()]
  const runs: RunColumns[] = []

  const readVerdicts = (
    { score }: CellResult,
    cell: number,
    verdicts: { cells: number[]; judges: number[]; scores: number[] },
  ) => {
    const given = [...(score?.judges ?? []), ...(score?.checks ?? []).flatMap((check) => check.judges ?? [])]
    if (given.length < 2) return
    for (const { judgeModelId, score: grade } of given) {
      verdicts.cells.push(cell)
      verdicts.judges.push(judges.place(judgeModelId))
      verdicts.scores.push(grade)
    }
  }

  return {
    async add(run: RunResult): Promise<void> {
      const { id, seriesId, testSuiteName, testSuiteSnapshot, status, results } = run
      const pauses = createPauses()
      const asked = testSuiteSnapshot
        ? Uint32Array.from(testSuiteSnapshot.testCases, ({ id: caseId }) => cases.place(caseId))
        : undefined
      for (const modelId of run.models) models.place(modelId)
      const columns = allocate(results.length)
      const verdicts = { cells: new Array<number>(), judges: new Array<number>(), scores: new Array<number>() }
      for (const [cell, result] of results.entries()) {
        columns.cases[cell] = cases.place(result.testCaseId)
        columns.models[cell] = models.place(result.modelId)
        columns.scores[cell] = result.score?.score ?? Number.NaN
        columns.outcomes[cell] = result.outcome === undefined ? 0 : outcomes.indexOf(result.outcome) + 1
        columns.codes[cell] = result.unscored ? codes.place(result.unscored.code) + 1 : 0
        columns.hasError[cell] = result.error === undefined ? 0 : 1
        columns.isRated[cell] = result.rating === undefined ? 0 : 1
        columns.latency[cell] = result.latencyMs ?? Number.NaN
        columns.firstToken[cell] = result.firstTokenMs ?? Number.NaN
        columns.cost[cell] = result.cost ?? Number.NaN
        if (result.score?.judges || result.score?.checks) readVerdicts(result, cell, verdicts)
        if (pauses.isDue()) await pauses.take()
      }
      runs.push({
        ...columns,
        asked: asked ?? Uint32Array.from(new Set(columns.cases)),
        run: {
          id,
          models: run.models,
          ...(seriesId !== undefined && { seriesId }),
          ...(testSuiteName !== undefined && { suiteName: testSuiteName }),
          ...(status && { status }),
        },
        weights: readWeights(testSuiteSnapshot, cases.place),
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

function allocate(length: number) {
  return {
    cases: new Uint32Array(length),
    models: new Uint32Array(length),
    scores: new Float64Array(length),
    outcomes: new Uint8Array(length),
    codes: new Uint16Array(length),
    hasError: new Uint8Array(length),
    isRated: new Uint8Array(length),
    latency: new Float64Array(length),
    firstToken: new Float64Array(length),
    cost: new Float64Array(length),
  }
}

function readWeights(suite: Suite | undefined, placeOf: (caseId: string) => number): RunColumns['weights'] {
  const weighted = (suite?.testCases ?? []).filter(({ weight }) => weight !== 1)
  return {
    cases: Uint32Array.from(weighted, ({ id }) => placeOf(id)),
    values: Float64Array.from(weighted, ({ weight }) => weight),
  }
}

/** Runs again, with what the statistics ask of them and nothing else. */
export function restoreRuns({ caseIds, modelIds, codes, judges, runs }: Columns): RunResult[] {
  return runs.map(({ run: { id, seriesId, suiteName, models, status }, weights, ...columns }) => {
    const results = Array.from(columns.cases, (caseIndex, cell): CellResult => {
      const result: CellResult = { testCaseId: caseIds[caseIndex]!, modelId: modelIds[columns.models[cell]!]! }
      const [score, latency, firstToken, cost] = [
        columns.scores[cell]!,
        columns.latency[cell]!,
        columns.firstToken[cell]!,
        columns.cost[cell]!,
      ]
      const outcome = outcomes[columns.outcomes[cell]! - 1]
      const code = codes[columns.codes[cell]! - 1]
      if (!Number.isNaN(score)) result.score = { score }
      if (outcome !== undefined) result.outcome = outcome
      if (code !== undefined) result.unscored = { code, message: '' }
      if (columns.hasError[cell] === 1) result.error = ''
      if (!Number.isNaN(latency)) result.latencyMs = latency
      if (!Number.isNaN(firstToken)) result.firstTokenMs = firstToken
      if (!Number.isNaN(cost)) result.cost = cost
      // What an answer cost is unknown only where there is an answer; its text is not here.
      if (outcome !== undefined && ANSWERED.has(outcome)) result.response = ''
      return result
    })
    for (const [place, cell] of columns.verdicts.cells.entries()) {
      const { score } = results[cell]!
      if (!score) continue
      score.judges ??= []
      score.judges.push({
        judgeModelId: judges[columns.verdicts.judges[place]!]!,
        score: columns.verdicts.scores[place]!,
        reasoning: '',
      })
    }
    const weightOf = new Map(Array.from(weights.cases, (caseIndex, place) => [caseIndex, weights.values[place]!]))
    // Of a run that was cut short the statistics must know every case, to count those without a result.
    const known = isCutShort({ status }) ? columns.asked : weights.cases
    const testCases = Array.from(known, (caseIndex) => ({
      id: caseIds[caseIndex]!,
      weight: weightOf.get(caseIndex) ?? 1,
    }))
    return {
      id,
      models,
      results,
      testSuiteSnapshot: { name: suiteName ?? `Run ${id}`, testCases },
      ...(seriesId !== undefined && { seriesId }),
      ...(status && { status }),
    }
  })
}
