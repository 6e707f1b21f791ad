import type { z } from 'zod'
import {
  ScoringError,
  type Judging,
  type ScoringInput,
  type ScoringLimits,
  type ScoringResult,
  type UnscoredCode,
} from '../contract/index.ts'

/** Below this many characters even the slowest linear scorer is done in a few milliseconds. */
const LONG_TEXT = 200_000

const DEFAULT_DEADLINE_MS = 20_000

/** A scoring method as its file describes it; `defineScorer` turns it into a `Scorer`. */
interface ScorerDefinition<Options extends z.ZodObject> {
  name: string
  /** One line for help texts, forms and the reference page. */
  summary: string
  expectedOutput: 'required' | 'optional' | 'unused'
  options: Options
  /** What is wrong with this check whatever the answer; found when a suite is loaded. */
  findProblem?(expectedOutput: string | undefined, options: z.output<Options>): string | undefined
  /** What is worth a look in it, nothing more. */
  findWarning?(expectedOutput: string | undefined): string | undefined
  score(input: ScoringInput, options: z.output<Options>): ScoringResult
  /** True when scoring could hold the thread for more than some milliseconds. */
  isSlow?(input: ScoringInput, options: z.output<Options>): boolean
  deadlineMs?(options: z.output<Options>): number
  timeoutCode?: UnscoredCode
}

interface ScorerBase {
  name: string
  summary: string
  expectedOutput: 'required' | 'optional' | 'unused'
  readonly options: z.ZodObject
  /** Problems with a check's expected output and options, each with the path of the field. */
  findProblems(expectedOutput: string | undefined, options: Record<string, unknown>): CheckProblem[]
  findWarnings?(expectedOutput: string | undefined): CheckProblem[]
}

/** A scorer that needs nothing but the answer. Its options are already typed away: this is what lists hold. */
export interface LocalScorer extends ScorerBase {
  kind: 'local'
  /** Reads the options once for any number of answers; throws `invalid-options`. */
  prepare(options: Record<string, unknown>): PreparedScorer
}

/** A scorer that asks models. `random` draws the marks that fence the answer. */
export interface JudgeScorer extends ScorerBase {
  kind: 'judge'
  judge(input: ScoringInput & { prompt: string }, judging: Judging, random: () => number): Promise<ScoringResult>
}

export type Scorer = LocalScorer | JudgeScorer

interface PreparedScorer {
  score(input: ScoringInput): ScoringResult
  isSlow(input: ScoringInput): boolean
  limits: ScoringLimits
}

export interface CheckProblem {
  path: PropertyKey[]
  message: string
}

export function isBlank(value: string | undefined): boolean {
  return value === undefined || value.trim() === ''
}

/** The message of the ScoringError that `attempt` throws, for `findProblem`. */
export function problemOf(attempt: () => unknown): string | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    if (error instanceof ScoringError) return error.message
    throw error
  }
}

export function defineJudge(definition: Omit<JudgeScorer, 'kind' | 'findProblems'>): JudgeScorer {
  return { kind: 'judge', ...definition, findProblems: () => [] }
}

export function defineScorer<Options extends z.ZodObject>(definition: ScorerDefinition<Options>): LocalScorer {
  const { name, summary, options: schema } = definition

  const readOptions = (options: Record<string, unknown>): z.output<Options> => {
    const parsed = schema.safeParse(options)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new ScoringError('invalid-options', `${name}: ${issue?.path.join('.')}: ${issue?.message}`)
  }

  const lengthOf = (input: ScoringInput) => input.response.length + (input.expectedOutput?.length ?? 0)

  return {
    kind: 'local',
    name,
    summary,
    expectedOutput: definition.expectedOutput,
    options: schema,
    findProblems(expectedOutput, options) {
      const parsed = schema.safeParse(options)
      if (!parsed.success) return parsed.error.issues.map(({ path, message }) => ({ path, message }))
      if (definition.expectedOutput === 'required' && isBlank(expectedOutput))
        return [{ path: ['expectedOutput'], message: `${name} needs an expected output, and it is missing or blank` }]
      const message = definition.findProblem?.(expectedOutput, parsed.data)
      return message === undefined ? [] : [{ path: ['expectedOutput'], message }]
    },
    findWarnings(expectedOutput) {
      const message = definition.findWarning?.(expectedOutput)
      return message === undefined ? [] : [{ path: ['expectedOutput'], message }]
    },
    prepare(rawOptions) {
      const options = readOptions(rawOptions)
      return {
        score: (input) => definition.score(input, options),
        isSlow: (input) => lengthOf(input) > LONG_TEXT || (definition.isSlow?.(input, options) ?? false),
        limits: {
          deadlineMs: definition.deadlineMs?.(options) ?? DEFAULT_DEADLINE_MS,
          timeoutCode: definition.timeoutCode ?? 'scoring-timeout',
        },
      }
    },
  }
}
