import {
  readCluster,
  type CellResult,
  type Check,
  type RunResult,
  type ScoringResult,
  type Suite,
  type TestCase,
} from '../../contract/index.ts'
import type { SharedRuns } from './name-models.ts'

const LEFT_OUT = 'text left out'

/** Only what is named here is kept: a field that is added to scores one day must not pass on a text. */
function stripScore<Score extends ScoringResult>(score: Score): ScoringResult {
  const { passed, confidence, rawScore, maxScore, judges, missingJudges, comparisons, style, checks, otherReading } =
    score
  const missing = (list: NonNullable<ScoringResult['missingJudges']>) =>
    list.map(({ judgeModelId }) => ({ judgeModelId, reason: LEFT_OUT }))
  return {
    score: score.score,
    ...(passed !== undefined && { passed }),
    ...(otherReading && { otherReading }),
    ...(confidence !== undefined && { confidence }),
    ...(rawScore !== undefined && { rawScore }),
    ...(maxScore !== undefined && { maxScore }),
    ...(judges && {
      judges: judges.map(({ judgeModelId, score: grade }) => ({ judgeModelId, score: grade, reasoning: '' })),
    }),
    ...(missingJudges && { missingJudges: missing(missingJudges) }),
    ...(comparisons && {
      comparisons: comparisons.map(({ opponentId, score: result, judges: said, missingJudges: silent }) => ({
        opponentId,
        score: result,
        ...(said && {
          judges: said.map(({ judgeModelId, score: grade, isConsistent }) => ({
            judgeModelId,
            score: grade,
            isConsistent,
            reasoning: '',
          })),
        }),
        ...(silent && { missingJudges: missing(silent) }),
      })),
    }),
    ...(style && { style }),
    ...(checks && {
      checks: checks.map(({ id, scoringMethod, weight, ...check }) => ({
        ...stripScore(check),
        ...(id !== undefined && { id }),
        scoringMethod,
        weight,
      })),
    }),
  }
}

/** Numbers, ids and states; texts of the model, the judges, the provider and people are left out. */
function stripCell(cell: CellResult): CellResult {
  const { testCaseId, modelId, status, outcome, score, unscored, error, rating, ratings } = cell
  // Tokens, times and costs, also those that cells may have one day.
  const figures = Object.entries(cell).filter(([, value]) => typeof value === 'number' || typeof value === 'boolean')
  return {
    ...Object.fromEntries(figures),
    testCaseId,
    modelId,
    ...(status && { status }),
    ...(outcome && { outcome }),
    ...(score && { score: stripScore(score) }),
    ...(unscored && { unscored: { code: unscored.code, message: LEFT_OUT } }),
    ...(error !== undefined && { error: LEFT_OUT }),
    ...(rating?.rating !== undefined && { rating: { rating: rating.rating } }),
    ...(ratings && { ratings: ratings.map(({ note: _note, ...said }) => said) }),
  }
}

const stripCheck = ({ scoringMethod, weight, passAt, checks }: Check): Check => ({
  scoringMethod,
  weight,
  ...(passAt !== undefined && { passAt }),
  ...(checks && { checks: checks.map(stripCheck) }),
})

/** A number for each cluster, the same in all runs: its name may be a text. */
type NumberOfCluster = (testCase: TestCase, clusterBy: string | undefined) => string | undefined

function createClusterNumbers(): NumberOfCluster {
  const numbers = new Map<string, string>()
  return (testCase, clusterBy) => {
    const name = readCluster(testCase, clusterBy)
    if (name === undefined) return undefined
    if (!numbers.has(name)) numbers.set(name, String(numbers.size + 1))
    return numbers.get(name)
  }
}

/** Its id, how it is scored and what groups it is in: without its cluster, intervals would be narrower. */
function stripCase(
  { id, scoringMethod, checks, weight, passAt, metadata }: TestCase,
  cluster: string | undefined,
): TestCase {
  const { category, difficulty, tags } = metadata ?? {}
  return {
    id,
    ...(scoringMethod !== undefined && { scoringMethod }),
    ...(checks && { checks: checks.map(stripCheck) }),
    weight,
    ...(passAt !== undefined && { passAt }),
    ...(cluster !== undefined && { cluster }),
    metadata: {
      ...(category !== undefined && { category }),
      ...(difficulty !== undefined && { difficulty }),
      ...(tags && { tags }),
    },
  }
}

function stripSuite(
  { name, embeddingModel, preset, variants, passAt, clusterBy, testCases }: Suite,
  numberOfCluster: NumberOfCluster,
): Suite {
  return {
    name,
    ...(embeddingModel !== undefined && { embeddingModel }),
    ...(preset !== undefined && { preset }),
    ...(variants && {
      variants: variants.map(({ name: variant, models, parameters }) => ({
        name: variant,
        ...(models && { models }),
        ...(parameters && { parameters }),
      })),
    }),
    ...(passAt !== undefined && { passAt }),
    testCases: testCases.map((testCase) => stripCase(testCase, numberOfCluster(testCase, clusterBy))),
  }
}

/** The runs without prompts, answers, expected outputs, explanations of judges, messages and notes. */
export function omitTexts({ runs, ...rest }: SharedRuns): SharedRuns {
  const numberOfCluster = createClusterNumbers()
  return {
    ...rest,
    runs: runs.map((run): RunResult => {
      const { label, testSuiteSnapshot: suite, results } = run
      const { note: _note, ...named } = label ?? {}
      return {
        ...run,
        ...(label && { label: named }),
        ...(suite && { testSuiteSnapshot: stripSuite(suite, numberOfCluster) }),
        results: results.map(stripCell),
      }
    }),
  }
}
