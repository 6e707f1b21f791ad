import { z } from 'zod'
import { givenParametersSchema } from '../runs/model-parameters.ts'
import { changesOf } from '../runs/option.ts'
import { commonOptions, modelIdSchema } from '../runs/run-options.ts'
import { messageSchema } from '../suites/suite.ts'

/**
 * An experiment of the playground is an ordinary run of an edited suite. It is stored under this id and name, so that it is no run of
 * the suite itself and lists can tell it apart.
 */
export const PLAYGROUND_SUITE_PREFIX = 'playground:'
export const PLAYGROUND_NAME_PREFIX = 'Playground: '

const text = z.string().max(5_000_000)
const id = z.string().min(1).max(5_000)

/** What is changed; what is absent stays as it was in the run. */
const playgroundEditSchema = z.strictObject({
  /** For the edited case only, with `{{variables}}`; `{{prompt}}` is the case's own prompt. */
  prompt: text.optional(),
  /** Instead of a prompt, for a case that is a conversation. */
  messages: z.array(messageSchema).min(1).max(1000).optional(),
  /** For the edited case only. A list, because zod drops `__proto__` from a record. */
  vars: z
    .array(z.strictObject({ name: z.string().min(1).max(200), value: z.union([text, z.number(), z.boolean()]) }))
    .max(1000)
    .refine((vars) => new Set(vars.map(({ name }) => name)).size === vars.length, 'two variables have the same name')
    .optional(),
  /** For all cases; null sends none. */
  systemPrompt: text.nullable().optional(),
  modelId: modelIdSchema.optional(),
  parameters: givenParametersSchema.optional(),
})

/** The stored answer that the playground starts from: a case, and a model or `model@variant`. */
const origin = { testCaseId: id, modelId: id }

export const playgroundExperimentSchema = z.strictObject({
  ...origin,
  edit: playgroundEditSchema,
  /** The ids of the cases to run; all cases of the run if absent. */
  cases: z.array(id).min(1, 'choose at least one case').max(100_000).optional(),
  /** Instead of the judges of the run. */
  judgeModelIds: changesOf(commonOptions).judgeModelIds,
  maxCost: changesOf(commonOptions).maxCost,
})

/** Two prompts for the same inputs, without a suite. */
export const playgroundPairSchema = z.strictObject({
  prompts: z.tuple([text.min(1, 'is empty'), text.min(1, 'is empty')]),
  /** In the place of `{{input}}`, or below a prompt that has no place for it; none asks each prompt once as it is. */
  inputs: z.array(text.min(1)).max(100, 'at most 100 inputs; make a suite of more').default([]),
  modelId: modelIdSchema,
})

export const playgroundSaveSchema = z.strictObject({
  ...origin,
  edit: playgroundEditSchema,
  /** `copy` saves the suite of the run, with the change, as a new suite. */
  as: z.enum(['case', 'variant', 'copy']),
  /** The name of the variant or of the copy. */
  name: z.string().trim().min(1).max(200).optional(),
  /** The version that the user saw. */
  after: z.int().min(0).optional(),
})

export type PlaygroundEdit = z.output<typeof playgroundEditSchema>
export type PlaygroundExperiment = z.output<typeof playgroundExperimentSchema>
export type PlaygroundPair = z.output<typeof playgroundPairSchema>
export type PlaygroundSave = z.output<typeof playgroundSaveSchema>
