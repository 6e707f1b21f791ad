import {
  hasPassed,
  InputError,
  NO_SCORING,
  readPassMark,
  readPassMarks,
  type CellResult,
  type PassMark,
  type RunResult,
  type WeightedCase,
} from '../contract/index.ts'

/** The cells of one model in one run, as columns: a million cells must not become a million objects. */
export interface ModelScores {
  testCaseIds: string[]
  scores: number[]
  weights: number[]
  /** Whether each answer passed. */
  passed: boolean[]
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

type CaseWeights = (testCaseId: string) => number

/** Weights of the given cases, else of the run's own suite; 1 if there are none. */
export function readWeights(run: RunResult, testCases?: readonly WeightedCase[]): CaseWeights {
  const cases: readonly WeightedCase[] = testCases ?? run.testSuiteSnapshot?.testCases ?? []
  const weights = new Map<string, number>()
  let sum = 0
  for (const { id, weight = 1 } of cases) {
    sum += weight
    if (!Number.isFinite(weight) || weight <= 0)
      throw new InputError(
        `test case ${JSON.stringify(id)} has weight ${weight}; weights must be finite and greater than 0`,
      )
    if (weight === 1) weights.delete(id)
    else weights.set(id, weight)
  }
  if (!Number.isFinite(sum))
    throw new InputError(
      'the weights of the test cases add up to more than a number can hold; divide them all by the same factor',
    )
  return (testCaseId) => weights.get(testCaseId) ?? 1
}

/** Pass marks of the given cases, where they say anything about it, else of the run's own suite. */
function readMarks(
  { testSuiteSnapshot }: RunResult,
  testCases: readonly WeightedCase[] | undefined,
): (testCaseId: string) => PassMark {
  const ownMarkOf = readPassMarks(testSuiteSnapshot)
  const given = (testCases ?? []).filter(({ passAt, scoringMethod, checks }) => passAt ?? scoringMethod ?? checks)
  if (given.length === 0) return ownMarkOf
  const marks = new Map(given.map((testCase) => [testCase.id, readPassMark(testCase, testSuiteSnapshot?.passAt)]))
  return (testCaseId) => marks.get(testCaseId) ?? ownMarkOf(testCaseId)
}

function readScore(run: RunResult, result: CellResult): number | undefined {
  const score = result.score?.score
  if (score === undefined) return undefined
  if (typeof score === 'number' && score >= 0 && score <= 1) return score
  throw new InputError(
    `run ${run.id}: model ${result.modelId} has score ${typeof score === 'string' ? JSON.stringify(score) : String(score)} on test case ${result.testCaseId}; scores must be 0 to 1`,
  )
}

/** The reason of a cell that was not run. */
const NOT_RUN = 'not-run'

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

function countMissing(missing: MissingCells, result: CellResult, weight: number): void {
  const isPending = !result.unscored && result.outcome === 'cancelled'
  const reason = isPending
    ? NOT_RUN
    : (result.unscored?.code ?? result.outcome ?? (result.error === undefined ? 'not-scored' : 'error'))
  if (result.unscored) missing.unscored++
  else if (isPending) missing.notRun++
  else missing.errors++
  // What is never scored cannot move a mean.
  if (reason !== NO_SCORING) missing.weight += weight
  missing.reasons[reason] = (missing.reasons[reason] ?? 0) + 1
}

/** The scores of every model in a run. Rejects a second result for the same cell: neither could be preferred. */
export function collectScores(run: RunResult, testCases?: readonly WeightedCase[]): Map<string, ModelScores> {
  const weightOf = readWeights(run, testCases)
  const markOf = readMarks(run, testCases)
  const byModel = new Map<string, ModelScores>()
  const seen = new Map<string, Set<string>>()

  for (const result of run.results) {
    const { modelId, testCaseId } = result
    let model = byModel.get(modelId)
    let cases = seen.get(modelId)
    if (!model || !cases) {
      model = {
        testCaseIds: [],
        scores: [],
        weights: [],
        passed: [],
        missing: noneMissing(),
      }
      cases = new Set()
      byModel.set(modelId, model)
      seen.set(modelId, cases)
    }
    const before = cases.size
    if (cases.add(testCaseId).size === before)
      throw new InputError(`run ${run.id} has two results of model ${modelId} for test case ${testCaseId}`)

    const weight = weightOf(testCaseId)
    const score = readScore(run, result)
    if (score === undefined) countMissing(model.missing, result, weight)
    else {
      model.testCaseIds.push(testCaseId)
      model.scores.push(score)
      model.weights.push(weight)
      model.passed.push(hasPassed(result.score!, markOf(testCaseId)))
    }
  }
  return byModel
}

/** Runs and their scores, collected once for all statistics. */
export interface CollectedRuns {
  runs: readonly RunResult[]
  /** One map per run, by model. */
  scores: Map<string, ModelScores>[]
}

export function collectRuns(runs: readonly RunResult[], testCases?: readonly WeightedCase[]): CollectedRuns {
  return { runs, scores: runs.map((run) => collectScores(run, testCases)) }
}

/** The model's scores in each run that includes it. */
export function scoresOfModel({ scores }: CollectedRuns, modelId: string): ModelScores[] {
  return scores.flatMap((byModel) => byModel.get(modelId) ?? [])
}

/** A model's scores on one case over several runs. */
export interface CaseRepeats {
  testCaseId: string
  weight: number
  scores: number[]
}

export type RepeatsByCase = Map<string, CaseRepeats>

/** With the number of scores that passed. */
interface CountedRepeats extends CaseRepeats {
  passes: number
}

/** One model's scores over several runs, by case. Matched by id, because the order differs after a resume. */
export function combineRepeats(runs: readonly ModelScores[]): Map<string, CountedRepeats> {
  const repeats = new Map<string, CountedRepeats>()
  for (const { testCaseIds, scores, weights, passed } of runs)
    testCaseIds.forEach((testCaseId, index) => {
      const passes = passed[index] ? 1 : 0
      const earlier = repeats.get(testCaseId)
      if (earlier) {
        earlier.scores.push(scores[index]!)
        earlier.passes += passes
      } else repeats.set(testCaseId, { testCaseId, weight: weights[index]!, scores: [scores[index]!], passes })
    })
  return repeats
}

/** Each model's scores over several runs, by case. */
export function collectRepeats(
  runs: readonly RunResult[],
  testCases?: readonly WeightedCase[],
): Map<string, Map<string, CountedRepeats>> {
  const collected = collectRuns(runs, testCases)
  const models = new Set(collected.scores.flatMap((byModel) => [...byModel.keys()]))
  return new Map(Array.from(models, (modelId) => [modelId, combineRepeats(scoresOfModel(collected, modelId))]))
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
