import { z } from 'zod'
import { createStore, type StoreApi } from 'zustand/vanilla'
import {
  commonRequestFields,
  defaultConcurrency,
  completeParameters,
  modelParametersSchema,
  runLimits,
  type ModelParameters,
  type RunRequestInput,
} from '../contract/index.ts'
import { createModelStore } from './modelStore.ts'

/** What is chosen for the next run. What was never chosen is left to the program's own choice. */
const choicesSchema = z.object({
  suiteId: z.string().optional().catch(undefined),
  models: z.array(z.string()).optional().catch(undefined),
  judgeModelIds: z.array(z.string()).optional().catch(undefined),
  combineJudges: commonRequestFields.combineJudges.catch('mean'),
  concurrency: commonRequestFields.concurrency.catch(defaultConcurrency),
  timeoutSeconds: commonRequestFields.timeoutSeconds.catch(undefined),
  maxCost: commonRequestFields.maxCost.catch(undefined),
  filter: z.string().catch(''),
  limit: z.int().positive().optional().catch(undefined),
})

type ArenaChoices = z.output<typeof choicesSchema>

const keptSchema = z.object({
  choices: choicesSchema,
  parameters: modelParametersSchema.partial().catch({}).transform(completeParameters),
})

export interface ArenaState {
  choices: ArenaChoices
  /** As the user set them: Benchmark Mode does not overwrite them. */
  parameters: ModelParameters
  /** As they are sent. */
  effectiveParameters: ModelParameters
  /** Fields that hold what cannot be used, by label: nothing is started while there are any. */
  faults: Record<string, string>
  choose(changes: Partial<ArenaChoices>): void
  setParameters(changes: Partial<ModelParameters>): void
  toggleBenchmarkMode(): void
  setFault(field: string, message: string | undefined): void
}

/** The part of the browser's storage that is used. */
export interface KeptText {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

const KEY = 'benchmaker-arena'

function readKept(kept: KeptText): z.output<typeof keptSchema> {
  const nothing = { choices: choicesSchema.parse({}), parameters: completeParameters() }
  try {
    const found = keptSchema.safeParse(JSON.parse(kept.getItem(KEY) ?? 'null'))
    return found.success ? found.data : nothing
  } catch {
    // Somebody else wrote there, or storage is switched off: start afresh.
    return nothing
  }
}

/** The Arena's choices, remembered in `kept`; the parameters live in the model store. */
export function createArenaStore(kept: KeptText): StoreApi<ArenaState> {
  const start = readKept(kept)
  const models = createModelStore(start.parameters)
  const readParameters = () => ({
    parameters: models.getParameters(),
    effectiveParameters: models.getEffectiveParameters(),
  })
  const store = createStore<ArenaState>((set) => ({
    choices: start.choices,
    ...readParameters(),
    faults: {},
    choose: (changes) => set(({ choices }) => ({ choices: { ...choices, ...changes } })),
    setParameters: (changes) => {
      models.setParameters(changes)
      set(readParameters())
    },
    toggleBenchmarkMode: () => {
      models.toggleBenchmarkMode()
      set(readParameters())
    },
    setFault: (field, message) =>
      set(({ faults }) => {
        const { [field]: _, ...others } = faults
        return { faults: message === undefined ? others : { ...others, [field]: message } }
      }),
  }))
  store.subscribe(({ choices, parameters }) => {
    try {
      kept.setItem(KEY, JSON.stringify({ choices, parameters }))
    } catch {
      // Full or switched off: the choices still hold for this page.
    }
  })
  return store
}

/** What the program chooses where the user has not. */
export interface ArenaDefaults {
  suiteId: string | undefined
  models: string[]
  judgeModelIds: string[]
  needsJudge: boolean
}

/** The request as it would be sent, or why there is none yet. */
export function makeRunRequest(
  state: ArenaState,
  defaults: ArenaDefaults,
): { request: RunRequestInput } | { problems: string[] } {
  const { choices } = state
  const suiteId = defaults.suiteId
  const models = choices.models ?? defaults.models
  const judgeModelIds = choices.judgeModelIds ?? defaults.judgeModelIds
  const problems = Object.entries(state.faults).map(([field, message]) => `${field}: ${message}`)
  if (suiteId === undefined) problems.push('Choose a suite.')
  if (models.length === 0) problems.push('Choose at least one model.')
  if (models.length > runLimits.models)
    problems.push(`Choose at most ${runLimits.models} models: there are ${models.length}.`)
  if (defaults.needsJudge && judgeModelIds.length === 0)
    problems.push('Choose a judge: this suite has cases that a model must grade.')
  if (judgeModelIds.length > runLimits.judges)
    problems.push(`Choose at most ${runLimits.judges} judges: there are ${judgeModelIds.length}.`)
  if (problems.length > 0 || suiteId === undefined) return { problems }
  const filter = choices.filter.trim()
  return {
    request: {
      suiteId,
      models,
      parameters: state.effectiveParameters,
      judgeModelIds: defaults.needsJudge ? judgeModelIds : [],
      combineJudges: choices.combineJudges,
      concurrency: choices.concurrency,
      ...(choices.timeoutSeconds !== undefined && { timeoutSeconds: choices.timeoutSeconds }),
      ...(choices.maxCost !== undefined && { maxCost: choices.maxCost }),
      ...(filter !== '' && { filter }),
      ...(choices.limit !== undefined && { limit: choices.limit }),
    },
  }
}
