import {
  InputError,
  ScoringError,
  testCaseSchema,
  type CheckResult,
  type Judging,
  type Message,
  type ScoreElsewhere,
  type ScoringInput,
  type ScoringResult,
  type TestCase,
} from '../contract/index.ts'
import { booleanMatch } from './boolean-match.ts'
import { planChecks, type PlannedCheck } from './checks.ts'
import { exactMatch } from './exact-match.ts'
import { jsonMatch } from './json-match.ts'
import { jsonSchema } from './json-schema.ts'
import { judgeAnswer, type JudgedAnswer } from './llm-judge.ts'
import { multipleChoice } from './multiple-choice.ts'
import { numericTolerance } from './numeric-tolerance.ts'
import { regexMatch } from './regex-match.ts'
import { isBlank, type LocalScorer } from './scorer.ts'
import { scorers } from './scorers.ts'

/** An answer to be scored: its text alone, or with the tool calls the model made. */
export type Answer = string | Pick<ScoringInput, 'response' | 'toolCalls'>

/** A test case as a caller writes it: what has a default may be left out. */
export type TestCaseInput = Partial<Pick<TestCase, 'id' | 'weight'>> & Omit<TestCase, 'id' | 'weight'>

type Options = Record<string, unknown>

interface AnsweredCase extends ScoringInput {
  prompt: string
  judging: Judging | undefined
}

/** What a judge is shown as the task: the prompt, or the conversation with who said what. */
function describeTask({ prompt, messages = [] }: TestCase): string {
  if (prompt !== undefined) return prompt
  const textOf = (content: Message['content']) =>
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n')
  return messages.map(({ role, content }) => `${role}: ${textOf(content)}`).join('\n\n')
}

export interface ScoringTools {
  scoreElsewhere: ScoreElsewhere
  /** Draws the marks that fence an answer for its judge: hard to guess, please. */
  random: () => number
}

/**
 * All scoring functions, given a way to score away from the caller's thread. Short work is done at once; long texts and
 * patterns of unknown cost go elsewhere, under a deadline.
 */
export function createScoring({ scoreElsewhere, random }: ScoringTools) {
  const run = async (scorer: LocalScorer, input: ScoringInput, options: Options): Promise<ScoringResult> => {
    const { isSlow, score, limits } = scorer.prepare(options)
    return isSlow(input) ? scoreElsewhere({ scoringMethod: scorer.name, input, options }, limits) : score(input)
  }

  const runCheck = async (
    { scorer, expectedOutput, options }: PlannedCheck,
    answer: AnsweredCase,
  ): Promise<ScoringResult> => {
    if (scorer.expectedOutput === 'required' && isBlank(expectedOutput))
      throw new ScoringError(
        'invalid-expected-output',
        `${scorer.name} needs an expected output, and it is missing or blank`,
      )
    const { judging, prompt, ...rest } = answer
    const input = { ...rest, ...(expectedOutput !== undefined && { expectedOutput }) }
    if (scorer.kind === 'local') return run(scorer, input, options)
    if (!judging || judging.judgeModelIds.length === 0)
      throw new InputError(`${scorer.name} needs a judge model, and none is set`)
    return scorer.judge({ ...input, prompt }, judging, random)
  }

  const scoreChecks = (checks: PlannedCheck[], answer: AnsweredCase): Promise<CheckResult[]> =>
    Promise.all(
      checks.map(async (check) => ({
        ...(await runCheck(check, answer)),
        scoringMethod: check.scorer.name,
        weight: check.weight,
      })),
    )

  return {
    scoreExactMatch: (response: string, expected: string, options: { partial?: boolean } = {}) =>
      run(exactMatch, { response, expectedOutput: expected }, options),

    scoreRegexMatch: (response: string, pattern: string, options: { deadlineMs?: number } = {}) =>
      run(regexMatch, { response, expectedOutput: pattern }, options),

    scoreNumericTolerance: (
      response: string,
      expected: string | number,
      tolerance?: number,
      options: { answer?: 'any' | 'last' } = {},
    ) =>
      run(
        numericTolerance,
        { response, expectedOutput: String(expected) },
        { ...options, ...(tolerance !== undefined && { tolerance }) },
      ),

    scoreBooleanMatch: (response: string, expected?: string, options: { negate?: boolean } = {}) =>
      run(booleanMatch, { response, ...(expected !== undefined && { expectedOutput: expected }) }, options),

    scoreJsonMatch: (
      response: string,
      expected: string,
      options: { partial?: boolean; ignoreOrder?: boolean; allowExtra?: boolean } = {},
    ) => run(jsonMatch, { response, expectedOutput: expected }, options),

    scoreJsonSchema: (
      response: string,
      schema: boolean | Record<string, unknown>,
      options: { deadlineMs?: number } = {},
    ) => run(jsonSchema, { response }, { ...options, schema }),

    scoreMultipleChoice: (response: string, expected: string, options: { choices?: string[] } = {}) =>
      run(multipleChoice, { response, expectedOutput: expected }, options),

    scoreLLMJudge: (answer: JudgedAnswer, judging: Judging): Promise<ScoringResult> =>
      judgeAnswer(answer, judging, random),

    /** Scores an answer as its test case says: by its one method, or as the weighted mean of its checks. */
    scoreResponse: async (testCase: TestCaseInput, answer: Answer, judging?: Judging): Promise<ScoringResult> => {
      const parsed = testCaseSchema.parse({ id: 'case', ...testCase })
      const input = typeof answer === 'string' ? { response: answer } : answer
      const results = await scoreChecks(planChecks(scorers, parsed), {
        ...input,
        prompt: describeTask(parsed),
        judging,
      })
      if (!parsed.checks) {
        const { scoringMethod: _method, weight: _weight, ...result } = results[0]!
        return result
      }
      const totalWeight = results.reduce((sum, { weight }) => sum + weight, 0)
      return {
        score: results.reduce((sum, { score, weight }) => sum + score * weight, 0) / totalWeight,
        notes: results.map(({ scoringMethod, score }) => `${scoringMethod} ${Math.round(score * 100)}`).join(', '),
        checks: results,
      }
    },
  }
}

export type Scoring = ReturnType<typeof createScoring>
