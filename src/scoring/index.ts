export { createScoring, type Answer, type Scoring, type TestCaseInput } from './scoring.ts'
export { type Scorer } from './scorer.ts'
export { scorers } from './scorers.ts'
export { checkSuite, type SuiteFinding } from './suite.ts'
