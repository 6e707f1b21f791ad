import { z } from 'zod'
import { InputError, testCaseSchema } from '../contract/index.ts'
import type { Judging, ScoringInput, ScoringResult, UnscoredCode } from '../contract/index.ts'

/** Model calls that one grade takes, for each judge. */
export interface Asks {
  expected: number
  /** When answers cannot be read and the judge is asked again. */
  most: number
}

/** What a scorer may use beside the answer. */
export interface ScorerTools {
  /** Without judges, for a scorer that asks none. */
  judging: Judging
  /** Draws the marks that fence an answer for its judge. */
  random: () => number
}

/** A scoring method. */
export interface Scorer<Options extends z.ZodObject = z.ZodObject> {
  /** What `scoringMethod` names. */
  readonly name: string
  /** One line for help texts, forms and the reference page. */
  readonly summary: string
  readonly expectedOutput: 'required' | 'optional' | 'unused'
  /** They stand beside the fields of a test case or check, and are parsed once. */
  readonly options: Options
  /** The score, 0 to 1, from which an answer passes. */
  readonly passAt: number
  readonly asks: Asks
  /** Throws a `ScoringError` for what is wrong whatever the answer, when a suite is loaded. */
  validate?(expectedOutput: string | undefined, options: z.output<Options>): void
  /** Something worth a look, nothing more. */
  findWarning?(expectedOutput: string | undefined): string | undefined
  score(input: ScoringInput, options: z.output<Options>, tools: ScorerTools): ScoringResult | Promise<ScoringResult>
  /** True when scoring could hold the thread for more than some milliseconds. Only built-in scorers run in threads. */
  isSlow?(input: ScoringInput, options: z.output<Options>): boolean
  deadlineMs?(options: z.output<Options>): number
  readonly timeoutCode?: UnscoredCode
}

/** A scoring method as its author describes it: what is left out has a default. */
export interface ScorerDefinition<Options extends z.ZodObject = z.ZodObject>
  extends Pick<Scorer<Options>, 'name' | 'score'>, Partial<Omit<Scorer<Options>, 'name' | 'score'>> {}

const NO_CALLS: Asks = Object.freeze({ expected: 0, most: 0 })

/** What is wrong with a definition from plain JavaScript. */
function findFault({ name, score, options, passAt = 1 }: Partial<ScorerDefinition>): string | undefined {
  if (typeof name !== 'string' || name.trim() === '') return 'it needs a name'
  if (typeof score !== 'function') return 'it needs score(input, options), which gives { score } from 0 to 1'
  if (options !== undefined && !(options instanceof z.ZodObject))
    return 'its options must be a z.object({ … }) of zod 4'
  if (!(passAt >= 0 && passAt <= 1)) return `passAt is ${passAt}; it must be from 0 to 1`
  const taken = Object.keys(options?.shape ?? {}).find((option) => Object.hasOwn(testCaseSchema.shape, option))
  return taken === undefined ? undefined : `its option ${taken} is the name of a field of every test case`
}

/** Makes a scoring method; a new one is this, its test and a line in `scorers.ts`. */
export function defineScorer<Options extends z.ZodObject = z.ZodObject>(
  definition: ScorerDefinition<Options>,
): Scorer<Options>
export function defineScorer(definition: ScorerDefinition): Scorer {
  const fault = findFault(definition)
  if (fault !== undefined) throw new InputError(`scorer ${JSON.stringify(definition.name)}: ${fault}`)
  return Object.freeze({
    summary: '',
    expectedOutput: 'optional',
    options: z.object({}),
    passAt: 1,
    asks: NO_CALLS,
    ...definition,
  })
}

/** Whether answers are graded by a judge model. */
export function isJudged({ asks }: { asks: Asks }): boolean {
  return asks.expected > 0
}

export function isBlank(value: string | undefined): boolean {
  return value === undefined || value.trim() === ''
}
