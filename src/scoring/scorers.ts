import { InputError, type ScoringJob, type ScoringResult } from '../contract/index.ts'
import { endState } from './agents/end-state.ts'
import { said } from './agents/said.ts'
import { turns } from './agents/turns.ts'
import { world } from './agents/world.ts'
import { booleanMatch } from './boolean-match.ts'
import { codeArena } from './code-arena-judge.ts'
import { codeTests } from './code-tests.ts'
import { cost } from './figures/cost.ts'
import { exactMatch } from './exact-match.ts'
import { instructions } from './instructions.ts'
import { javascript } from './javascript.ts'
import { jsonMatch } from './json-match.ts'
import { jsonSchema } from './json-schema.ts'
import { latency } from './figures/latency.ts'
import { llmJudge } from './llm-judge.ts'
import { math } from './math.ts'
import { multipleChoice } from './multiple-choice.ts'
import { noScoring } from './no-scoring.ts'
import { numericTolerance } from './numeric-tolerance.ts'
import { pageTests } from './page-tests.ts'
import { pageSimilarity } from './page-similarity.ts'
import { pageSteps } from './page-steps.ts'
import { pairwise } from './pairwise.ts'
import { regexMatch } from './regex-match.ts'
import { rubric } from './rubric.ts'
import { defineScorer, noJudging, type Scorer } from './scorer.ts'
import { similar } from './similar.ts'
import { textOverlap } from './text-overlap.ts'
import { toolCalls } from './tool-calls/tool-calls-scorer.ts'
import { toolNames } from './tool-calls/tool-names.ts'
import { validToolCalls } from './tool-calls/valid-tool-calls.ts'

/** The built-in scoring methods. Frozen: custom ones are added with `addScorers`. */
export const scorers: readonly Scorer[] = Object.freeze([
  exactMatch,
  regexMatch,
  numericTolerance,
  booleanMatch,
  jsonMatch,
  jsonSchema,
  multipleChoice,
  textOverlap,
  math,
  instructions,
  codeTests,
  llmJudge,
  rubric,
  pairwise,
  codeArena,
  pageTests,
  pageSteps,
  pageSimilarity,
  similar,
  toolCalls,
  toolNames,
  validToolCalls,
  endState,
  world,
  said,
  turns,
  latency,
  cost,
  noScoring,
])

/** Scoring methods that run code from a suite: only where the user allows it. */
export const codeScorers: readonly Scorer[] = Object.freeze([javascript])

/** The built-in scoring methods plus these. */
export function addScorers(added: readonly Scorer[] = []): readonly Scorer[] {
  const taken = new Set(scorers.map(({ name }) => name))
  const custom = added.map((scorer) => defineScorer(scorer))
  for (const { name } of custom) {
    if (taken.has(name))
      throw new InputError(`there is already a scoring method ${JSON.stringify(name)}; give yours another name`)
    taken.add(name)
  }
  return [...scorers, ...custom]
}

/** Does the work of `ScoreInWorker` on the caller's thread, without a deadline. */
export async function scoreJob({ scoringMethod, input, options }: ScoringJob): Promise<ScoringResult> {
  const scorer = [...scorers, ...codeScorers].find(({ name }) => name === scoringMethod)
  if (!scorer) throw new InputError(`there is no scoring method ${scoringMethod}`)
  return scorer.score(input, options, { judging: noJudging, random: () => 0 })
}
