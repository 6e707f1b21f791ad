/**
 * Scorers as functions, without a test case. Each takes what runs a scorer, and names no other scorer: a bundler drops
 * those that are not used.
 */
import { ScoringError, type ScoreInWorker, type ScoringInput, type ScoringResult } from '../contract/index.ts'
import { booleanMatch } from './boolean-match.ts'
import { exactMatch } from './exact-match.ts'
import { jsonMatch } from './json-match.ts'
import { jsonSchema } from './json-schema.ts'
import { multipleChoice } from './multiple-choice.ts'
import { numericTolerance } from './numeric-tolerance.ts'
import { regexMatch } from './regex-match.ts'
import { callsModels, noJudging, type Scorer, type ScorerTools } from './scorer.ts'

type Options = Record<string, unknown>

/** Below this many characters even the slowest linear scorer takes only a few milliseconds. */
const LONG_TEXT = 200_000

const DEFAULT_DEADLINE_MS = 20_000

function parseOptions({ name, options }: Scorer, input: Options): Options {
  const parsed = options.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new ScoringError('invalid-options', `${name}: ${issue?.path.join('.')}: ${issue?.message}`)
}

function lengthOf({ response, expectedOutput = '' }: ScoringInput): number {
  return response.length + expectedOutput.length
}

/** True if the work may take long: it then goes to a thread, where it has a deadline. */
export function isSlow(scorer: Scorer, input: ScoringInput, options: Options): boolean {
  return !callsModels(scorer) && (lengthOf(input) > LONG_TEXT || scorer.isSlow?.(input, options) === true)
}

export function scoreWithDeadline(
  scorer: Scorer,
  input: ScoringInput,
  options: Options,
  scoreInWorker: ScoreInWorker,
): Promise<ScoringResult> {
  return scoreInWorker(
    { scoringMethod: scorer.name, input, options },
    {
      deadlineMs: scorer.deadlineMs?.(options) ?? DEFAULT_DEADLINE_MS,
      timeoutCode: scorer.timeoutCode ?? 'scoring-timeout',
    },
  )
}

/** Runs one of our scorers without a test case. */
export type RunAlone = (scorer: Scorer, input: ScoringInput, options: Options) => Promise<ScoringResult>

/** Without threads, as in a browser, there is no deadline. */
export function createRunAlone({
  scoreInWorker,
  random,
}: Pick<ScorerTools, 'random'> & { scoreInWorker?: ScoreInWorker | undefined }): RunAlone {
  return async (scorer, input, written) => {
    const options = parseOptions(scorer, written)
    return scoreInWorker && isSlow(scorer, input, options)
      ? scoreWithDeadline(scorer, input, options, scoreInWorker)
      : scorer.score(input, options, { judging: noJudging, random })
  }
}

export const exactMatchAlone =
  (run: RunAlone) =>
  (response: string, expected: string, options: { partial?: boolean } = {}): Promise<ScoringResult> =>
    run(exactMatch, { response, expectedOutput: expected }, options)

export const regexMatchAlone =
  (run: RunAlone) =>
  (response: string, pattern: string, options: { deadlineMs?: number } = {}): Promise<ScoringResult> =>
    run(regexMatch, { response, expectedOutput: pattern }, options)

export const numericToleranceAlone =
  (run: RunAlone) =>
  (
    response: string,
    expected: string | number,
    tolerance?: number,
    options: { answer?: 'any' | 'last' } = {},
  ): Promise<ScoringResult> =>
    run(
      numericTolerance,
      { response, expectedOutput: String(expected) },
      { ...options, ...(tolerance !== undefined && { tolerance }) },
    )

export const booleanMatchAlone =
  (run: RunAlone) =>
  (response: string, expected?: string, options: { negate?: boolean } = {}): Promise<ScoringResult> =>
    run(booleanMatch, { response, ...(expected !== undefined && { expectedOutput: expected }) }, options)

export const jsonMatchAlone =
  (run: RunAlone) =>
  (
    response: string,
    expected: string,
    options: { partial?: boolean; ignoreOrder?: boolean; allowExtra?: boolean } = {},
  ): Promise<ScoringResult> =>
    run(jsonMatch, { response, expectedOutput: expected }, options)

export const jsonSchemaAlone =
  (run: RunAlone) =>
  (
    response: string,
    schema: boolean | Record<string, unknown>,
    options: { deadlineMs?: number } = {},
  ): Promise<ScoringResult> =>
    run(jsonSchema, { response }, { ...options, schema })

export const multipleChoiceAlone =
  (run: RunAlone) =>
  (response: string, expected: string, options: { choices?: string[] } = {}): Promise<ScoringResult> =>
    run(multipleChoice, { response, expectedOutput: expected }, options)
