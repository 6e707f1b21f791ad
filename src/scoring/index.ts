export {
  defaultCalibrationSamples,
  type CalibrationSample,
  type CalibrationSet,
} from './judging/calibration-samples.ts'
export { calibrationSets, findCalibrationSet } from './judging/calibration-sets/calibration-sets.ts'
export { findPreset, judgePresets, type JudgePreset } from './judging/judge-presets.ts'
export type { CalibrationCertainty, CalibrationRating } from './judging/rate-calibration.ts'
export {
  calibrate,
  interpretCalibrationResult,
  measureCalibration,
  NOT_CALIBRATED,
  type CalibrationInterpretation,
  type CalibrationResult,
  type CalibrationSampleResult,
  type CalibrationSummary,
} from './judge-calibration.ts'
export type { AuditAnswer } from './judging/audit/audit-answers.ts'
export { runAudits, type AuditDesign } from './judging/audit/audits.ts'
export type { AuditCase, AuditFigure, AuditFinding, AuditReply } from './judging/audit/finding.ts'
export { pairwisePromptVersion } from './judging/pairwise-prompt.ts'
export { measureCode } from './pairwise.ts'
export { describeInteraction, listObservations } from './judging/page-findings.ts'
export { llmJudgePrompt, promptVersionOf } from './judging/judge-prompts.ts'
export { type JudgedAnswer } from './llm-judge.ts'
export { createScoring, type Answer, type Scoring, type TestCaseInput } from './scoring.ts'
export {
  defineScorer,
  isJudged,
  type ModelCalls,
  type EmbeddingCall,
  type Scorer,
  type ScorerDefinition,
  type ScorerTools,
} from './scorer.ts'
export { auditScoring, findOtherReading, type ScoringAudit, type ScoringSuspect } from './audit-scoring.ts'
export { codeTests, codeTestsOptions, listTests, type CodeTestsOptions } from './code-tests.ts'
export { buildProgram } from './text/extract-code.ts'
export { addScorers, codeScorers, scoreJob, scorers } from './scorers.ts'
export {
  compileCase,
  compileSuite,
  listScoring,
  type CompiledCase,
  type CompiledCheck,
} from './compiling/compile-case.ts'
export {
  writeExpected,
  writeQuestion,
  writeQuestions,
  findMissingVariables,
  findVariant,
  hasQuestion,
  mapQuestion,
  questionOf,
  type Question,
} from './compiling/questions.ts'
export { suiteJsonSchema } from './compiling/suite-json-schema.ts'
export { checkSuite, type SuiteFinding } from './compiling/suite.ts'
export {
  compareTrajectories,
  gradeTrajectories,
  gradeTrajectory,
  scoreToolCalls,
  type FigureComparison,
  type GradeOptions,
  type GradeSetting,
  type Fault,
  type FaultCause,
  type FaultRule,
  type Loss,
  type ModelFigures,
  type OfferedTool,
  type RecordedCall,
  type TaskKey,
  type Trajectory,
  type TrajectoryComparison,
  type TrajectoryFigures,
  type TrajectoryGrade,
  type TrajectoryKey,
  type TrajectoryMeasure,
  type TrajectoryStep,
  type TrajectoryUsage,
  type ActionReason,
  type ActualCallInput,
  type ArgumentDifference,
  type CallReference,
  type ExpectedActionInput,
  type LeftOut,
  type ToolCallOptions,
  type ToolCallReasons,
  type ToolCallScore,
} from './tool-calls/index.ts'
export { applyEdits, findEdits, mergeJson, writeCanonical } from './agents/json-changes.ts'
export { findOutputs } from './tool-calls/credit/said-outputs.ts'
export { isSameValue } from './tool-calls/trajectories/match-arguments.ts'
export { validateValue } from './json-schema.ts'
