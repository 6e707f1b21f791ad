export { describeAgreement, listAgreement } from './agreement.ts'
export { wordAgreement } from './agreement-words.ts'
export { describeBudget } from './budget.ts'
export { listLeaderboardColumns, type LeaderboardColumn } from './leaderboard.ts'
export { describeMissing } from './missing.ts'
export { describeIntervalMethod, describeMethod, describeParameters } from './method.ts'
export { excerpt, joinWords, shortenName } from './names.ts'
export {
  describeInterval,
  describeSpending,
  formatBytes,
  formatContext,
  formatCost,
  formatCosts,
  formatCount,
  formatDifference,
  formatDuration,
  formatDurations,
  formatP,
  formatPercent,
  formatPoints,
  formatPrice,
  formatRank,
  formatRate,
  formatScore,
  formatScoreTick,
  formatSpent,
  formatStatistic,
  formatTime,
  formatTimeLeft,
} from './numbers.ts'
export { describePassing, describeShortfall, formatPassed, formatPassRate } from './passed.ts'
export {
  describeEvidence,
  describeFlaky,
  describePlan,
  describeRunCounts,
  describeVerdict,
  describeVerdictTest,
  explainDisagreement,
  formatReportLine,
  PLAN_ADVICE,
} from './verdicts.ts'
export { describeVariables } from './variables.ts'
