import { InputError, type Judging, type ScoringJob, type ScoringResult } from '../contract/index.ts'
import { booleanMatch } from './boolean-match.ts'
import { codeArena } from './code-arena-judge.ts'
import { exactMatch } from './exact-match.ts'
import { jsonMatch } from './json-match.ts'
import { jsonSchema } from './json-schema.ts'
import { llmJudge } from './llm-judge.ts'
import { multipleChoice } from './multiple-choice.ts'
import { numericTolerance } from './numeric-tolerance.ts'
import { regexMatch } from './regex-match.ts'
import { defineScorer, type Scorer } from './scorer.ts'
import { toolCalls } from './tool-calls/tool-calls-scorer.ts'

/** Every scoring method. A new one is its file, its test and a line here. Frozen: others are added by `addScorers`. */
export const scorers: readonly Scorer[] = Object.freeze([
  exactMatch,
  regexMatch,
  numericTolerance,
  booleanMatch,
  jsonMatch,
  jsonSchema,
  multipleChoice,
  llmJudge,
  toolCalls,
])

/** The built-in scoring methods and these. */
export function addScorers(added: readonly Scorer[] = []): readonly Scorer[] {
  const taken = new Set([...scorers, codeArena].map(({ name }) => name))
  const own = added.map((scorer) => defineScorer(scorer))
  for (const { name } of own) {
    if (taken.has(name))
      throw new InputError(`there is already a scoring method ${JSON.stringify(name)}; give yours another name`)
    taken.add(name)
  }
  return [...scorers, ...own]
}

/** Local work asks nobody. */
export const noJudging: Judging = {
  judgeModelIds: [],
  ask: () => Promise.reject(new InputError('a scorer that asks models must say so in asks')),
}

/** Does on the caller's thread, without a deadline, what `ScoreElsewhere` does on another one. */
export async function scoreJob({ scoringMethod, input, options }: ScoringJob): Promise<ScoringResult> {
  const scorer = scorers.find(({ name }) => name === scoringMethod)
  if (!scorer) throw new InputError(`there is no scoring method ${scoringMethod}`)
  return scorer.score(input, options, { judging: noJudging, random: () => 0 })
}
