export { auditJudge, type AuditProgress, type AuditResult, type AuditSettings } from './audit/audit.ts'
export { estimateAudit, type AuditEstimate } from './audit/estimate-audit.ts'
export { loadRunAnswers } from './audit/run-answers.ts'
export { deleteAudit, findAudit, listAudits, saveAudit, type StoredAudit } from './audit/stored-audits.ts'
export { requestDirectly } from './requesting/request-directly.ts'
export { createPersonalSpending } from './limits/monthly-budgets.ts'
export { createCachedClient } from './requesting/cached-client.ts'
export { countInPieces } from './requesting/count-in-pieces.ts'
export { systemClock } from './requesting/clock.ts'
export type { Price } from './requesting/price.ts'
export { defineClient, type ClientDefinition } from './requesting/define-client.ts'
export { calibrateJudge, chooseSampleSet, findSampleSet, sampleSetNames } from './calibration/calibration.ts'
export {
  findStandings,
  listCalibrations,
  readCalibration,
  saveCalibration,
  type Calibration,
  type SampleSet,
} from './calibration/calibration-history.ts'
export { findActivity, isLiveClaim, RunClaimed, RunTakenOver, type RunActivity } from './claim.ts'
export { listCriteria, loadArenaReport } from './code-arena/arena-report.ts'
export { loadInspection, type StoredInspection } from './code-arena/inspection.ts'
export { listEarlierAnswers, listGaps } from './code-arena/conversation.ts'
export { createFollowUp } from './code-arena/follow-up.ts'
export {
  areArenaRuns,
  ARENA_CASE_ID,
  conversationOf,
  createArenaRequest,
  loadArenaRuns,
  readArenaTask,
  turnOf,
} from './code-arena/suite.ts'
export { makeThumbnail } from './code-arena/thumbnail.ts'
export { isOneColour } from './code-arena/visibility.ts'
export { checkConversations } from './agents/check-conversations.ts'
export { toTrajectory } from './agents/trajectory-of-log.ts'
export { readWorld } from './agents/next-step.ts'
export { planConversation, UNNAMED_USER } from './agents/planned-conversation.ts'
export { deleteRun } from './code-arena/delete-run.ts'
export { listForks, loadFork, removeFork, saveFork } from './code-arena/forks.ts'
export { listVotes, removeVote, saveVote, type Vote } from './code-arena/votes.ts'
export { listOpenPairs, undoVote, voteOnPair } from './comparing/voting.ts'
export { readAnswerLengths } from './answer-lengths.ts'
export { estimateRun, fitsNoRequest, type RunEstimate } from './estimate.ts'
export type { ModelCall, RunEvent } from './events.ts'
export type { Alarm } from './gates/plan-rerun.ts'
export { rerunBoth, type NoRerun, type Rerun } from './gates/rerun.ts'
export { importRun, importRuns, isScoredElsewhere, keepImportedRuns } from './stored-runs/import-run.ts'
export { editRequest, editSuite, originSuiteId } from './playground/edit-suite.ts'
export { findEditableCase, type EditableCase, type FillCase, type StoredAnswer } from './playground/editable-case.ts'
export {
  findWrittenCase,
  keepAsCase,
  keepAsVariant,
  suggestVariantName,
  type WrittenSuite,
} from './playground/keep-edit.ts'
export { pairAnswers, pickAnswers, type AnswerPair, type PairedAnswers } from './playground/pair-answers.ts'
export { createPacing, type Pacing } from './limits/pacing.ts'
export { labelRun } from './stored-runs/label.ts'
export { buildRequest, findUnknownNames, planRun, requestOf } from './plan.ts'
export { drawInformative } from './informative.ts'
export { findUnusedPrices, prepareRun, refuseProblems } from './prepare.ts'
export { createBlindEstimates, type BlindEstimates } from './rating/blind-estimates.ts'
export {
  countProgress,
  findItem,
  findNext,
  loadQueueRatings,
  openItem,
  rateItem,
  readRater,
  undoLast,
  type BlindItem,
  type QueueProgress,
  type QueueRatings,
} from './rating/rate-items.ts'
export {
  attachQueues,
  createQueue,
  DEFAULT_PER_MODEL,
  extendQueue,
  findQueues,
  listQueues,
  loadQueue,
} from './rating/rating-queues.ts'
export { rescoreRun } from './rescore.ts'
export { BudgetSpent, resumeSeries } from './resume.ts'
export type { Connections, RunOptions, RunTools } from './run-tools.ts'
export { scoreAnswers } from './score-answers.ts'
export { addToResult, findAddedRuns, findOwnRuns, nameResult } from './stored-runs/added-runs.ts'
export { loadRankings, type LoadedRankings } from './stored-runs/rankings.ts'
export { searchRuns, loadSuiteRuns } from './stored-runs/search-runs.ts'
export { loadTrend, type LoadedTrend, type TrendCache } from './stored-runs/trend.ts'
export { readStoredRun } from './stored-run.ts'
export { hasWorkLeft, loadSeries } from './stored-runs/stored-series.ts'
export { startSeries } from './series.ts'
export { followSeries } from './distributing/on-workers.ts'
export { findWorkerProblem } from './distributing/queue-run.ts'
export { runWorker, type WorkerReport } from './distributing/worker.ts'
