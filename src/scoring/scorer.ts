import { z } from 'zod'
import { INSTRUCTIONS, InputError, testCaseSchema } from '../contract/index.ts'
import type { Judging, PageBench, ScoringInput, ScoringResult, UnscoredCode } from '../contract/index.ts'

/** Model calls needed for one grade, per judge. */
export interface ModelCalls {
  expected: number
  /** If the judge's answers are unreadable and it is retried. */
  most: number
}

/** What a scorer embeds besides the answer, in one request for each answer. */
export interface EmbeddingCall {
  modelId: string
  texts: readonly string[]
}

/** What a scorer may use besides the answer. */
export interface ScorerTools {
  /** Has no judges if the scorer asks none. */
  judging: Judging
  /** Draws the marks that delimit an answer in the judge's prompt. */
  random: () => number
  /** Opens pages; absent where there is no browser to open them in, as in the library. */
  pages?: PageBench | undefined
}

/** A scoring method. */
export interface Scorer<Options extends z.ZodObject = z.ZodObject> {
  /** The value of `scoringMethod`. */
  readonly name: string
  /** One line for help texts, forms and reference pages. */
  readonly summary: string
  readonly expectedOutput: 'required' | 'optional' | 'unused'
  /** Written next to the other fields of a test case or check, and parsed once. */
  readonly options: Options
  /** The score, 0 to 1, from which an answer passes. */
  readonly passAt: number
  readonly modelCalls: ModelCalls
  /** If the number depends on the options. */
  countModelCalls?(options: z.output<Options>): ModelCalls
  /** What a judge reads besides the answer, for the estimate; by default the prompt of `llm-judge`. */
  judgePromptTexts?(
    input: Pick<ScoringInput, 'prompt' | 'expectedOutput'>,
    options: z.output<Options>,
  ): readonly string[]
  /** True if an answer is scored against those of the other models: it waits until they are all there. */
  readonly comparesAnswers?: boolean
  /** True if an answer is a page, which is opened in a browser to score it. */
  readonly opensPages?: boolean
  /** For a scorer that compares embeddings. */
  embeddingCalls?(expectedOutput: string | undefined, options: z.output<Options>): EmbeddingCall
  /** Runs when a suite is loaded; throws a `ScoringError` for problems that do not depend on the answer. */
  validate?(expectedOutput: string | undefined, options: z.output<Options>): void
  /** Something suspicious that is not an error. */
  findWarning?(expectedOutput: string | undefined): string | undefined
  score(input: ScoringInput, options: z.output<Options>, tools: ScorerTools): ScoringResult | Promise<ScoringResult>
  /** True if scoring could block the thread for several milliseconds. Only built-in scorers run in threads. */
  isSlow?(input: ScoringInput, options: z.output<Options>): boolean
  deadlineMs?(options: z.output<Options>): number
  readonly timeoutCode?: UnscoredCode
}

/** A scoring method as its author writes it; omitted fields have defaults. */
export interface ScorerDefinition<Options extends z.ZodObject = z.ZodObject>
  extends Pick<Scorer<Options>, 'name' | 'score'>, Partial<Omit<Scorer<Options>, 'name' | 'score'>> {}

const NO_CALLS: ModelCalls = Object.freeze({ expected: 0, most: 0 })

/** Checks a definition, which may come from plain JavaScript. */
function findFault({ name, score, options, passAt = 1 }: Partial<ScorerDefinition>): string | undefined {
  if (typeof name !== 'string' || name.trim() === '') return 'it needs a name'
  if (typeof score !== 'function') return 'it needs score(input, options), which returns { score } from 0 to 1'
  if (options !== undefined && !(options instanceof z.ZodObject)) return 'its options must be a zod 4 z.object({ … })'
  if (!(passAt >= 0 && passAt <= 1)) return `passAt is ${passAt}; it must be between 0 and 1`
  const taken = Object.keys(options?.shape ?? {}).find(
    (option) => Object.hasOwn(testCaseSchema.shape, option) && !(name === INSTRUCTIONS && option === 'checks'),
  )
  return taken === undefined ? undefined : `its option ${taken} has the same name as a field of test cases`
}

/** Defines a scoring method. A built-in one needs its own file, a test and a line in `scorers.ts`. */
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
    modelCalls: NO_CALLS,
    ...definition,
  })
}

/** Returns true if answers are graded by a judge model. */
export function isJudged({ modelCalls }: { modelCalls: ModelCalls }): boolean {
  return modelCalls.expected > 0
}

/** Returns true if scoring sends requests, to judges or to an embedding model. */
export function callsModels(scorer: Scorer): boolean {
  return isJudged(scorer) || scorer.embeddingCalls !== undefined
}

export function isBlank(value: string | undefined): boolean {
  return value === undefined || value.trim() === ''
}

/** For scorers that ask no model. */
export const noJudging: Judging = {
  judgeModelIds: [],
  callModel: () => Promise.reject(new InputError('a scorer that calls models must declare `modelCalls`')),
}
