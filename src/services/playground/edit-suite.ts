import {
  PLAYGROUND_NAME_PREFIX,
  PLAYGROUND_SUITE_PREFIX,
  type PlaygroundExperiment,
  type PlaygroundEdit,
  type RunRequest,
  type RunResult,
  type Suite,
  type TestCase,
  withoutSuiteOptions,
} from '../../contract/index.ts'
import { findMissingVariables, questionOf, type Question } from '../../scoring/index.ts'
import { requestOf } from '../plan.ts'
import type { EditableCase, FillCase } from './editable-case.ts'

export interface EditedSuite {
  suite: Suite
  /** What prevents the experiment, one sentence each. */
  problems: string[]
}

/** The case with other variables; where the written case is known, they also reach its expected output. */
function withVariables(
  { testCase, written }: EditableCase,
  vars: NonNullable<PlaygroundEdit['vars']>,
  fillCase: FillCase,
): { testCase: TestCase; problems: string[] } {
  // fromEntries makes `__proto__` a variable like any other.
  const values = Object.fromEntries(vars.map(({ name, value }) => [name, value]))
  if (!written) return { testCase: { ...testCase, vars: values }, problems: [] }
  // The question is filled afterwards: here only the rest of the case must have its values.
  const { prompt: _prompt, messages: _messages, ...rest } = written
  const { testCase: filled, problems } = fillCase({ ...rest, vars: values })
  const { prompt, messages } = testCase
  const own = { ...(prompt !== undefined && { prompt }), ...(messages && { messages }) }
  return { testCase: { ...(filled ?? testCase), ...own, vars: values }, problems }
}

/** The question as edited, with its variables unfilled. */
function editedQuestion({ question }: Pick<EditableCase, 'question'>, { prompt, messages }: PlaygroundEdit): Question {
  return messages ? { messages } : prompt !== undefined ? { prompt } : question
}

function withQuestion(testCase: TestCase, question: Question): TestCase {
  const { prompt: _prompt, messages: _messages, ...rest } = testCase
  return { ...rest, ...question }
}

function editCase(
  editable: EditableCase,
  edit: PlaygroundEdit,
  fillCase: FillCase,
): { testCase: TestCase; problems: string[] } {
  const { testCase, contestant } = editable
  const { prompt, messages, vars } = edit
  // Untouched, it is sent exactly as before.
  if (prompt === undefined && !messages && !vars)
    return { testCase: withQuestion(testCase, questionOf(testCase, contestant.variant)), problems: [] }
  const changed = vars ? withVariables(editable, vars, fillCase) : { testCase, problems: [] }
  const question = editedQuestion(editable, edit)
  const missing = findMissingVariables(changed.testCase, question).map(
    (name) => `{{${name}}} has no value: add the variable, or write \\{{${name}}} to mean the braces themselves`,
  )
  return {
    testCase: withQuestion(changed.testCase, questionOf(changed.testCase, question)),
    problems: [...missing, ...changed.problems],
  }
}

/** Names a run so that lists show where it comes from; a change of a change is named once. */
function nameSuite({ kind, suite: { name } }: EditableCase): string {
  return kind === 'playground' ? name : `${PLAYGROUND_NAME_PREFIX}${name}`
}

/**
 * The suite with the edit: the question and variables of one case, the system prompt of all. It has no variants: each
 * case has the question that the contestant got.
 */
export function editSuite(
  editable: EditableCase,
  { edit, cases }: Pick<PlaygroundExperiment, 'edit' | 'cases'>,
  fillCase: FillCase,
): EditedSuite {
  const { suite, contestant, testCase } = editable
  const { variants: _variants, systemPrompt: _systemPrompt, ...rest } = suite
  const systemPrompt = edit.systemPrompt === undefined ? contestant.systemPrompt : (edit.systemPrompt ?? undefined)
  const chosenIds = cases && new Set(cases)
  const chosen = chosenIds ? suite.testCases.filter(({ id }) => chosenIds.has(id)) : suite.testCases
  const edited = editCase(editable, edit, fillCase)
  const unknown = [...(chosenIds ?? [])].filter((id) => !chosen.some((found) => found.id === id))
  return {
    suite: {
      ...rest,
      name: nameSuite(editable),
      ...(systemPrompt !== undefined && { systemPrompt }),
      testCases: chosen.map((other) =>
        other.id === testCase.id ? edited.testCase : withQuestion(other, questionOf(other, contestant.variant)),
      ),
    },
    problems: [
      ...(chosen.some(({ id }) => id === testCase.id) ? edited.problems : []),
      ...(unknown.length > 0 ? [`the run has no case ${unknown.slice(0, 3).join(', ')}`] : []),
    ],
  }
}

/** The id of the suite that a run started from, even if it was a playground run. */
export function originSuiteId(run: RunResult): string {
  const { suiteId } = requestOf(run)
  return run.kind === 'playground' ? suiteId.slice(PLAYGROUND_SUITE_PREFIX.length) : suiteId
}

/** The request of an experiment: as the run was, except for what is edited. */
export function editRequest(
  run: RunResult,
  { contestant }: Pick<EditableCase, 'contestant'>,
  { edit, judgeModelIds, maxCost }: Pick<PlaygroundExperiment, 'edit' | 'judgeModelIds' | 'maxCost'>,
): RunRequest {
  const { maxCost: _maxCost, modelParameters: _own, ...request } = withoutSuiteOptions(requestOf(run))
  return {
    ...request,
    suiteId: `${PLAYGROUND_SUITE_PREFIX}${originSuiteId(run)}`.slice(0, 1000),
    models: [edit.modelId ?? contestant.modelId],
    parameters: { ...contestant.parameters, ...edit.parameters },
    repeat: 1,
    // Whoever runs a case again wants a new answer.
    cache: false,
    ...(judgeModelIds && { judgeModelIds }),
    ...(maxCost !== undefined && { maxCost }),
  }
}
