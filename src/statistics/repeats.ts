import { hasPassed, InputError, toScoreTable, type Scores, type WeightedCase } from '../contract/index.ts'
import { passAtK, passHatK } from './pass-at-k.ts'
import { combineRepeats, scoresOfModel } from './run-scores.ts'
import { meanOf, weightedMoments } from './numbers/weighted-moments.ts'

/** One case over the runs of a series. */
export interface CaseSpread {
  testCaseId: string
  scores: number[]
  mean: number
  stdDev: number
  passes: number
}

/** How consistent a model is over repeated runs. */
export interface RepeatStats {
  modelId: string
  /** Probability that at least one of k tries passes, averaged over cases; index 0 is k = 1. */
  passAtK: number[]
  /** Probability that all of k tries pass, averaged over cases; index 0 is k = 1. */
  passHatK: number[]
  cases: CaseSpread[]
  /** Cases that passed in some runs and failed in others. */
  flaky: string[]
}

export interface RepeatOptions {
  /** The lowest score that passes; default: the pass mark of each case. */
  passMark?: number
  testCases?: readonly WeightedCase[] | undefined
}

/** pass@k and pass^k, up to the fewest repeats of any case, and the spread of each case. */
export function repeatStats(given: Scores, modelId: string, { passMark, testCases }: RepeatOptions = {}): RepeatStats {
  const repeats = [...combineRepeats(scoresOfModel(toScoreTable(given, testCases), modelId)).values()]
  if (repeats.length === 0) throw new InputError(`model ${modelId} has no score in these runs`)

  const cases = repeats.map(({ testCaseId, scores, passes }) => ({
    testCaseId,
    scores,
    mean: meanOf(scores),
    stdDev: weightedMoments(scores).stdDev,
    passes: passMark === undefined ? passes : scores.filter((score) => hasPassed({ score }, passMark)).length,
  }))
  const fewest = cases.reduce((least, { scores }) => Math.min(least, scores.length), Infinity)
  const averageFor = (estimate: typeof passAtK) =>
    Array.from({ length: fewest }, (_, index) =>
      meanOf(cases.map(({ scores, passes }) => estimate(scores.length, passes, index + 1))),
    )

  return {
    modelId,
    passAtK: averageFor(passAtK),
    passHatK: averageFor(passHatK),
    cases,
    flaky: cases.flatMap(({ testCaseId, scores, passes }) =>
      passes > 0 && passes < scores.length ? [testCaseId] : [],
    ),
  }
}
