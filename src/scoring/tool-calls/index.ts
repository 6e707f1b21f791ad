export { createBfclComparison, type BfclAnswer, type BfclFunction } from './bfcl/bfcl-comparison.ts'
export type { BfclLanguage } from './bfcl/language-values.ts'
export { PythonFloat, PythonTuple } from './bfcl/python-values.ts'
export { AcceptedValues, makePrintable, stringifyAny } from './credit/accepted-values.ts'
export type { ArgumentDifference } from './credit/argument-differences.ts'
export {
  readArguments,
  type ActualCall,
  type ActualCallInput,
  type ExpectedActionInput,
  type ExpectedCall,
  type RecordProblem,
  type Requestor,
  type ToolCallRecord,
} from './calls.ts'
export { compareFiles, type FileComparison } from './comparison.ts'
export { creditSchema, type Credit } from './credit.ts'
export { unwrapJson } from './json-values.ts'
export type { ActionReason, CallReference, LeftOut, ToolCallReasons } from './reasons.ts'
export { isSuccess, rangeOf } from './score-ranges.ts'
export { lacksCalls, scoreRecord, type ScoredRecord } from './score-record.ts'
export { scoreToolCalls, type ToolCallOptions, type ToolCallScore } from './score-tool-calls.ts'
export { createSummary, type Example, type SummaryRow, type ToolCallSummary } from './summary.ts'
export {
  countTrajectory,
  listCalls,
  withSubagents,
  type OfferedTool,
  type RecordedCall,
  type TaskKey,
  type Trajectory,
  type TrajectoryCounts,
  type TrajectoryStep,
  type TrajectoryUsage,
} from './trajectories/trajectory.ts'
export { findEmptyClaims, type Claim } from './trajectories/claims.ts'
export { findGradeSetting, type GradeSetting } from './trajectories/grade-settings.ts'
export { describeForJudge } from './trajectories/judged-run.ts'
export {
  gradeAsJudged,
  gradeTrajectory,
  isCrashed,
  type GradeOptions,
  type TrajectoryGrade,
  type TrajectoryKey,
} from './trajectories/grade-trajectory.ts'
export type { Fault, FaultCause, FaultRule, Loss } from './trajectories/losses.ts'
export { gradeTrajectories } from './trajectories/shared-failures.ts'
export {
  compareTrajectories,
  type FigureComparison,
  type ModelFigures,
  type TrajectoryComparison,
  type TrajectoryFigures,
  type TrajectoryMeasure,
} from './trajectories/compare-trajectories.ts'
export {
  gradedOf,
  summariseGrades,
  type GradedModel,
  type GradedTrajectory,
  type GradeSummary,
} from './trajectories/grade-summary.ts'
