import {
  NO_SCORING,
  stateOf,
  toScoreTable,
  type Scores,
  type ScoreTable,
  type WeightedCase,
} from '../contract/index.ts'

/** The cells of one model in one run. */
export interface ModelScores {
  testCaseIds: string[]
  /** The name of each case's cluster; undefined for a case that is its own. */
  clusters: (string | undefined)[]
  scores: number[]
  weights: number[]
  /** 1 for each answer that passed, else 0. */
  passed: number[]
  missing: MissingCells
}

/** Cells without a score. They count in no mean, so whatever shows a mean must show them too. */
export interface MissingCells {
  /** Answered, but could not be scored. */
  unscored: number
  /** Not answered: the request failed. */
  errors: number
  /** The run ended before it got to them. */
  notRun: number
  /** Of the cells that could move the mean: not of those that the suite does not score. */
  weight: number
  /** How often each reason occurs. */
  reasons: Record<string, number>
}

/** All cells without a score. */
export function countWithoutScore({
  unscored,
  errors,
  notRun,
}: Pick<MissingCells, 'unscored' | 'errors' | 'notRun'>): number {
  return unscored + errors + notRun
}

/** To count in. A reason may have any name, also one that every object has: `constructor`. */
export function noneMissing(): MissingCells {
  return { unscored: 0, errors: 0, notRun: 0, weight: 0, reasons: Object.create(null) }
}

function countMissing(missing: MissingCells, table: ScoreTable, cell: number): void {
  const state = stateOf(table, cell)
  const reason = table.reasons[table.cells.reason[cell]!]!
  if (state === 'unscored') missing.unscored++
  else if (state === 'error') missing.errors++
  else missing.notRun++
  // What is never scored cannot move a mean.
  if (reason !== NO_SCORING) missing.weight += table.cells.weight[cell]!
  missing.reasons[reason] = (missing.reasons[reason] ?? 0) + 1
}

function readRuns(table: ScoreTable): Map<string, ModelScores>[] {
  const { cells, caseIds, clusters, clusterIds, modelIds, runs } = table
  const byRun = runs.map(() => ({ byId: new Map<string, ModelScores>(), byIndex: new Array<ModelScores>() }))
  for (let cell = 0; cell < cells.run.length; cell++) {
    const { byId, byIndex } = byRun[cells.run[cell]!]!
    let model = byIndex[cells.model[cell]!]
    if (!model) {
      model = { testCaseIds: [], clusters: [], scores: [], weights: [], passed: [], missing: noneMissing() }
      byIndex[cells.model[cell]!] = model
      byId.set(modelIds[cells.model[cell]!]!, model)
    }
    const score = cells.score[cell]!
    if (Number.isNaN(score)) countMissing(model.missing, table, cell)
    else {
      model.testCaseIds.push(caseIds[cells.case[cell]!]!)
      model.clusters.push(clusterIds[clusters[cells.case[cell]!]!])
      model.scores.push(score)
      model.weights.push(cells.weight[cell]!)
      model.passed.push(cells.passed[cell]!)
    }
  }
  return byRun.map(({ byId }) => byId)
}

const known = new WeakMap<ScoreTable, Map<string, ModelScores>[]>()

/** The scores of every model, one map per run; read once for all statistics of a table. */
export function scoresOfRuns(table: ScoreTable): Map<string, ModelScores>[] {
  const scores = known.get(table) ?? readRuns(table)
  known.set(table, scores)
  return scores
}

/** The model's scores in each run that includes it. */
export function scoresOfModel(table: ScoreTable, modelId: string): ModelScores[] {
  return scoresOfRuns(table).flatMap((byModel) => byModel.get(modelId) ?? [])
}

/** A model's scores on one case over several runs. */
export interface CaseRepeats {
  testCaseId: string
  /** Undefined for a case that is its own cluster. */
  cluster?: string | undefined
  weight: number
  scores: number[]
  /** How many of the scores passed, where that is known. */
  passes?: number
}

export type RepeatsByCase = Map<string, CaseRepeats>

type CountedRepeats = CaseRepeats & Required<Pick<CaseRepeats, 'passes'>>

/** One model's scores over several runs, by case. Matched by id, because the order differs after a resume. */
export function combineRepeats(runs: readonly ModelScores[]): Map<string, CountedRepeats> {
  const repeats = new Map<string, CountedRepeats>()
  for (const { testCaseIds, clusters, scores, weights, passed } of runs)
    testCaseIds.forEach((testCaseId, index) => {
      const passes = passed[index]!
      const earlier = repeats.get(testCaseId)
      if (earlier) {
        earlier.scores.push(scores[index]!)
        earlier.passes += passes
      } else {
        const [cluster, weight] = [clusters[index], weights[index]!]
        repeats.set(testCaseId, { testCaseId, cluster, weight, scores: [scores[index]!], passes })
      }
    })
  return repeats
}

/** Each model's scores over several runs, by case. */
export function collectRepeats(
  scores: Scores,
  testCases?: readonly WeightedCase[],
): Map<string, Map<string, CountedRepeats>> {
  const table = toScoreTable(scores, testCases)
  const models = new Set(scoresOfRuns(table).flatMap((byModel) => [...byModel.keys()]))
  return new Map(Array.from(models, (modelId) => [modelId, combineRepeats(scoresOfModel(table, modelId))]))
}
