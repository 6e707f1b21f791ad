/** `benchmaker/scoring`: scoring for Node, browsers and any bundle. Browsers have no thread, and so no deadline. */
import { startScoring } from './index.ts'

export const {
  scoreExactMatch,
  scoreRegexMatch,
  scoreNumericTolerance,
  scoreBooleanMatch,
  scoreJsonMatch,
  scoreJsonSchema,
  scoreMultipleChoice,
} = startScoring()

export { startScoring as createScoring }
export {
  checkSuite,
  compileCase,
  compileSuite,
  defineScorer,
  scorers,
  scoreToolCalls,
  suiteJsonSchema,
  type ActionReason,
  type ActualCallInput,
  type Answer,
  type ArgumentDifference,
  type ModelCalls,
  type CallReference,
  type CompiledCase,
  type CompiledCheck,
  type EmbeddingCall,
  type ExpectedActionInput,
  type LeftOut,
  type Scorer,
  type ScorerDefinition,
  type ScorerTools,
  type Scoring,
  type SuiteFinding,
  type TestCaseInput,
  type ToolCallOptions,
  type ToolCallReasons,
  type ToolCallScore,
} from '../scoring/index.ts'
export {
  InputError,
  ScoringError,
  type Judging,
  type ScoringInput,
  type ScoringResult,
  type Suite,
  type TestCase,
  type UnscoredCode,
} from '../contract/index.ts'
