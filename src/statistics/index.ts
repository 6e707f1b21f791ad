export { areaUnderCurve } from './agreement/auc.ts'
export type { Game } from './ranking/bradley-terry-games.ts'
export { rateBradleyTerry, type BradleyTerryOptions, type Rating } from './ranking/bradley-terry.ts'
export { caseInterval } from './intervals/case-interval.ts'
export { clopperPearsonInterval } from './intervals/clopper-pearson.ts'
export { clusterMeanInterval } from './intervals/cluster-interval.ts'
export { describeEffectSize, type EffectSizeWord } from './tests/effect-size.ts'
export { mcnemarMidP } from './tests/mcnemar-mid-p.ts'
export { adjustHolm } from './tests/holm.ts'
export type { Interval, IntervalMethod } from './intervals/interval.ts'
export { intraclassCorrelation } from './agreement/intraclass-correlation.ts'
export { measureJudgeAgreement, type JudgeAgreement } from './agreement/judge-agreement.ts'
export { krippendorffAlpha } from './agreement/krippendorff-alpha.ts'
export { pairedTTest, type PairedTTest } from './tests/paired-t-test.ts'
export { passAtK, passHatK } from './pass-at-k.ts'
export { estimatePassRate, type CasePasses, type PassRate } from './pass-rate.ts'
export { pearsonCorrelation } from './agreement/pearson-correlation.ts'
export { pooledTTest, type PooledTTest } from './tests/pooled-t-test.ts'
export { pairsNeeded, powerOfPairedTest, type PairsNeededInput, type PowerInput } from './planning/power.ts'
export { createRandom } from './numbers/random.ts'
export { indistinguishableGroups, type RankRange } from './ranking/ranks.ts'
export type { DifferencePlan } from './planning/plan-new-cases.ts'
export { planForDifference, type PlanInput, type SampleSizePlan } from './planning/sample-size-plan.ts'
export { signFlipTest, type SignFlipOptions, type SignFlipTest } from './tests/sign-flip-test.ts'
export { tInterval, type TIntervalInput } from './intervals/t-interval.ts'
export { unseenMassInterval } from './intervals/unseen-mass-interval.ts'
export { splitVariance, type VarianceComponents } from './planning/variance-components.ts'
export { weightedMoments, type WeightedMoments } from './numbers/weighted-moments.ts'
export { quadraticWeightedKappa } from './agreement/weighted-kappa.ts'
export { welchTTest, type WelchTTest } from './tests/welch-t-test.ts'
export { aggregateCollected, aggregateScores, type AggregateScore } from './aggregate-scores.ts'
export {
  compareAllModels,
  compareColumns,
  compareModels,
  compareWithEarlier,
  rankModels,
  type ModelColumn,
  type ModelComparison,
} from './compare-models.ts'
export {
  addUnfinished,
  isCutShort,
  listUnfinished,
  summariseCollected,
  summariseMissing,
  type MissingSummary,
} from './missing-cells.ts'
export {
  buildTrend,
  describeTrendRuns,
  scoreAt,
  type Trend,
  type TrendChange,
  type TrendPoint,
  type TrendRuns,
  type TrendScore,
} from './trend.ts'
export { rateModels } from './ranking/model-ratings.ts'
export { describeCollected, multiRunStats, type MultiRunStats } from './multi-run-stats.ts'
export type { ComparisonOptions, PairedComparison, VerdictTest } from './paired-comparison.ts'
export { describeRepeats, type CaseSpread, type RepeatStats } from './repeats.ts'
export { collectRuns, countWithoutScore, meanOf, type MissingCells, type ModelScores } from './run-scores.ts'
export { correctByRatings, type CorrectedMean, type RatedAnswer } from './judging/correct-by-ratings.ts'
export { roganGladen, type RoganGladenInput } from './judging/rogan-gladen.ts'
export { confidenceSequence } from './sequential/confidence-sequence.ts'
export { sequentialTest, type SequentialTest, type SequentialTestOptions } from './sequential/sequential-test.ts'
export { reversedOrderP, smallestReversedP } from './tests/reversed-order.ts'
export { countTestable } from './tests/tarone.ts'
