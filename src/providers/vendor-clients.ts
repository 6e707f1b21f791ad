import { InputError, vendors, type Client, type Vendor, type VendorName } from '../contract/index.ts'
import { MAX_ANTHROPIC_ENTRIES } from './batches/batch-http.ts'
import { createEndpointClient, type EndpointClientOptions } from './create-client.ts'
import { createLazyClient } from './lazy-client.ts'
import { withoutEmbeddings } from './no-embeddings.ts'
import { dialects } from './openai/dialect.ts'

/** Reads a variable of the environment; one that is blank is not set. */
type ReadVariable = (name: string) => string | undefined

type CreateClient = (apiKey: string, read: ReadVariable) => Client

const BASE_URLS = {
  openai: 'https://api.openai.com/v1',
  mistral: 'https://api.mistral.ai/v1',
  groq: 'https://api.groq.com/openai/v1',
  deepseek: 'https://api.deepseek.com/v1',
  xai: 'https://api.x.ai/v1',
  together: 'https://api.together.xyz/v1',
  fireworks: 'https://api.fireworks.ai/inference/v1',
} as const

/** A vendor with an API like OpenAI's. Its base URL may be set, for a proxy. */
function compatible(
  provider: keyof typeof BASE_URLS,
  more: Partial<EndpointClientOptions> = {},
  variable?: string,
): CreateClient {
  return (apiKey, read) =>
    createEndpointClient({
      provider,
      baseUrl: (variable === undefined ? undefined : read(variable)) ?? BASE_URLS[provider],
      apiKey,
      dialect: dialects[provider],
      ...more,
    })
}

/** The address of a resource, to which Azure adds its path; one that has the path already is taken as it is. */
function azureAddress(read: ReadVariable): string {
  const resource = read('AZURE_RESOURCE_NAME')
  const address = read('AZURE_OPENAI_ENDPOINT') ?? (resource && `https://${resource}.openai.azure.com`)
  if (address === undefined)
    throw new InputError(
      'Azure OpenAI needs an address besides its key: set AZURE_OPENAI_ENDPOINT (https://NAME.openai.azure.com) or AZURE_RESOURCE_NAME',
    )
  const plain = address.replace(/\/+$/, '')
  return URL.parse(plain)?.pathname.endsWith('/v1') ? plain : `${plain}/openai/v1`
}

const creators: Record<Exclude<VendorName, 'openrouter'>, CreateClient> = {
  openai: compatible('openai'),
  anthropic: (apiKey) =>
    withoutEmbeddings(
      createLazyClient('anthropic', async () => (await import('./anthropic.ts')).createAnthropicClient({ apiKey }), {
        maxBatchEntries: MAX_ANTHROPIC_ENTRIES,
      }),
    ),
  google: (apiKey) =>
    withoutEmbeddings(
      createLazyClient('google', async () => (await import('./google.ts')).createGoogleClient({ apiKey })),
    ),
  azure: (apiKey, read) =>
    createEndpointClient({
      provider: 'azure',
      baseUrl: azureAddress(read),
      headers: { 'api-key': apiKey },
      dialect: dialects.azure,
      hasBatches: false,
    }),
  bedrock: (apiKey, read) => {
    const region = read('AWS_REGION') ?? read('AWS_DEFAULT_REGION')
    const baseUrl = read('AWS_ENDPOINT_URL_BEDROCK_RUNTIME')
    const [accessKeyId, sessionToken] = [read('AWS_ACCESS_KEY_ID'), read('AWS_SESSION_TOKEN')]
    const isBearer = read('AWS_BEARER_TOKEN_BEDROCK') !== undefined
    if (region === undefined && baseUrl === undefined)
      throw new InputError('Amazon Bedrock needs a region besides its key: set AWS_REGION, such as us-east-1')
    if (!isBearer && accessKeyId === undefined)
      throw new InputError(
        'Amazon Bedrock needs AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY, or AWS_BEARER_TOKEN_BEDROCK',
      )
    return withoutEmbeddings(
      createLazyClient('bedrock', async () =>
        (await import('./bedrock.ts')).createBedrockClient({
          region: region ?? 'us-east-1',
          ...(baseUrl !== undefined && { baseUrl }),
          ...(isBearer
            ? { apiKey }
            : { secretAccessKey: apiKey, accessKeyId: accessKeyId!, ...(sessionToken && { sessionToken }) }),
        }),
      ),
    )
  },
  mistral: compatible('mistral', { hasBatches: false }, 'MISTRAL_BASE_URL'),
  groq: compatible('groq', {}, 'GROQ_BASE_URL'),
  deepseek: compatible('deepseek', { hasBatches: false }, 'DEEPSEEK_BASE_URL'),
  xai: compatible('xai', { hasBatches: false }, 'XAI_BASE_URL'),
  together: compatible('together', { hasBatches: false }, 'TOGETHER_BASE_URL'),
  fireworks: compatible('fireworks', { hasBatches: false }, 'FIREWORKS_BASE_URL'),
}

export interface VendorClients {
  prefix: string
  variables: readonly string[]
  isOnOpenRouter: boolean
  create: CreateClient
}

/** All vendors but OpenRouter, which answers for the models of all. */
export const vendorClients: readonly VendorClients[] = vendors.flatMap((vendor) => {
  if (vendor.name === 'openrouter') return []
  const { name, variables, isOnOpenRouter = false }: Vendor & { name: Exclude<VendorName, 'openrouter'> } = vendor
  return [{ prefix: `${name}/`, variables, isOnOpenRouter, create: creators[name] }]
})
