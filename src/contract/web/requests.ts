import { z } from 'zod'
import { maxCalibrationSamples } from '../judging/calibration-sample.ts'
import { requestTemplateSchema } from '../ports/request-template.ts'
import { maxArenaModels } from '../runs/code-arena.ts'
import { givenParametersSchema } from '../runs/model-parameters.ts'
import { changesOf, fieldsOf } from '../runs/option.ts'
import { arenaOptions, commonOptions, modelIdSchema } from '../runs/run-options.ts'
import { commonRequestFields } from '../runs/run-request.ts'

/** The requests of the web app. Everything it sends is parsed by one of these schemas. */

const id = z.string().min(1).max(200)
const text = z.string().max(5_000_000)
const plainJson = z.record(z.string(), z.unknown())

/** A suite while it is edited. The server checks it as a whole, so that all problems are reported at once. */
export const saveSuiteRequestSchema = z.strictObject({ suite: plainJson, after: z.int().min(0).optional() })

const filePath = z.string().min(1).max(1000)

export const importSuiteRequestSchema = z.strictObject({
  fileName: z.string().min(1).max(300),
  text,
  /** Which columns of a table hold which fields: `{ prompt: 'question' }`. */
  map: z.record(z.string().min(1).max(200), z.string().min(1).max(1000)).optional(),
  /** How a dataset is read, instead of by the first recipe that knows its fields. */
  recipe: z.string().min(1).max(100).optional(),
  /** A Parquet file, which is no text. */
  base64: text.optional(),
  /** The files uploaded with a config, by their paths from its folder. */
  files: z
    .array(z.union([z.strictObject({ path: filePath, text }), z.strictObject({ path: filePath, base64: text })]))
    .max(1000)
    .optional(),
})

export const previewTableRequestSchema = z.strictObject({ fileName: z.string().min(1).max(300), text })

export const tryScorerRequestSchema = z.strictObject({
  testCase: plainJson,
  response: text,
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.unknown() })).optional(),
  judgeModelIds: z.array(modelIdSchema).optional(),
  judgeSystemPrompt: text.optional(),
  /** The pass mark, the embedding model and the judge preset of the suite, as edited. */
  passAt: z.unknown().optional(),
  embeddingModel: z.unknown().optional(),
  preset: z.unknown().optional(),
})

export const generateCasesRequestSchema = z.strictObject({
  modelId: modelIdSchema,
  /** What the test cases should be about. */
  description: z.string().min(1).max(20_000),
  count: z.int().min(1).max(50),
  scoringMethod: z.string().optional(),
})

export const rateCellRequestSchema = z.strictObject({
  testCaseId: z.string(),
  modelId: z.string(),
  /** 0 to 1. Null removes it; if absent, what is stored is kept. */
  rating: z.number().min(0).max(1).nullable().optional(),
  /** Null removes it; if absent, what is stored is kept. */
  note: z.string().max(20_000).nullable().optional(),
})

export const calibrateRequestSchema = z.strictObject({
  judgeModelId: modelIdSchema,
  /** The judge preset whose criteria the judge grades by. */
  preset: z.string().min(1).max(100).optional(),
  /** A built-in set of samples; without one, that of the preset or the eight default samples. */
  set: z.string().min(1).max(100).optional(),
  /** The user's own samples instead. */
  samples: z.array(plainJson).min(1).max(maxCalibrationSamples).optional(),
  /** The human-rated cells of this run instead. */
  runId: id.optional(),
})

export const saveKeyRequestSchema = z.strictObject({
  key: z.string().trim().min(1).max(1000),
  /** The address on the screen when the key of an endpoint was entered: the key is for that one only. */
  baseUrl: z.string().max(10_000).optional(),
})

export const installPackagesRequestSchema = z.strictObject({
  names: z.array(z.string().min(1).max(300)).min(1).max(20),
})

export const saveBrowserRequestSchema = z.strictObject({ sandbox: z.enum(['on', 'off']) })

/** US dollars per million tokens. */
export const endpointPriceSchema = z.strictObject({
  input: z.number().min(0).max(1_000_000),
  output: z.number().min(0).max(1_000_000),
  /** Of input tokens that the server reads from its prompt cache; if absent, they cost as much as the others. */
  cachedInput: z.number().min(0).max(1_000_000).optional(),
})

export const saveEndpointRequestSchema = z.strictObject({
  /** The prefix of its models: `NAME/model`. */
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'use lower-case letters, digits and dashes'),
  baseUrl: z.url({ protocol: /^https?$/ }),
  key: z.string().trim().max(1000).optional(),
  /** Of all its models; if absent, their prices are those that the server lists. */
  price: endpointPriceSchema.optional(),
  /** How it is asked; if absent, by OpenAI's API. */
  template: requestTemplateSchema.optional(),
})

export const codeArenaRequestSchema = z.strictObject({
  prompt: z.string().trim().min(1).max(100_000),
  /** Instead of the built-in one. */
  systemPrompt: text.optional(),
  ...commonRequestFields,
  ...fieldsOf(arenaOptions),
  models: z.array(modelIdSchema).min(1).max(maxArenaModels),
})

/** The next turn of a Code Arena run. What is absent is as in that run. */
export const followUpRequestSchema = z.strictObject({
  prompt: codeArenaRequestSchema.shape.prompt,
  parameters: givenParametersSchema.optional(),
  modelParameters: commonRequestFields.modelParameters,
  ...changesOf(commonOptions),
  ...changesOf(arenaOptions),
  /** Some of the run's models; default: all of them. */
  models: codeArenaRequestSchema.shape.models.optional(),
})

/** A page to preview: from an answer that may still be streaming, or from a stored one. */
export const previewRequestSchema = z.union([
  z.strictObject({ response: text, isComplete: z.boolean() }),
  z.strictObject({
    runId: id,
    modelId: modelIdSchema,
    /** Of an answer with several pages to choose from; default: the one it recommends. */
    alternative: z.number().int().min(0).max(100).optional(),
    /** In a run of a suite; default: the prompt of a Code Arena run. */
    testCaseId: z.string().min(1).max(1000).optional(),
  }),
])

/** A page that a person edited, as an answer with the code of its files. */
export const forkRequestSchema = z.strictObject({
  /** Whose page was edited. */
  modelId: modelIdSchema,
  name: z.string().trim().max(200).optional(),
  response: z.string().max(2_000_000),
})

/** What one person chose at once: between two pages, or one page over each of the others. */
export const voteRequestSchema = z.strictObject({
  /** Drawn at random and kept by the browser; nobody signs in with a name. */
  voter: id,
  /** False if the person had seen which model wrote which page. */
  isBlind: z.boolean(),
  votes: z
    .array(
      z.strictObject({
        left: modelIdSchema,
        right: modelIdSchema,
        choice: z.enum(['left', 'right', 'tie', 'both-bad']),
      }),
    )
    .min(1)
    .max((maxArenaModels * (maxArenaModels - 1)) / 2),
})

export type GenerateCasesRequest = z.input<typeof generateCasesRequestSchema>
export type EndpointPrice = z.output<typeof endpointPriceSchema>
export type SaveEndpointRequest = z.input<typeof saveEndpointRequestSchema>
export type CodeArenaRequest = z.output<typeof codeArenaRequestSchema>
export type CodeArenaRequestInput = z.input<typeof codeArenaRequestSchema>
export type FollowUpRequest = z.output<typeof followUpRequestSchema>
export type ForkRequest = z.input<typeof forkRequestSchema>
export type PreviewRequest = z.input<typeof previewRequestSchema>
export type VoteRequest = z.input<typeof voteRequestSchema>
