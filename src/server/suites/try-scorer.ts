import type { z } from 'zod'
import {
  hasPassed,
  ScoringError,
  type tryScorerRequestSchema,
  type ScoringResult,
  type Unscored,
} from '../../contract/index.ts'
import { compileCase, isJudged } from '../../scoring/index.ts'
import { requestDirectly } from '../../services/index.ts'
import { checkRawSuite } from './check-raw-suite.ts'
import type { ServerContext } from '../context.ts'
import { Refusal } from '../http/refusal.ts'

/** POST /api/suites/try */
export type TriedScore = { score: ScoringResult; passed: boolean } | { unscored: Unscored }

/** Scores an entered answer with the case's scorer, whether or not the case is saved. */
export async function tryScorer(
  request: z.output<typeof tryScorerRequestSchema>,
  context: ServerContext,
): Promise<TriedScore> {
  const { response, toolCalls, judgeModelIds = [], judgeSystemPrompt, passAt, embeddingModel, preset } = request
  const { suite, problems } = checkRawSuite({ name: 'Try', testCases: [{ id: 'case', ...request.testCase }] })
  const testCase = suite?.testCases[0]
  if (!testCase) {
    // Paths relative to the case: the suite around it is ours.
    const caseProblems = problems.map(({ path, message }) => ({ path: path.slice(2), message }))
    throw new Refusal(
      422,
      'invalid-case',
      `The case cannot be scored as it is: ${caseProblems[0]?.path.join('.')}: ${caseProblems[0]?.message}`,
      caseProblems,
    )
  }
  const { scoring, clock, random, pacing } = context.runTools()
  const compiled = compileCase(testCase, scoring.scorers, {
    ...(typeof passAt === 'number' && { passAt }),
    ...(typeof embeddingModel === 'string' && embeddingModel !== '' && { embeddingModel }),
    ...(typeof preset === 'string' && preset !== '' && { preset }),
  })
  if (isJudged(compiled) && judgeModelIds.length === 0)
    throw new Refusal(422, 'no-judge', 'The case is graded by a judge; choose a judge model first.')
  const callModel = requestDirectly(context.clientFor, { clock, random, pacing })
  try {
    const answer = { response, ...(toolCalls && { toolCalls }) }
    const judging = { judgeModelIds, callModel, systemPrompt: judgeSystemPrompt }
    const score = await scoring.scoreCompiled(compiled, answer, judging)
    return { score, passed: hasPassed(score, compiled.passMark) }
  } catch (error) {
    if (!(error instanceof ScoringError)) throw error
    return { unscored: { code: error.code, message: error.message } }
  }
}
