import {
  checkSchema,
  INSTRUCTIONS,
  InputError,
  isConversation,
  readPassMark,
  ScoringError,
  testCaseSchema,
  type Check,
  type PassMark,
  type Suite,
  type TestCase,
  type UnscoredCode,
} from '../../contract/index.ts'
import { endState } from '../agents/end-state.ts'
import { turns } from '../agents/turns.ts'
import { writeQuestions } from './questions.ts'
import { innerCheckSchema, javascript } from '../javascript.ts'
import { suggestName } from '../text/suggest-name.ts'
import { findPreset } from '../judging/judge-presets.ts'
import { llmJudge } from '../llm-judge.ts'
import { pageSteps } from '../page-steps.ts'
import { callsModels, isBlank, type ModelCalls, type EmbeddingCall, type Scorer, defineScorer } from '../scorer.ts'

/** Not a method of its own: compiling a case resolves the checks of a group, so it is in no list of scorers. */
export const checkGroup = defineScorer({
  name: 'group',
  summary: 'Several checks that count as one: their weighted mean, with one pass mark',
  expectedOutput: 'unused',
  score: () => {
    throw new ScoringError('invalid-options', 'group is scored by its checks')
  },
})

type Fields = Record<string, unknown>

/** One scoring method, ready to score any number of answers. */
export interface CompiledCheck {
  scorer: Scorer
  name: string | undefined
  expectedOutput: string | undefined
  /** Parsed by the scorer's schema. */
  options: Fields
  weight: number
  /** For `javascript` with a check that asks models: that check, which scores the transformed output. */
  graded?: CompiledCheck
  /** For a group: what it consists of. */
  group?: {
    checks: CompiledCheck[]
    passMarks: readonly number[]
    /** True if the group has a pass mark, so that its mean decides. */
    isOwnMark: boolean
  }
}

export interface CaseProblem {
  /** Relative to the case. */
  path: PropertyKey[]
  message: string
  /** Why the cells of the case are unscored; absent if the case cannot be run at all. */
  code?: UnscoredCode
}

/** A test case with everything needed to score an answer: nothing is parsed again. */
export interface CompiledCase {
  testCase: TestCase
  checks: CompiledCheck[]
  /** The task as a judge sees it, unless a variant asks its own question. */
  task: string
  /** What an answer must reach to pass. */
  passMark: PassMark
  /** A custom scorer sets the mark. Whoever reads the run later does not know it, so the verdict is stored. */
  isOwnMark: boolean
  /** Model calls needed to grade one answer, per judge. */
  modelCalls: ModelCalls
  /** What is embedded to grade one answer, besides the answer. */
  embeddingCalls: EmbeddingCall[]
  /** With any of these, no answer can be scored. */
  problems: CaseProblem[]
  /** Suspicious, but not an error. */
  warnings: CaseProblem[]
}

/** Problems that do not depend on the answer. */
function findProblems(scorer: Scorer, expected: string | undefined, options: Fields): CaseProblem[] {
  if (scorer.expectedOutput === 'required' && isBlank(expected))
    return [
      {
        path: ['expectedOutput'],
        message: `${scorer.name} needs an expected output, but it is missing or blank`,
        code: 'invalid-expected-output',
      },
    ]
  try {
    scorer.validate?.(expected, options)
    return []
  } catch (error) {
    if (!(error instanceof ScoringError)) throw error
    const path = scorer.name === INSTRUCTIONS ? [] : ['expectedOutput']
    return [{ path, message: error.message, code: error.code }]
  }
}

interface CheckFields extends Fields {
  expectedOutput?: string | undefined
  weight: number
  passAt?: number | undefined
  checks?: Check[] | undefined
}

/** The fields of a suite that apply to its cases. */
export type SuiteDefaults = Pick<Suite, 'passAt' | 'embeddingModel' | 'preset'> &
  Partial<Pick<Suite, 'agent' | 'world' | 'tools' | 'environment' | 'user'>>

/** What a check takes from its suite and its case unless it has its own. */
interface CheckDefaults extends SuiteDefaults {
  /** The context of the case for its judges, and its variable of that name, as other tools write it. */
  context?: string
  contextVariable?: string
}

function readContext({ context, vars }: TestCase): Pick<CheckDefaults, 'context' | 'contextVariable'> {
  return {
    ...(typeof context === 'string' && { context }),
    ...(vars?.['context'] !== undefined && { contextVariable: String(vars['context']) }),
  }
}

/** The preset and the context of a check that names none itself; a custom scorer's option may mean something else. */
function readJudgeDefaults(scorer: Scorer, fields: CheckFields, defaults: CheckDefaults): Fields {
  if (scorer !== llmJudge) return {}
  const preset = fields['preset'] ?? defaults.preset
  // Other prompts keep the variable out: it is in the task already.
  const needsContext = typeof preset === 'string' && findPreset(preset)?.needsContext === true
  const context = defaults.context ?? (needsContext ? defaults.contextVariable : undefined)
  return { ...(preset !== undefined && { preset }), ...(context !== undefined && { context }) }
}

/** A scorer's options are written next to the other fields of the case or check; some have a default in the suite. */
function compileCheck(
  scorer: Scorer,
  fields: CheckFields,
  defaults: CheckDefaults,
): { check?: CompiledCheck; problems: CaseProblem[] } {
  const { expectedOutput, weight } = fields
  const { embeddingModel } = defaults
  const withDefaults = {
    ...(embeddingModel !== undefined && { embeddingModel }),
    ...readJudgeDefaults(scorer, fields, defaults),
    ...fields,
  }
  const written = Object.entries(withDefaults).filter(([key]) => Object.hasOwn(scorer.options.shape, key))
  const options = scorer.options.safeParse(Object.fromEntries(written))
  if (!options.success)
    return {
      problems: options.error.issues.map(({ path, message }) => ({ path, message, code: 'invalid-options' as const })),
    }
  return {
    check: {
      scorer,
      name: typeof fields['name'] === 'string' ? fields['name'] : undefined,
      expectedOutput,
      options: options.data,
      weight,
    },
    problems: findProblems(scorer, expectedOutput, options.data),
  }
}

/** Compiles the checks of a group: with a pass mark it passes by its mean, without one if all of them do. */
function compileGroup(
  { checks: members, ...fields }: CheckFields,
  scorers: readonly Scorer[],
  defaults: CheckDefaults,
): { check?: CompiledCheck; problems: CaseProblem[] } {
  if (!members) return { problems: [{ path: [], message: 'group needs a list of checks' }] }
  const named = members.map((member, index) => ({
    path: ['checks', index],
    scoringMethod: member.scoringMethod,
    fields: member,
  }))
  const { checks, problems } = compileChecks(named, scorers, defaults)
  const { check } = compileCheck(checkGroup, fields, {})
  const passAtOf = (method: string) => scorers.find(({ name }) => name === method)?.passAt ?? 1
  const passMarks = members.map((member) => member.passAt ?? passAtOf(member.scoringMethod))
  return { check: { ...check!, group: { checks, passMarks, isOwnMark: fields.passAt !== undefined } }, problems }
}

/** Threads cannot ask models: a check that does is scored here, after the code has transformed the output there. */
function compileGraded(
  check: CompiledCheck,
  scorers: readonly Scorer[],
  defaults: CheckDefaults,
): { check: CompiledCheck; problems: CaseProblem[] } {
  const fields = check.scorer === javascript ? innerCheckSchema.safeParse(check.options['check']).data : undefined
  const scorer = fields && scorers.find(({ name }) => name === fields.scoringMethod)
  if (!fields || !scorer || !callsModels(scorer)) return { check, problems: [] }
  const { check: graded, problems } = compileCheck(scorer, { ...fields, weight: 1 }, defaults)
  return {
    check: { ...check, ...(graded && { graded }) },
    problems: problems.map((problem) => ({ ...problem, path: ['check', ...problem.path] })),
  }
}

interface NamedCheck {
  /** A group cannot contain groups. */
  canBeGroup?: boolean
  path: PropertyKey[]
  scoringMethod: string
  fields: CheckFields
}

/** What a conversation is scored by if its case does not say: what is expected of it. */
function listAgentChecks({ reference, endState: part, turns: scripted = [], task }: TestCase): NamedCheck[] {
  const methods = [
    ...(reference || part !== undefined ? [endState.name] : []),
    ...(scripted.some(({ expectedCalls, said }) => expectedCalls ?? said) ? [turns.name] : []),
    ...(scripted.some(({ pageTests }) => pageTests) ? [pageSteps.name] : []),
  ]
  // The environment of a task grades it itself.
  if (methods.length === 0 && task === undefined)
    throw new InputError(
      'nothing says what is right: give checks, a reference, an endState, expectations of turns, or the task of an environment',
    )
  return methods.map((scoringMethod) => ({ path: [], scoringMethod, fields: { weight: 1 } }))
}

/** The checks of a case, or its single scoring method as a check. */
function listChecks(testCase: TestCase, isAgent: boolean): NamedCheck[] {
  const { scoringMethod, checks: written } = testCase
  const isUsed = scoringMethod !== INSTRUCTIONS && (isAgent || written?.length !== 0)
  const checks = isUsed ? written : undefined
  if (checks && scoringMethod !== undefined) throw new InputError('give either scoringMethod or checks, not both')
  const all = (checks ?? []).flatMap((check) => [check, ...(check.checks ?? [])])
  if (all.length > 1 && all.some((check) => check.scoringMethod === 'none'))
    throw new InputError('none cannot be one of several checks; leave it out')
  if (all.some((check) => check.scoringMethod === 'pairwise'))
    throw new InputError(
      'pairwise compares whole answers; make it the scoringMethod of the case, not one of its checks',
    )
  if (checks)
    return checks.map((fields, index) => ({
      canBeGroup: true,
      path: ['checks', index],
      scoringMethod: fields.scoringMethod,
      fields,
    }))
  if (isAgent && scoringMethod === undefined) return listAgentChecks(testCase)
  if (scoringMethod === undefined) throw new InputError('give a scoringMethod, or a list of checks')
  return [{ path: [], scoringMethod, fields: testCase }]
}

function explainUnknownMethod(name: string, scorers: readonly Scorer[]): string {
  if (name === 'javascript')
    return 'javascript runs code of the suite: run it in the terminal with --allow-code if you trust the suite; the web app never runs code'
  if (name === checkGroup.name)
    return 'group is only for an entry of checks, with a list of checks that are not groups themselves'
  const known = scorers.map((scorer) => scorer.name)
  const meant = suggestName(name, known)
  const hint = meant === undefined ? `use one of ${known.join(', ')}` : `did you mean ${meant}?`
  return `there is no scoring method ${JSON.stringify(name)}; ${hint}`
}

function compilePassMark(
  testCase: TestCase,
  scorers: readonly Scorer[],
  suitePassAt: number | undefined,
): Pick<CompiledCase, 'passMark' | 'isOwnMark'> {
  const passMark = readPassMark(
    testCase,
    suitePassAt,
    (method) => scorers.find(({ name }) => name === method)?.passAt ?? 1,
  )
  return { passMark, isOwnMark: String(passMark) !== String(readPassMark(testCase, suitePassAt)) }
}

function addModelCalls(all: readonly ModelCalls[]): ModelCalls {
  return {
    expected: all.reduce((sum, { expected }) => sum + expected, 0),
    most: all.reduce((sum, { most }) => sum + most, 0),
  }
}

interface CompiledChecks {
  checks: CompiledCheck[]
  problems: CaseProblem[]
  warnings: CaseProblem[]
}

function compileChecks(
  named: readonly NamedCheck[],
  scorers: readonly Scorer[],
  defaults: CheckDefaults,
): CompiledChecks {
  const all: CompiledChecks = { checks: [], problems: [], warnings: [] }
  for (const { path, scoringMethod, fields, canBeGroup = false } of named) {
    const isGroup = canBeGroup && scoringMethod === checkGroup.name
    const scorer = isGroup ? checkGroup : scorers.find(({ name }) => name === scoringMethod)
    if (!scorer) {
      all.problems.push({
        path: [...path, 'scoringMethod'],
        message: explainUnknownMethod(scoringMethod, scorers),
      })
      continue
    }
    const { check, problems } = isGroup
      ? compileGroup(fields, scorers, defaults)
      : compileCheck(scorer, fields, defaults)
    const compiled = check && compileGraded(check, scorers, defaults)
    if (compiled) all.checks.push(compiled.check)
    const found = [...problems, ...(compiled?.problems ?? [])]
    all.problems.push(...found.map((problem) => ({ ...problem, path: [...path, ...problem.path] })))
    const message = problems.length === 0 ? scorer.findWarning?.(fields.expectedOutput) : undefined
    if (message !== undefined) all.warnings.push({ path: [...path, 'expectedOutput'], message })
  }
  return all
}

/** The checks that score answers: those inside groups and transforms instead of these. */
export function listScoring(checks: readonly CompiledCheck[]): CompiledCheck[] {
  return checks.flatMap((check) => (check.group ? listScoring(check.group.checks) : [check.graded ?? check]))
}

/** Plans how answers to a case are scored, and finds everything that is wrong with the case. */
export function compileCase(
  testCase: TestCase,
  scorers: readonly Scorer[],
  defaults: SuiteDefaults = {},
): CompiledCase {
  const checks: CompiledCheck[] = []
  const problems: CaseProblem[] = []
  const warnings: CaseProblem[] = []
  try {
    const compiled = compileChecks(listChecks(testCase, isConversation(defaults, testCase)), scorers, {
      ...defaults,
      ...readContext(testCase),
    })
    checks.push(...compiled.checks)
    problems.push(...compiled.problems)
    warnings.push(...compiled.warnings)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    problems.push({ path: [], message: error.message })
  }
  const scoring = listScoring(checks)
  return {
    testCase,
    checks,
    task: writeQuestions(testCase) ?? '',
    ...compilePassMark(testCase, scorers, defaults.passAt),
    modelCalls: addModelCalls(
      scoring.map(({ scorer, options }) => scorer.countModelCalls?.(options) ?? scorer.modelCalls),
    ),
    embeddingCalls: scoring.flatMap(
      ({ scorer, expectedOutput, options }) => scorer.embeddingCalls?.(expectedOutput, options) ?? [],
    ),
    problems,
    warnings,
  }
}

export function compileSuite(suite: Suite, scorers: readonly Scorer[]): CompiledCase[] {
  return suite.testCases.map((testCase) => compileCase(testCase, scorers, suite))
}

interface UnknownField {
  path: PropertyKey[]
  /** The field that may be meant. */
  meant?: string | undefined
}

/** Fields that nothing reads: usually a misspelt option. */
export function findUnknownFields(testCase: TestCase, scorers: readonly Scorer[]): UnknownField[] {
  const unknownIn = (fields: Fields, own: object, method: string | undefined, path: PropertyKey[]): UnknownField[] => {
    const options = scorers.find(({ name }) => name === method)?.options.shape ?? {}
    const known = [...Object.keys(own), ...Object.keys(options)]
    return Object.keys(fields)
      .filter((key) => !known.includes(key))
      .map((key) => ({ path: path.concat(key), meant: suggestName(key, known) }))
  }
  const unknownInCheck = (check: Check, path: PropertyKey[]): UnknownField[] => {
    const { checks = [], ...own } = check
    const unknown = unknownIn(own, checkSchema.shape, check.scoringMethod, path)
    if (check.scoringMethod === INSTRUCTIONS) return unknown
    if (check.scoringMethod !== checkGroup.name)
      return check.checks ? [...unknown, { path: [...path, 'checks'] }] : unknown
    return [...unknown, ...checks.flatMap((member, index) => unknownInCheck(member, [...path, 'checks', index]))]
  }
  // The model is offered the tools whatever scores its answer, and the checks of the case share its context.
  const { tools: _tools, ...fields } = testCase
  if (testCase.checks) delete fields['context']
  return [
    ...unknownIn(fields, testCaseSchema.shape, testCase.scoringMethod, []),
    ...(testCase.scoringMethod === INSTRUCTIONS ? [] : (testCase.checks ?? [])).flatMap((check, index) =>
      unknownInCheck(check, ['checks', index]),
    ),
  ]
}
