import {
  hasPassed,
  InputError,
  NO_SCORING,
  ScoringError,
  scoringResultSchema,
  testCaseSchema,
  type CheckResult,
  type Judging,
  type RunToolCode,
  type ScoreInWorker,
  type PageBench,
  type ScoringInput,
  type ScoredConversation,
  type ScoringResult,
  type TestCase,
  messageOf,
} from '../contract/index.ts'
import { compileCase, type CaseProblem, type CompiledCase, type CompiledCheck } from './compiling/compile-case.ts'
import { judgeAnswer, type JudgedAnswer } from './llm-judge.ts'
import {
  booleanMatchAlone,
  createRunAlone,
  exactMatchAlone,
  isSlow,
  jsonMatchAlone,
  jsonSchemaAlone,
  multipleChoiceAlone,
  numericToleranceAlone,
  regexMatchAlone,
  scoreWithDeadline,
} from './score-alone.ts'
import { callsModels, isJudged, noJudging, type Scorer } from './scorer.ts'
import { findOtherReading } from './audit-scoring.ts'
import { codeTests } from './code-tests.ts'
import { findPageObstacle } from './page-tests.ts'
import { codeScorers, scorers as builtIn } from './scorers.ts'

/** An answer to score: its text alone, or with its tool calls and figures, and the task if it is not the case's own. */
export type Answer = string | Omit<ScoringInput, 'expectedOutput' | 'vars'>

/** A test case as a caller writes it: fields with defaults may be omitted. */
export type TestCaseInput = Partial<Pick<TestCase, 'id' | 'weight'>> & Omit<TestCase, 'id' | 'weight'>

type Options = Record<string, unknown>

export interface ScoringTools {
  /** Absent where there are no threads, as in a browser. */
  scoreInWorker?: ScoreInWorker | undefined
  /** Draws the marks that delimit an answer in the judge's prompt; they must be hard to guess. */
  random: () => number
  /** The scorers that cases may use; by default the built-in ones. */
  scorers?: readonly Scorer[]
  /** Why no answer can be scored by a method with these options here, such as a package that is not installed. */
  findObstacle?: (scoringMethod: string, options: Options) => Promise<string | undefined>
  /** Opens pages in a browser. */
  pages?: PageBench | undefined
  /** Runs the code of tools; absent where there are no threads. */
  runToolCode?: RunToolCode | undefined
}

/** If the case cannot be run at all, that is the caller's mistake; otherwise its cells are unscored. */
function toError({ path, message, code }: CaseProblem): Error {
  if (code === undefined) return new InputError(message)
  const isOption = code === 'invalid-options' && path.length > 0
  return new ScoringError(code, isOption ? `${path.join('.')}: ${message}` : message)
}

function isOurs(scorer: Scorer): boolean {
  return builtIn.includes(scorer) || codeScorers.includes(scorer)
}

/** Code sees the task: it completes it, or reads its variables. */
function runsCode(scorer: Scorer): boolean {
  return codeScorers.includes(scorer) || scorer === codeTests
}

/** A custom scorer may return anything. */
function checkResult(result: ScoringResult, { name }: Scorer): ScoringResult {
  const fault = findFault(result)
  if (fault === undefined) return result
  throw new ScoringError('scoring-failed', `${name} returned ${fault}`)
}

function findFault(result: ScoringResult): string | undefined {
  const [issue] = scoringResultSchema.safeParse(result).error?.issues ?? []
  if (issue) {
    const [field = 'score'] = issue.path
    return field === 'score'
      ? `${nameResult(result)}; it must return { score } from 0 to 1`
      : `${issue.path.join('.')} that cannot be stored: ${issue.message}`
  }
  try {
    JSON.stringify(result)
    return undefined
  } catch (error) {
    return `a result that cannot be stored: ${messageOf(error)}`
  }
}

function nameResult(result: unknown): string {
  return typeof result === 'object' && result !== null && 'score' in result
    ? `the score ${nameValue(result.score)}`
    : nameValue(result)
}

function nameValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

/** If a scorer fails, its answer is unscored and the run continues. */
function asScoringError(error: unknown, { name }: Scorer): ScoringError {
  if (error instanceof ScoringError) return error
  const message = messageOf(error)
  return new ScoringError('scoring-failed', `${name}: ${message}`, { cause: error })
}

/** The weighted mean of checks. */
function combineChecks(checks: CheckResult[]): ScoringResult {
  const totalWeight = checks.reduce((sum, { weight }) => sum + weight, 0)
  return {
    score: checks.reduce((sum, { score, weight }) => sum + score * weight, 0) / totalWeight,
    notes: checks
      .map(({ name, scoringMethod, score }) => `${name ?? scoringMethod} ${Math.round(score * 100)}`)
      .join(', '),
    checks,
  }
}

/** What an environment that grades itself says. */
function readGrade({ reward, breakdown }: NonNullable<ScoredConversation['grade']>): ScoringResult {
  return { score: reward, ...(breakdown !== undefined && { notes: JSON.stringify(breakdown) }) }
}

/** As tau2-bench: the product of all checks; 1 without any, and 0 if the conversation did not end by itself. */
function multiplyChecks(checks: CheckResult[], { end }: ScoredConversation): ScoringResult {
  const isWhole = end === undefined || end === 'agent-stop' || end === 'user-stop'
  const score = isWhole ? checks.reduce((product, check) => product * check.score, 1) : 0
  return {
    score,
    passed: score >= 1,
    notes: !isWhole
      ? `ended by a limit: ${end}`
      : checks
          .map(({ name, scoringMethod, score: one }) => `${name ?? scoringMethod} ${Math.round(one * 100)}`)
          .join(', '),
    checks,
  }
}

/**
 * Creates all scoring functions. Short work is done at once; long texts and patterns of unknown cost go to
 * `scoreInWorker`, with a deadline.
 */
export function createScoring({
  scoreInWorker,
  random,
  scorers = builtIn,
  findObstacle,
  runToolCode,
  pages,
}: ScoringTools) {
  const run = async (
    scorer: Scorer,
    input: ScoringInput,
    options: Options,
    judging: Judging,
  ): Promise<ScoringResult> => {
    // Threads only have our own scorers.
    if (!scoreInWorker || !isOurs(scorer) || !isSlow(scorer, input, options))
      return scorer.score(input, options, { judging, random, pages })
    const { keepPicture: _keep, ...plain } = input
    const { prompt: _prompt, vars: _vars, ...rest } = plain
    return scoreWithDeadline(scorer, runsCode(scorer) ? plain : rest, options, scoreInWorker)
  }

  const runAlone = createRunAlone({ scoreInWorker, random })

  const runCheck = async (check: CompiledCheck, input: ScoringInput, judging: Judging): Promise<ScoringResult> => {
    const { scorer, expectedOutput, options, graded } = check
    if (graded) return runGraded({ ...check, graded }, input, judging)
    if (isJudged(scorer) && judging.judgeModelIds.length === 0)
      throw new InputError(`${scorer.name} needs a judge model, but none is set`)
    if (scorer.embeddingCalls && judging === noJudging)
      throw new InputError(`${scorer.name} needs an embedding model, and there is no client for it`)
    const fullInput = {
      ...input,
      ...(expectedOutput !== undefined && { expectedOutput }),
      // A judge reads the whole conversation.
      ...(input.conversation && isJudged(scorer) && { response: input.conversation.transcript }),
    }
    if (isOurs(scorer)) return run(scorer, fullInput, options, judging)
    try {
      return checkResult(await run(scorer, fullInput, options, judging), scorer)
    } catch (error) {
      // A scorer that asks models may throw errors that stop the run: it was cancelled, or the budget is used up.
      throw callsModels(scorer) ? error : asScoringError(error, scorer)
    }
  }

  /** Without code and check, the thread returns the transformed output as a note, or 0 if the code threw. */
  const runGraded = async (
    { scorer, options, graded }: CompiledCheck & Required<Pick<CompiledCheck, 'graded'>>,
    input: ScoringInput,
    judging: Judging,
  ): Promise<ScoringResult> => {
    const { check: _graded, negate, ...transform } = options
    const transformed = await run(scorer, input, { ...transform, negate: false }, judging)
    const result =
      transformed.score === 0
        ? transformed
        : await runCheck(graded, { ...input, response: transformed.notes ?? '' }, judging)
    return negate === true ? { ...result, score: 1 - result.score } : result
  }

  /** A group passes by its pass mark or, without one, if all of its checks pass: only here are their marks known. */
  const runGroup = async (
    { checks, passMarks, isOwnMark }: NonNullable<CompiledCheck['group']>,
    input: ScoringInput,
    judging: Judging,
  ): Promise<ScoringResult> => {
    const results = await scoreChecks(checks, input, judging)
    const judges = results.flatMap((result) => result.judges ?? [])
    return {
      ...combineChecks(results),
      ...(!isOwnMark && { passed: results.every((result, index) => hasPassed(result, passMarks[index]!)) }),
      ...(judges.length > 0 && { judges }),
    }
  }

  const scoreChecks = (checks: CompiledCheck[], input: ScoringInput, judging: Judging): Promise<CheckResult[]> =>
    Promise.all(
      checks.map(async (check) => ({
        ...(await (check.group ? runGroup(check.group, input, judging) : runCheck(check, input, judging))),
        ...(check.name !== undefined && { name: check.name }),
        scoringMethod: check.scorer.name,
        weight: check.weight,
      })),
    )

  /** Scores an answer by the case's single method, or as the weighted mean of its checks. */
  const scoreCompiled = async (
    compiled: CompiledCase,
    answer: Answer,
    judging: Judging = noJudging,
  ): Promise<ScoringResult> => {
    const [problem] = compiled.problems
    if (problem) throw toError(problem)
    const result = await scoreChecked(compiled, answer, judging)
    return compiled.isOwnMark ? { ...result, passed: hasPassed(result, compiled.passMark) } : result
  }

  const scoreChecked = async (
    { testCase, checks, task }: CompiledCase,
    answer: Answer,
    judging: Judging,
  ): Promise<ScoringResult> => {
    const input: ScoringInput = {
      prompt: task,
      ...(testCase.vars && { vars: testCase.vars }),
      ...(typeof answer === 'string' ? { response: answer } : answer),
    }
    if (testCase.scoringMethod !== undefined) return runCheck(checks[0]!, input, judging)
    const { conversation } = input
    if (conversation?.as === 'tau2') return multiplyChecks(await scoreChecks(checks, input, judging), conversation)
    if (checks.length === 0 && conversation?.grade) return readGrade(conversation.grade)
    if (checks.length === 0) throw new ScoringError(NO_SCORING, 'its list of checks is empty')
    return combineChecks(await scoreChecks(checks, input, judging))
  }

  /** Why no answer to the case can be scored here. */
  const findObstacleTo = async ({ checks }: Pick<CompiledCase, 'checks'>): Promise<string | undefined> => {
    for (const { scorer, options, group } of checks) {
      const obstacle = await (group
        ? findObstacleTo(group)
        : scorer.opensPages
          ? findPageObstacle(pages)
          : findObstacle?.(scorer.name, options))
      if (obstacle !== undefined) return obstacle
    }
    return undefined
  }

  /** Scores an answer of a run: its score also says whether another reading of the answer would change it. */
  const scoreAnswer = async (compiled: CompiledCase, answer: Answer, judging?: Judging): Promise<ScoringResult> => {
    const score = await scoreCompiled(compiled, answer, judging)
    const { response } = typeof answer === 'string' ? { response: answer } : answer
    const otherReading = findOtherReading(compiled.testCase, response, hasPassed(score, compiled.passMark))
    return otherReading === undefined ? score : { ...score, otherReading }
  }

  return {
    scorers,
    findObstacleTo,
    scoreAnswer,
    scoreCompiled,
    runToolCode,

    scoreExactMatch: exactMatchAlone(runAlone),
    scoreRegexMatch: regexMatchAlone(runAlone),
    scoreNumericTolerance: numericToleranceAlone(runAlone),
    scoreBooleanMatch: booleanMatchAlone(runAlone),
    scoreJsonMatch: jsonMatchAlone(runAlone),
    scoreJsonSchema: jsonSchemaAlone(runAlone),
    scoreMultipleChoice: multipleChoiceAlone(runAlone),

    scoreLLMJudge: (answer: JudgedAnswer, judging: Judging): Promise<ScoringResult> =>
      judgeAnswer(answer, judging, random),

    /** Scores an answer by its test case. */
    scoreResponse: (testCase: TestCaseInput, answer: Answer, judging?: Judging): Promise<ScoringResult> =>
      scoreCompiled(compileCase(testCaseSchema.parse({ id: 'case', ...testCase }), scorers), answer, judging),
  }
}

export type Scoring = ReturnType<typeof createScoring>
