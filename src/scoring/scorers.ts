import { booleanMatch } from './boolean-match.ts'
import { exactMatch } from './exact-match.ts'
import { jsonMatch } from './json-match.ts'
import { jsonSchema } from './json-schema.ts'
import { llmJudge } from './llm-judge.ts'
import { multipleChoice } from './multiple-choice.ts'
import { numericTolerance } from './numeric-tolerance.ts'
import { regexMatch } from './regex-match.ts'
import type { Scorer } from './scorer.ts'
import { toolCalls } from './tool-calls/tool-calls-scorer.ts'

/** Every scoring method. A new one is its file, its test and a line here. */
export const scorers: readonly Scorer[] = [
  exactMatch,
  regexMatch,
  numericTolerance,
  booleanMatch,
  jsonMatch,
  jsonSchema,
  multipleChoice,
  llmJudge,
  toolCalls,
]

/** Those that need no model, for the threads that score elsewhere. */
export const localScorers = scorers.filter((scorer) => scorer.kind === 'local')
