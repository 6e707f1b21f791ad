export { areaUnderCurve } from './agreement/auc.ts'
export type { Game } from './ranking/bradley-terry-games.ts'
export {
  bradleyTerryStrengths,
  type Strength,
  rateBradleyTerry,
  type BradleyTerryOptions,
  type Rating,
} from './ranking/bradley-terry.ts'
export { caseInterval, clusterMeanInterval } from './intervals/case-interval.ts'
export { costRatio, meanCost, type CostEstimate } from './cost/cost-interval.ts'
export { compareCostAndQuality, type CostOptions, type CostReport, type PricedModel } from './cost/good-enough.ts'
export { detectClusters } from './clusters/detect-clusters.ts'
export { countFlips, type FlipCount, type Flips } from './count-flips.ts'
export { compareGroups, type GroupPair, type GroupsComparison, type GroupsOptions } from './groups/compare-groups.ts'
export { poolGroups, type PooledGroup } from './groups/pool-groups.ts'
export { scoreByHistory, type ScoreByHistory, type ScoreByHistoryInput } from './planning/score-by-history.ts'
export { leaderLuck, type LeaderLuck } from './ranking/leader-luck.ts'
export { findSharedCases, type SharedCases } from './shared-cases.ts'
export { findLuckyLeader, shareScores, type LuckyLeader, type OwnCases, type SharedScores } from './shared-scores.ts'
export { clopperPearsonInterval } from './intervals/clopper-pearson.ts'
export { describeEffectSize, type EffectSizeWord } from './tests/effect-size.ts'
export { fitToVerdict } from './tests/difference-interval.ts'
export {
  flipEquivalence,
  judgeEquivalence,
  testEquivalence,
  type Equivalence,
  type EquivalenceVerdict,
} from './tests/equivalence.ts'
export { compareLevels, comparePanel } from './judging/compare-panel.ts'
export { mcnemarMidP } from './tests/mcnemar-mid-p.ts'
export { adjustHolm } from './tests/holm.ts'
export type { Interval, IntervalMethod } from './intervals/interval.ts'
export { binomialTest, type BinomialTestOptions } from './tests/binomial-test.ts'
export { oneWayIcc, type OneWayIcc } from './agreement/one-way-icc.ts'
export { intraclassCorrelation } from './agreement/intraclass-correlation.ts'
export { measureJudgeAgreement, type JudgeAgreement } from './agreement/judge-agreement.ts'
export { krippendorffAlpha } from './agreement/krippendorff-alpha.ts'
export { pairedTTest, type PairedTTest } from './tests/paired-t-test.ts'
export { passAtK, passHatK } from './pass-at-k.ts'
export { estimatePassRate, type CasePasses, type PassRate } from './pass-rate.ts'
export { correlationInterval, type CorrelationInterval } from './agreement/correlation-interval.ts'
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
export { meanOf, weightedMoments, type WeightedMoments } from './numbers/weighted-moments.ts'
export { quadraticWeightedKappa } from './agreement/weighted-kappa.ts'
export { welchTTest, type WelchTTest } from './tests/welch-t-test.ts'
export { aggregate, aggregateScores, poolScores, type AggregateScore } from './aggregate-scores.ts'
export {
  compareAllModels,
  compareColumns,
  compareModels,
  compareWithEarlier,
  rankModels,
  type ModelColumn,
  type FindCountedCases,
  type ModelComparison,
} from './compare-models.ts'
export { findWorse, FRESH_RUNS, gateLevels } from './baseline-gate.ts'
export { addUnfinished, listUnfinished, summariseMissing, type MissingSummary } from './missing-cells.ts'
export {
  buildTrend,
  trendRunsOf,
  scoreAt,
  type Trend,
  type TrendChange,
  type TrendPoint,
  type TrendRuns,
  type TrendScore,
} from './trend.ts'
export type { TrendDrift } from './trend-drift.ts'
export { rateModels } from './ranking/model-ratings.ts'
export {
  buildRankings,
  type HeadToHead,
  type PartialRanking,
  type RankedModel,
  type Rankings,
  type WeighSuites,
} from './ranking/suite-rankings.ts'
export {
  countOrderEffects,
  listComparedPairs,
  playComparedPairs,
  type ComparedPair,
  type OrderEffect,
} from './ranking/pairwise-games.ts'
export {
  playWithStyle,
  rateWithStyle,
  type StyleControlledRating,
  type StyledGame,
  type StyleFeature,
  type StyleWeight,
} from './ranking/style-control.ts'
export { kendallTau } from './agreement/kendall-tau.ts'
export { measureRankAgreement, type RankAgreement } from './agreement/rank-agreement.ts'
export { listSplits, SPLIT_FROM, type JudgeSplits, type SplitAnswer } from './agreement/split-answers.ts'
export { criterionStats, type CriterionStats } from './judging/criteria.ts'
export { splitJudgedVariance, type JudgedVariance } from './planning/judge-variance.ts'
export { planNextStep, type NextStepPlan } from './planning/next-step.ts'
export { meansOverCases, multiRunStats, type MultiRunStats } from './multi-run-stats.ts'
export type { ComparisonOptions, PairedComparison, VerdictTest } from './paired-comparison.ts'
export { estimateUserShare, type UserShare } from './user-share.ts'
export { repeatStats, type CaseSpread, type RepeatStats } from './repeats.ts'
export { countWithoutScore, noneMissing, type MissingCells, type ModelScores } from './run-scores.ts'
export { calibrationIntervals, type CalibrationIntervals, type GradedSample } from './judging/calibration-intervals.ts'
export { drawCalibrations, type CalibrationFigures } from './judging/draw-calibrations.ts'
export {
  alternativeAnnotatorTest,
  type AlternativeAnnotatorOptions,
  type AlternativeAnnotatorTest,
  type AnnotatedInstance,
  type ComparedAnnotator,
} from './judging/alternative-annotator-test.ts'
export {
  correctByRatings,
  type CorrectByRatingsInput,
  type CorrectedMean,
  type RatedAnswer,
} from './judging/correct-by-ratings.ts'
export {
  correctDifference,
  correctDifferenceByGroup,
  type CorrectedDifference,
  type CorrectDifferenceInput,
  type RatedDifference,
} from './judging/correct-difference.ts'
export type { CorrectedPair } from './judging/corrected-pairs.ts'
export {
  estimateByRatings,
  type RateableAnswer,
  type RatingEstimate,
  type UnusedJudge,
} from './judging/estimate-by-ratings.ts'
export { estimatePeopleRatings, type PeopleEstimate, type PeopleRatings } from './people-ratings.ts'
export { measureRaterAgreement, type RaterAgreement } from './agreement/rater-agreement.ts'
export { measureCanaries, type CanarySuccess, type CanaryTrial } from './judging/canary-success.ts'
export {
  measurePositionPreference,
  type OrderedVerdicts,
  type PositionPreference,
} from './judging/position-preference.ts'
export { roganGladen, type RoganGladenInput } from './judging/rogan-gladen.ts'
export { measureScoreChange, type ScoreChange } from './judging/score-change.ts'
export { measureSelfPreference, type ScoredAnswer, type SelfPreference } from './judging/self-preference.ts'
export { measureTestRetest, type TestRetest } from './judging/test-retest.ts'
export { createCaseSequence, type CaseSequence } from './sequential/case-sequence.ts'
export {
  createPairLimit,
  DECISION_ALPHA,
  type DecidedPair,
  type DroppedModel,
  type ModelDecisions,
} from './sequential/model-decisions.ts'
export { drawOrder, drawUnits, listDecidedOrders, type CaseUnit } from './sequential/drawn-order.ts'
export { replayDecisions } from './sequential/replay-decisions.ts'
export { confidenceSequence } from './sequential/confidence-sequence.ts'
export { decidedInterval } from './sequential/decided-interval.ts'
export { sequentialTest, type SequentialTest, type SequentialTestOptions } from './sequential/sequential-test.ts'
export { reversedOrderP, smallestReversedP } from './tests/reversed-order.ts'
export { countTestable } from './tests/tarone.ts'
