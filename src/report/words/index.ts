export { describeLeaderboard } from './verdicts/leaderboard-notes.ts'
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
  describeBaselineFlips,
  describePassChanges,
  describeSamples,
  describeSuiteChanges,
} from './verdicts/pairs/changes.ts'
export { cellMark, describeScore, outcomeWords, passMark, passWords, describeMissing } from './runs/outcomes.ts'
export { headGroup, omitFirstPlace } from './verdicts/first-place.ts'
export { describeGroups, describeGroupScore, explainGroups } from './verdicts/groups.ts'
export { describeGroupSize, groupings, groupingWords, isSmallGroup, type Grouping } from './groups.ts'
export {
  describeArenaLead,
  describeHeadToHead,
  formatRatingInterval,
  listRankingNotes,
  listRankingVerdicts,
  RATED_APART,
  summariseRankingVerdicts,
  type ArenaGames,
} from './verdicts/rankings.ts'
export { describeBatches, describeDelay, describeSubmitted, type SeenBatch } from './runs/batch.ts'
export { describeSending, describeSent, describeUnknownCosts, writeSent } from './runs/sending.ts'
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
export { describeGoodEnough, describeStillOpen, describeSwitch, formatThousand } from './verdicts/costs/costs.ts'
export { describeStep, describeVolume, listSteps } from './verdicts/costs/cost-steps.ts'
export { BY_HISTORY_TITLE, describeByHistory } from './verdicts/by-history.ts'
export { describeHosts, HOSTS_TITLE } from './verdicts/hosts.ts'
export { describeWordings, WORDINGS_TITLE } from './verdicts/wordings.ts'
export { describeLead } from './verdicts/lead.ts'
export { describeOutcome, describePairOutcome } from './verdicts/outcome.ts'
export {
  describeIntervalMethod,
  describeMethod,
  describeModelParameters,
  describeParameters,
  describeRequest,
} from './method.ts'
export {
  capitalise,
  describeVariables,
  excerpt,
  joinWords,
  shortenName,
  nameWithTags,
  listLabels,
  unnamedModel,
} from './names.ts'
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
  formatLeastCost,
  formatDurations,
  formatP,
  formatPercent,
  formatPoints,
  formatPrice,
  formatRank,
  formatOffset,
  formatRate,
  formatRating,
  formatScore,
  formatScoreTick,
  formatShortTime,
  formatSpent,
  formatStatistic,
  formatTime,
  formatTimeLeft,
  formatWholeScore,
} from './numbers.ts'
export {
  describeRefusal,
  describeStop,
  explainStop,
  describeRest,
  describeResume,
  describeRunAgain,
  describeResumed,
} from './runs/stops.ts'
export { describePassing, describeShortfall, formatPassed, formatPassRate, listMethodMarks } from './passed.ts'
export {
  advisePlans,
  BEATS,
  TOO_CLOSE,
  describeCorrection,
  explainIntervals,
  explainSequential,
  describeEvidence,
  describeFlaky,
  describePairLine,
  describePlan,
  describeRunCounts,
  describeVerdictShortly,
  describeVerdictTest,
  explainDisagreement,
  FOR_A_REPORT,
  formatReportLine,
  formatSeriesLine,
  formatReportSentence,
} from './verdicts/verdicts.ts'
export { describeVerdict } from './verdicts/pairs/pair-verdict.ts'
export { listCorrectedPairs } from './judges/corrected-pairs.ts'
export {
  describeEstimate,
  describePeople,
  hasRatedSample,
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
  lastEvidence,
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
export { describeChosen, type ChosenOption } from './runs/chosen-options.ts'
export {
  describeBudget,
  describeEstimatedCost,
  describeEstimatedWork,
  describeRepeat,
  describeRepeatedCost,
  describeRunEstimate,
  describeRunsNeeded,
} from './runs/estimate.ts'
export { describeCoverage, describeDrift, describeNoDrift, describeTrendChange, DRIFT_NOTE } from './verdicts/trend.ts'
