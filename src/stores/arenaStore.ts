import { z } from 'zod'
import { createStore, type StoreApi } from 'zustand/vanilla'
import {
  commonOptions,
  completeParameters,
  defaultOf,
  givenParametersSchema,
  runLimits,
  suiteOptions,
  type ModelParameters,
  type Option,
  type Options,
  type RunRequestInput,
} from '../contract/index.ts'
import { createModelStore } from './modelStore.ts'

/** Options as they are stored: an invalid one is as if it had not been chosen. */
function choicesOf<Given extends Options>(options: Given): { [Name in keyof Given]: z.ZodCatch<Given[Name]['field']> }
function choicesOf(options: Options): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, option.field.catch(defaultOf(option))]),
  )
}

const { models: _models, judgeModelIds: _judges, repeat: _repeat, ...choosable } = commonOptions
const { filter: _filter, ...choosableOfSuites } = suiteOptions

const commonChoicesSchema = z.object(choicesOf(choosable))
const suiteChoicesSchema = z.object({ ...choicesOf(choosableOfSuites), filter: z.string().catch('') })

/** The choices for the next run. An absent one uses the program's default. */
const choicesSchema = z.object({
  suiteId: z.string().optional().catch(undefined),
  models: z.array(z.string()).optional().catch(undefined),
  judgeModelIds: z.array(z.string()).optional().catch(undefined),
  ...commonChoicesSchema.shape,
  ...suiteChoicesSchema.shape,
})

export type ArenaChoices = z.output<typeof choicesSchema>

const storedSchema = z.object({
  choices: choicesSchema,
  parameters: givenParametersSchema.catch({}).transform(completeParameters),
})

export interface ArenaState {
  choices: ArenaChoices
  /** As the user set them; Benchmark Mode does not overwrite them. */
  parameters: ModelParameters
  /** As sent to the models. */
  effectiveParameters: ModelParameters
  /** Errors by field label: nothing starts while there are any. */
  fieldErrors: Record<string, string>
  choose(changes: Partial<ArenaChoices>): void
  setParameters(changes: Partial<ModelParameters>): void
  toggleBenchmarkMode(): void
  setFieldError(field: string, message: string | undefined): void
}

/** The part of `localStorage` that the store needs. */
export interface ChoiceStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

const KEY = 'benchmaker-arena'

function readStored(storage: ChoiceStorage): z.output<typeof storedSchema> {
  const defaults = { choices: choicesSchema.parse({}), parameters: completeParameters() }
  try {
    const stored = storedSchema.safeParse(JSON.parse(storage.getItem(KEY) ?? 'null'))
    return stored.success ? stored.data : defaults
  } catch {
    // The text is not ours, or storage is disabled: start with the defaults.
    return defaults
  }
}

/** The Arena choices, saved in `storage`. The model store holds the parameters. */
export function createArenaStore(storage: ChoiceStorage): StoreApi<ArenaState> {
  const start = readStored(storage)
  const models = createModelStore(start.parameters)
  const readParameters = () => ({
    parameters: models.getParameters(),
    effectiveParameters: models.getEffectiveParameters(),
  })
  const store = createStore<ArenaState>((set) => ({
    choices: start.choices,
    ...readParameters(),
    fieldErrors: {},
    choose: (changes) => set(({ choices }) => ({ choices: { ...choices, ...changes } })),
    setParameters: (changes) => {
      models.setParameters(changes)
      set(readParameters())
    },
    toggleBenchmarkMode: () => {
      models.toggleBenchmarkMode()
      set(readParameters())
    },
    setFieldError: (field, message) =>
      set(({ fieldErrors }) => {
        const { [field]: _, ...others } = fieldErrors
        return { fieldErrors: message === undefined ? others : { ...others, [field]: message } }
      }),
  }))
  store.subscribe(({ choices, parameters }) => {
    try {
      storage.setItem(KEY, JSON.stringify({ choices, parameters }))
    } catch {
      // Storage is full or disabled: the choices still apply until the page is closed.
    }
  })
  return store
}

/** Used for whatever the user has not chosen. */
export interface ArenaDefaults {
  suiteId: string | undefined
  models: string[]
  judgeModelIds: string[]
  needsJudge: boolean
  /** A model plays the user in the suite. */
  hasUser: boolean
}

/** What a run of a suite and one of the Code Arena take from the same choices. */
export function readAsking({ choices, effectiveParameters }: Pick<ArenaState, 'choices' | 'effectiveParameters'>) {
  return { parameters: effectiveParameters, ...commonChoicesSchema.parse(choices) }
}

/** An option that depends on another, or on a simulated user, is left out without it. */
export function isOffered({ onlyWith, isForUsers = false }: Option, choices: ArenaChoices, hasUser: boolean): boolean {
  if (isForUsers && !hasUser) return false
  return onlyWith === undefined || new Map<string, unknown>(Object.entries(choices)).get(onlyWith) !== undefined
}

function readSuiteChoices(choices: ArenaChoices, hasUser: boolean): Partial<RunRequestInput> {
  const options: Options = suiteOptions
  const chosen = Object.entries(suiteChoicesSchema.parse(choices))
  return Object.fromEntries(chosen.filter(([name]) => isOffered(options[name]!, choices, hasUser)))
}

/** The request to send, or the problems that prevent it. */
export function makeRunRequest(
  state: ArenaState,
  defaults: ArenaDefaults,
): { request: RunRequestInput } | { problems: string[] } {
  const { choices } = state
  const suiteId = defaults.suiteId
  const models = choices.models ?? defaults.models
  const judgeModelIds = choices.judgeModelIds ?? defaults.judgeModelIds
  const problems = Object.entries(state.fieldErrors).map(([field, message]) => `${field}: ${message}`)
  if (suiteId === undefined) problems.push('Choose a suite.')
  if (models.length === 0) problems.push('Choose at least one model.')
  if (models.length > runLimits.models)
    problems.push(`Choose at most ${runLimits.models} models: you chose ${models.length}.`)
  if (defaults.needsJudge && judgeModelIds.length === 0)
    problems.push('Choose a judge: this suite has cases that need one.')
  if (judgeModelIds.length > runLimits.judges)
    problems.push(`Choose at most ${runLimits.judges} judges: you chose ${judgeModelIds.length}.`)
  if (problems.length > 0 || suiteId === undefined) return { problems }
  return {
    request: {
      suiteId,
      models,
      ...readAsking(state),
      ...readSuiteChoices(choices, defaults.hasUser),
      judgeModelIds: defaults.needsJudge ? judgeModelIds : [],
    },
  }
}
