import {
  benchmarkModeLocks,
  completeParameters,
  InputError,
  type Message,
  type ModelRequest,
  type ModelParameters,
  type Suite,
  type TestCase,
  type ToolDefinition,
} from '../contract/index.ts'
import { z } from 'zod'

/** What is compared: a model, or a model with one of the suite's variants. */
export interface Contestant {
  /** `model`, or `model@variant`: what results are kept under. */
  id: string
  modelId: string
  systemPrompt: string | undefined
  parameters: ModelParameters
}

/** Every model with every variant. Parameters: the defaults, then the run's, then the variant's; Benchmark Mode is for all. */
export function planContestants(
  suite: Suite,
  models: readonly string[],
  parameters: Partial<ModelParameters> = {},
): Contestant[] {
  if (models.length === 0) throw new InputError('no model chosen; name at least one')
  const repeated = models.find((model, index) => models.indexOf(model) !== index)
  if (repeated !== undefined) throw new InputError(`model ${repeated} is chosen twice`)
  const common = completeParameters(parameters)
  if (!suite.variants?.length)
    return models.map((modelId) => ({ id: modelId, modelId, systemPrompt: suite.systemPrompt, parameters: common }))
  const { variants } = suite
  return models.flatMap((modelId) =>
    variants.map((variant) => ({
      id: `${modelId}@${variant.name}`,
      modelId,
      systemPrompt: variant.systemPrompt ?? suite.systemPrompt,
      parameters: {
        ...common,
        ...variant.parameters,
        benchmarkMode: common.benchmarkMode || variant.parameters?.benchmarkMode === true,
      },
    })),
  )
}

const functionSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).default({}),
})

const toolsSchema = z.array(
  z.union([z.object({ type: z.literal('function'), function: functionSchema }), functionSchema]),
)

/** The functions a case lets the model call; throws when they are not written as they must be. */
export function readTools(testCase: TestCase): ToolDefinition[] | undefined {
  if (testCase['tools'] === undefined) return undefined
  const parsed = toolsSchema.safeParse(testCase['tools'])
  if (!parsed.success) throw new InputError(`test case ${testCase.id}: tools: ${parsed.error.issues[0]?.message}`)
  return parsed.data.map((tool) => ('function' in tool ? tool.function : tool))
}

function effectiveParameters({ benchmarkMode, ...parameters }: ModelParameters): ModelRequest['parameters'] {
  return { ...parameters, ...(benchmarkMode && benchmarkModeLocks) }
}

/** The question of one cell: system prompt and user prompt, or the case's own messages after the system prompt. */
export function buildRequest(testCase: TestCase, { modelId, systemPrompt, parameters }: Contestant): ModelRequest {
  const system: Message[] = systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }]
  const turns: Message[] = testCase.messages ?? [{ role: 'user', content: testCase.prompt ?? '' }]
  const tools = readTools(testCase)
  return {
    modelId,
    messages: [...system, ...turns],
    parameters: effectiveParameters(parameters),
    ...(tools && { tools }),
  }
}
