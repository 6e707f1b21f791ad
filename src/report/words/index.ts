export {
  auditStatusWords,
  auditWords,
  describeAuditReplies,
  formatAuditFigure,
  formatAuditInterval,
  summariseAudit,
} from './audit.ts'
export {
  AGREEMENT_SOURCES,
  describeAgreement,
  describeAlpha,
  describeIcc,
  describeKappa,
  listAgreement,
} from './agreement.ts'
export { describeChange } from './change.ts'
export {
  describeCell,
  describeChanges,
  describeNotCompared,
  describePassChanges,
  describeSamples,
  describeSuiteChanges,
  explainNotCompared,
} from './case-changes.ts'
export { describeNoScore, stateOfCell } from './cell-words.ts'
export { describeGroupSize, isSmallGroup } from './groups.ts'
export {
  describeHeadToHead,
  formatRatingInterval,
  listRankingNotes,
  listRankingVerdicts,
  reverseHeadToHead,
} from './rankings.ts'
export { describeBatches, describeDelay, describeSubmitted, type SeenBatch } from './batch.ts'
export { describeCache, describeCachedAt, describeTokens, formatCached } from './cache.ts'
export { describeBudget } from './budget.ts'
export {
  describeDisagreement,
  describeIdleCriteria,
  describeMissingJudges,
  describePurchase,
  describeRankAgreement,
  describeSplits,
  listJudgingSections,
  PAIRWISE_BASIS,
  STYLE_BASIS,
} from './judging.ts'
export { listLeaderboardColumns, type LeaderboardColumn } from './leaderboard.ts'
export { describeLead } from './lead.ts'
export { describeMissing } from './missing.ts'
export { describeIntervalMethod, describeMethod, describeParameters } from './method.ts'
export { excerpt, joinOr, joinWords, shortenName } from './names.ts'
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
  formatRating,
  formatScore,
  formatScoreTick,
  formatShortTime,
  formatSpent,
  formatStatistic,
  formatTime,
  formatTimeLeft,
} from './numbers.ts'
export { describeStop, isNotAsked, NOT_ASKED } from './stop-words.ts'
export { describePassing, describeShortfall, formatPassed, formatPassRate } from './passed.ts'
export {
  describeCorrection,
  explainSequential,
  describeEvidence,
  describeFlaky,
  describePairLine,
  describePlan,
  describeRunCounts,
  describeVerdict,
  describeVerdictTest,
  explainDisagreement,
  formatReportLine,
  formatReportSentence,
  PLAN_ADVICE,
} from './verdicts.ts'
export { describeEstimate, describePeople, listPeopleNotes, PEOPLE_TITLE, peopleColumns } from './people.ts'
export { describeDecidingState, describeDroppedModel, describeEvidenceSoFar, formatEvidence } from './decisions.ts'
export { describeRating, describeRatings } from './ratings.ts'
export { describeOpenCells, describeRunState, explainStop } from './run-state.ts'
export { listLabels } from './labels.ts'
export { describeCoverage, describeDrift, describeTrendChange, DRIFT_NOTE } from './trend.ts'
export { describeVariables } from './variables.ts'
