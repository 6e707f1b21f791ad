import {
  defaultOf,
  parameterOptions,
  rangeOf,
  type Message,
  type Option,
  type ModelParameters,
  type PlaygroundEdit,
} from '../../contract/index.ts'
import { capitalise, formatCount, joinWords } from '../../report/words/index.ts'
import type { PlaygroundStart } from '../../server/playground/start-view.ts'
import { readNumber, type FieldRange } from '../arena/choices/read-number.ts'
import { isSame } from '../suites/unsaved-draft.ts'

/** The parameters that are numbers. */
export const parameterFields = Object.entries<Option>(parameterOptions).flatMap(([name, option]) => {
  const range = rangeOf(option)
  return range ? [{ name, label: option.label, range: { ...range, isOptional: defaultOf(option) === undefined } }] : []
})

/** Which cases are run. */
export type Scope = 'case' | 'failed' | 'chosen' | 'all'

/** What the user has typed; numbers stay text until they are read. */
export interface Draft {
  prompt: string
  messages?: Message[]
  vars: unknown
  systemPrompt: string
  modelId: string
  numbers: Record<string, string>
  benchmarkMode: boolean
  judges: string
  scope: Scope
  chosen: string[]
  /** US dollars. */
  budget: string
}

/** For the fields that change a draft. */
export interface DraftProps {
  start: PlaygroundStart
  caseId: string
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
}

function fieldsOf(vars: PlaygroundStart['vars']): Record<string, unknown> | undefined {
  return vars.length === 0 ? undefined : Object.fromEntries(vars.map(({ name, value }) => [name, value]))
}

export function createDraft(start: PlaygroundStart): Draft {
  const { question, parameters } = start
  return {
    prompt: question?.prompt ?? '',
    ...(question?.messages && { messages: question.messages }),
    vars: fieldsOf(start.vars),
    systemPrompt: start.systemPrompt ?? '',
    modelId: start.modelId,
    numbers: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])),
    benchmarkMode: parameters.benchmarkMode,
    judges: start.judgeModelIds.join(', '),
    scope: 'case',
    chosen: [],
    budget: '',
  }
}

/** The error of each parameter that cannot be read. */
export function findNumberErrors({ numbers }: Draft): Record<string, string> {
  return Object.fromEntries(
    parameterFields.flatMap(({ name, label, range }) => {
      const read = readNumber(numbers[name] ?? '', range)
      return 'error' in read ? [[name, `${label} ${read.error}.`]] : []
    }),
  )
}

const BUDGET: FieldRange = { min: 0, isMinExcluded: true, isOptional: true }

/** Several cases only: one costs little. */
export function readBudget({ budget, scope }: Draft): number | undefined {
  const read = readNumber(budget, BUDGET)
  return scope !== 'case' && 'value' in read ? read.value : undefined
}

export function findBudgetErrors({ budget, scope }: Draft): string[] {
  const read = readNumber(budget, BUDGET)
  return scope !== 'case' && 'error' in read ? [`Budget ${read.error}.`] : []
}

function readParameters({ numbers, benchmarkMode }: Draft, { parameters }: PlaygroundStart): Partial<ModelParameters> {
  const before = new Map<string, unknown>(Object.entries(parameters))
  const changed = parameterFields.flatMap(({ name, range }) => {
    const read = readNumber(numbers[name] ?? '', range)
    return 'value' in read && read.value !== undefined && read.value !== before.get(name) ? [[name, read.value]] : []
  })
  return {
    ...Object.fromEntries(changed),
    ...(benchmarkMode !== parameters.benchmarkMode && { benchmarkMode }),
  }
}

function readVariables(vars: unknown): NonNullable<PlaygroundEdit['vars']> {
  if (typeof vars !== 'object' || vars === null) return []
  return Object.entries(vars).map(([name, value]: [string, unknown]) => ({
    name,
    value: typeof value === 'number' || typeof value === 'boolean' ? value : String(value ?? ''),
  }))
}

/** Only what differs from what the run sent. */
export function readEdit(draft: Draft, start: PlaygroundStart): PlaygroundEdit {
  const { question } = start
  const parameters = readParameters(draft, start)
  const isPromptChanged = question && !question.messages && draft.prompt !== (question.prompt ?? '')
  const areMessagesChanged = draft.messages && !isSame(draft.messages, question?.messages)
  return {
    ...(isPromptChanged && { prompt: draft.prompt }),
    ...(areMessagesChanged && { messages: draft.messages }),
    ...(!isSame(draft.vars, fieldsOf(start.vars)) && { vars: readVariables(draft.vars) }),
    ...(draft.systemPrompt !== (start.systemPrompt ?? '') && {
      systemPrompt: draft.systemPrompt === '' ? null : draft.systemPrompt,
    }),
    ...(draft.modelId.trim() !== start.modelId && { modelId: draft.modelId.trim() }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
  }
}

/** The cases that failed before; none of a suite too large to list whole. */
export function listFailed({ cases }: PlaygroundStart): string[] {
  return cases.flatMap(({ id, passed }) => (passed === false ? [id] : []))
}

/** The ids of the cases to run; undefined for all of them. */
export function listChosen({ scope, chosen }: Draft, start: PlaygroundStart, caseId: string): string[] | undefined {
  if (scope === 'all') return undefined
  if (scope === 'case') return [caseId]
  return scope === 'failed' ? listFailed(start) : chosen
}

/** Judges are typed as one text; names have no commas. */
export function readJudges({ judges }: Draft): string[] {
  return [...new Set(judges.split(',').flatMap((name) => name.trim() || []))]
}

function nameChanges(edit: PlaygroundEdit): { own: string[]; all: string[] } {
  const own = [(edit.prompt !== undefined || edit.messages) && 'the prompt', edit.vars && 'the variables']
  const all = [
    edit.systemPrompt !== undefined && 'the system prompt',
    edit.modelId !== undefined && 'the model',
    edit.parameters && 'the parameters',
  ]
  const named = (parts: (string | false | undefined)[]) => parts.filter((part) => typeof part === 'string')
  return { own: named(own), all: named(all) }
}

const areOrIs = (parts: string[]) => (parts.length > 1 || parts[0]?.endsWith('s') ? 'change' : 'changes')

/** Which cases are run and what changes in which of them. */
export function describeExperiment(
  edit: PlaygroundEdit,
  scope: { caseId: string; ids: string[] | undefined; total: number },
): string {
  const { caseId, ids, total } = scope
  const count = ids?.length ?? total
  const isOwnRun = !ids || ids.includes(caseId)
  const isOnlyOwn = isOwnRun && count === 1
  const who = isOnlyOwn
    ? `Runs ${caseId}`
    : `Runs ${ids ? formatCount(count) + ' of ' : 'all '}${formatCount(total, 'case')}`
  const { own, all } = nameChanges(edit)
  if (own.length + all.length === 0) return `${who} again without a change.`
  if (isOnlyOwn) return `${who} with ${joinWords([...own, ...all])} changed.`
  const parts = [
    own.length > 0 &&
      (isOwnRun
        ? `${joinWords(own)} ${areOrIs(own)} in ${caseId} only`
        : `${joinWords(own)} of ${caseId} ${own.length > 1 || own[0] === 'the variables' ? 'are' : 'is'} not used, because it is not run`),
    all.length > 0 && `${joinWords(all)} ${areOrIs(all)} in all of them`,
  ].filter((part) => typeof part === 'string')
  return `${who}. ${capitalise(parts.join('; '))}.`
}
