import { z } from 'zod'
import { mostArenaModels } from './code-arena.ts'
import { askingFields, modelIdSchema } from './run-request.ts'

/** What the web app sends. Everything that comes over the wire is parsed by one of these. */

const id = z.string().min(1).max(200)
const text = z.string().max(5_000_000)
const plainJson = z.record(z.string(), z.unknown())

/** A suite as it is edited: checked as a whole on the server, so that every problem is found and named at once. */
export const saveSuiteRequestSchema = z.strictObject({ suite: plainJson, after: z.int().min(0).optional() })

export const importSuiteRequestSchema = z.strictObject({ fileName: z.string().min(1).max(300), text })

export const tryScorerRequestSchema = z.strictObject({
  testCase: plainJson,
  response: text,
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.unknown() })).optional(),
  judgeModelIds: z.array(modelIdSchema).optional(),
  judgeSystemPrompt: text.optional(),
})

export const generateCasesRequestSchema = z.strictObject({
  modelId: modelIdSchema,
  /** What the cases should be about. */
  description: z.string().min(1).max(20_000),
  count: z.int().min(1).max(50),
  scoringMethod: z.string().optional(),
})

export const rateCellRequestSchema = z.strictObject({
  testCaseId: z.string(),
  modelId: z.string(),
  /** 0 to 1; absent removes it. */
  rating: z.number().min(0).max(1).optional(),
  note: z.string().max(20_000).optional(),
})

export const calibrateRequestSchema = z.strictObject({
  judgeModelId: modelIdSchema,
  /** Own samples instead of the built-in eight. */
  samples: z.array(plainJson).min(1).max(500).optional(),
  /** The human-rated cells of this run instead. */
  runId: id.optional(),
})

export const saveKeyRequestSchema = z.strictObject({ key: z.string().trim().min(1).max(1000) })

export const saveEndpointRequestSchema = z.strictObject({
  /** The prefix of its models: `NAME/model`. */
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'small letters, digits and dashes'),
  baseUrl: z.url({ protocol: /^https?$/ }),
  key: z.string().trim().max(1000).optional(),
})

export const codeArenaRequestSchema = z.strictObject({
  prompt: z.string().trim().min(1).max(100_000),
  /** Instead of the built-in one. */
  systemPrompt: text.optional(),
  /** Judges see the code only, cut at 5,000 characters: quicker and cheaper, and blind to what the page looks like. */
  isQuickJudge: z.boolean().default(false),
  ...askingFields,
  models: z.array(modelIdSchema).min(1).max(mostArenaModels),
})

/** A page to look at: an answer as far as it has come, or a stored one. */
export const previewRequestSchema = z.union([
  z.strictObject({ response: text, isComplete: z.boolean() }),
  z.strictObject({ runId: id, modelId: modelIdSchema }),
])

export const voteRequestSchema = z.strictObject({ pairId: id, choice: z.enum(['left', 'right', 'tie', 'both-bad']) })

export type GenerateCasesRequest = z.input<typeof generateCasesRequestSchema>
export type RateCellRequest = z.input<typeof rateCellRequestSchema>
export type SaveEndpointRequest = z.input<typeof saveEndpointRequestSchema>
export type CodeArenaRequest = z.output<typeof codeArenaRequestSchema>
export type CodeArenaRequestInput = z.input<typeof codeArenaRequestSchema>
export type PreviewRequest = z.input<typeof previewRequestSchema>
export type VoteRequest = z.input<typeof voteRequestSchema>
