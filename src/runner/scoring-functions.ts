/** `benchmaker/scoring`: scoring for Node, browsers and any bundle. Browsers have no thread, and so no deadline. */
import {
  booleanMatchAlone,
  createRunAlone,
  exactMatchAlone,
  jsonMatchAlone,
  jsonSchemaAlone,
  multipleChoiceAlone,
  numericToleranceAlone,
  regexMatchAlone,
} from '../scoring/score-alone.ts'
import { drawRandom, scoreInWorker, startScoring } from './index.ts'

const run = /* @__PURE__ */ createRunAlone({ scoreInWorker, random: drawRandom })

// One by one, so that a bundler drops the scorers that are not used.
export const scoreExactMatch = /* @__PURE__ */ exactMatchAlone(run)
export const scoreRegexMatch = /* @__PURE__ */ regexMatchAlone(run)
export const scoreNumericTolerance = /* @__PURE__ */ numericToleranceAlone(run)
export const scoreBooleanMatch = /* @__PURE__ */ booleanMatchAlone(run)
export const scoreJsonMatch = /* @__PURE__ */ jsonMatchAlone(run)
export const scoreJsonSchema = /* @__PURE__ */ jsonSchemaAlone(run)
export const scoreMultipleChoice = /* @__PURE__ */ multipleChoiceAlone(run)

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
