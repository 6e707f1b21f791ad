import type { JSONValue, LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Client, ModelRequest } from '../contract/index.ts'
import { createAISDKClient } from './ai-sdk/ai-sdk.ts'
import { createLimitedFetch } from './http/limited-fetch.ts'
import { readFormat } from './openai/response-format.ts'
import type { OptionalParameter } from './openai/parameter-names.ts'

export type BedrockOptions = { region: string; baseUrl?: string } & (
  | { apiKey: string }
  | { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
)

const isClaude = (modelId: string): boolean => /anthropic|claude/.test(modelId)

function listLacking({ modelId, parameters }: ModelRequest): OptionalParameter[] {
  const lacking: OptionalParameter[] = []
  if (readFormat(parameters)?.type === 'json') lacking.push('responseFormat')
  if (!isClaude(modelId)) lacking.push('thinkingBudget')
  // These models think in any case, and the package sends nothing then without saying so.
  if (parameters.reasoningEffort === 'none' && /openai\.|deepseek/.test(modelId)) lacking.push('reasoningEffort')
  return lacking
}

/** Converse has no field for it; each vendor of models has its own. */
function writeTopK(modelId: string, topK: number): Record<string, JSONValue> {
  return /amazon\.nova/.test(modelId) ? { inferenceConfig: { topK } } : { top_k: topK }
}

/**
 * Adds fields by the package's own options: the body is signed before `fetch` gets it. Together with thinking the package
 * leaves top K out itself.
 */
function withFields(model: LanguageModelV4, extraBody: Record<string, JSONValue>): LanguageModelV4 {
  const { specificationVersion, provider, modelId, supportedUrls } = model
  function addFields({ topK, ...options }: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
    const own = options.providerOptions?.['bedrock'] ?? {}
    const thinks = own['reasoningConfig'] !== undefined || (options.reasoning ?? 'none') !== 'none'
    const { additionalModelRequestFields: asked, ...fields } = extraBody
    const additional = {
      ...(topK !== undefined && !thinks && writeTopK(modelId, topK)),
      ...(typeof asked === 'object' && !Array.isArray(asked) && asked),
    }
    return {
      ...options,
      ...(topK !== undefined && thinks && { topK }),
      providerOptions: {
        bedrock: {
          ...own,
          ...fields,
          ...(Object.keys(additional).length > 0 && { additionalModelRequestFields: additional }),
        },
      },
    }
  }
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate: (options) => model.doGenerate(addFields(options)),
    doStream: (options) => model.doStream(addFields(options)),
  }
}

/** Amazon Bedrock through the AI SDK's package. Its list of models is behind another address, which keys may not reach. */
export function createBedrockClient({ baseUrl, ...access }: BedrockOptions): Client {
  return createAISDKClient({
    provider: 'bedrock',
    secrets: 'apiKey' in access ? [access.apiKey] : [access.secretAccessKey, access.sessionToken ?? ''],
    listLacking,
    writeThinkingBudget: (tokens) => ({
      bedrock: { reasoningConfig: tokens === 0 ? { type: 'disabled' } : { type: 'enabled', budgetTokens: tokens } },
    }),
    model: async (modelId, { extraBody = {} }) => {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
      const model = createAmazonBedrock({
        ...access,
        // The package would take a token from the environment before the keys that were chosen.
        ...(!('apiKey' in access) && { apiKey: '' }),
        ...(baseUrl !== undefined && { baseURL: baseUrl }),
        fetch: createLimitedFetch('bedrock'),
      })(modelId)
      return withFields(model, extraBody)
    },
    listModels: async () => [],
  })
}
