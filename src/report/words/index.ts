export { formatBytes } from '../../contract/index.ts'
export {
  auditWords,
  describeAuditReplies,
  describeAuditVerdict,
  formatAuditFigure,
  formatAuditInterval,
  summariseAudit,
} from './judges/audit.ts'
export {
  AGREEMENT_SOURCES,
  describeAgreement,
  describeAlpha,
  describeIcc,
  describeKappa,
  listAgreement,
} from './judges/agreement.ts'
export {
  describeChange,
  describeCaseChange,
  describeCell,
  describeChangedCases,
  describeChanges,
  describeNotCompared,
  describePassChanges,
  describeSamples,
  describeSuiteChanges,
} from './verdicts/changes.ts'
export { cellMark, describeScore, outcomeWords, passMark, passWords, describeMissing } from './runs/outcomes.ts'
export { describeGroupSize, groupings, groupingWords, isSmallGroup, type Grouping } from './groups.ts'
export {
  describeArenaLead,
  formatRatingInterval,
  listRankingNotes,
  listRankingVerdicts,
  summariseRankingVerdicts,
} from './verdicts/rankings.ts'
export { describeBatches, describeDelay, describeSubmitted, type SeenBatch } from './runs/batch.ts'
export { describeCache, describeCachedAt, describeTokens, formatCached } from './runs/cache.ts'
export {
  criterionMark,
  describeDisagreement,
  describeIdleCriteria,
  describeMissingJudges,
  describeOrder,
  describeRankAgreement,
  describeSplits,
  listJudgingSections,
  PAIRWISE_BASIS,
  STYLE_BASIS,
} from './judges/judging.ts'
export { describeLead } from './verdicts/lead.ts'
export { describeIntervalMethod, describeMethod, describeParameters, describeRequest } from './method.ts'
export { capitalise, describeVariables, excerpt, joinWords, shortenName, nameWithTags, listLabels } from './names.ts'
export {
  describeCost,
  describeInterval,
  describeSpending,
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
export {
  describeRefusal,
  describeStop,
  explainStop,
  describeRest,
  describeResume,
  describeResumed,
} from './runs/stops.ts'
export { describePassing, describeShortfall, formatPassed, formatPassRate, listMethodMarks } from './passed.ts'
export {
  advisePlans,
  BEATS,
  TOO_CLOSE,
  TOO_CLOSE_GROUP,
  describeCorrection,
  explainSequential,
  describeEvidence,
  describeFlaky,
  describePairLine,
  describePlan,
  describeRunCounts,
  describeVerdict,
  describeVerdictShortly,
  describeVerdictTest,
  explainDisagreement,
  FOR_A_REPORT,
  formatReportLine,
  formatReportSentence,
} from './verdicts/verdicts.ts'
export {
  describeEstimate,
  describePeople,
  listPeopleNotes,
  PEOPLE_TITLE,
  describeRating,
  describeRatings,
} from './judges/ratings.ts'
export {
  describeDecidingState,
  describeDroppedModel,
  describeEvidenceSoFar,
  formatEvidence,
} from './verdicts/decisions.ts'
export { recommendNextStep } from './verdicts/next-step.ts'
export {
  cellStates,
  describeNoScore,
  describeOpenCells,
  describeRunState,
  runStates,
  type StateLook,
} from './runs/states.ts'
export { describeBudget, describeRepeat, describeRunEstimate, describeRunsNeeded } from './runs/estimate.ts'
export { describeCoverage, describeDrift, describeTrendChange, DRIFT_NOTE } from './verdicts/trend.ts'
