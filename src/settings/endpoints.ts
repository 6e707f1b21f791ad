import { z } from 'zod'
import {
  endpointPriceSchema,
  InputError,
  findTemplateProblem,
  perToken,
  requestTemplateSchema,
  saveEndpointRequestSchema,
  vendors,
  type EndpointPrice,
  type RequestTemplate,
  type Storage,
  type TokenPrice,
} from '../contract/index.ts'
import { originOf } from './addresses.ts'
import { endpointKeyName, findOtherOrigin } from './key-list.ts'
import type { KeyStore } from './key-store.ts'

/** A server that a user has set up; its models are `NAME/model`. */
export interface Endpoint {
  name: string
  baseUrl: string
  /** Of all its models, if the user set one. */
  price?: EndpointPrice | undefined
  /** How it is asked, if not by OpenAI's API. */
  template?: RequestTemplate | undefined
}

/** What the clients need: the price of a token, and the key is read on the first request to one of its models. */
export interface KeyedEndpoint extends Omit<Endpoint, 'price'> {
  price?: TokenPrice | undefined
  /** Throws `InputError` if the key was given for another address. */
  readKey(): string | undefined
}

/** An endpoint in the database that is not used, and why. */
export interface RefusedEndpoint extends Endpoint {
  reason: string
}

const DOCUMENT = 'endpoints'

/** Prefixes that already belong to a built-in provider. */
const RESERVED: ReadonlySet<string> = new Set([
  'demo',
  'ollama',
  ...vendors.flatMap((vendor) => ('isFreeForEndpoints' in vendor ? [] : [vendor.name])),
])

/** In the place of a template that cannot be read: without one, the server would get requests of another API. */
const unreadable: RequestTemplate = { method: 'POST', body: '{{unreadable}}' }

const contentSchema = z.object({
  endpoints: z.array(
    z.object({
      name: z.string(),
      baseUrl: z.string(),
      price: endpointPriceSchema.optional().catch(undefined),
      template: requestTemplateSchema.optional().catch(unreadable),
    }),
  ),
})

async function readAll(storage: Storage): Promise<Endpoint[]> {
  const parsed = contentSchema.safeParse((await storage.loadDocument('settings', DOCUMENT))?.content)
  return parsed.success ? parsed.data.endpoints : []
}

function saveAll(storage: Storage, endpoints: Endpoint[]): Promise<unknown> {
  return storage.saveDocument({ kind: 'settings', id: DOCUMENT, content: { endpoints } })
}

function findProblem({ name, baseUrl, template }: Endpoint): string | undefined {
  if (RESERVED.has(name)) return `${name} is the name of a built-in provider; choose another name`
  if (!saveEndpointRequestSchema.safeParse({ name, baseUrl }).success)
    return 'its name or its address is not one that Settings accepts'
  const url = URL.parse(baseUrl)
  // The address is stored and shown as is, so it must not contain a secret.
  if (url?.username || url?.password)
    return 'the address contains a user name or password; put the key in its own field'
  if (url && [...url.searchParams.keys()].some((key) => /key|token|secret|password/i.test(key)))
    return 'the address contains a key; put it in its own field'
  if (!template) return undefined
  const read = requestTemplateSchema.safeParse(template)
  const [issue] = read.error?.issues ?? []
  return issue ? `its ${issue.path.join('.') || 'template'} ${issue.message}` : findTemplateProblem(baseUrl, template)
}

/** Checked again here: a restored or shared database may hold what Settings would have refused. */
export async function listEndpoints(storage: Storage): Promise<Endpoint[]> {
  return (await readAll(storage)).filter((endpoint) => findProblem(endpoint) === undefined)
}

export async function listRefusedEndpoints(storage: Storage): Promise<RefusedEndpoint[]> {
  return (await readAll(storage)).flatMap((endpoint) => {
    const reason = findProblem(endpoint)
    return reason === undefined ? [] : [{ ...endpoint, reason }]
  })
}

export async function saveEndpoint(storage: Storage, endpoint: Endpoint): Promise<void> {
  const problem = findProblem(endpoint)
  if (problem !== undefined) throw new InputError(problem)
  const others = (await readAll(storage)).filter(({ name }) => name !== endpoint.name)
  await saveAll(storage, [...others, endpoint])
}

export async function removeEndpoint(storage: Storage, name: string): Promise<boolean> {
  const endpoints = await readAll(storage)
  const kept = endpoints.filter((endpoint) => endpoint.name !== name)
  if (kept.length === endpoints.length) return false
  await saveAll(storage, kept)
  return true
}

/** The key of an endpoint, which goes only to the scheme, host and port that it was given for. */
function readKeyOf(endpoint: Endpoint, keys: KeyStore): string | undefined {
  const other = findOtherOrigin(endpoint, keys)
  if (other === undefined) return keys.get(endpointKeyName(endpoint.name))
  const { name, baseUrl } = endpoint
  throw new InputError(
    `the key of ${name} was given for ${other || 'an unknown address'}, but ${name} is now ${baseUrl}: enter the key again in Settings (run: benchmaker) to use it there`,
  )
}

/** The endpoints, each with access to its saved key. */
export async function loadEndpoints(storage: Storage, keys: KeyStore): Promise<KeyedEndpoint[]> {
  const endpoints = await listEndpoints(storage)
  keys.bindOnce(new Map(endpoints.map(({ name, baseUrl }) => [endpointKeyName(name), originOf(baseUrl)])))
  return endpoints.map((endpoint) => ({
    ...endpoint,
    price: endpoint.price && toTokenPrice(endpoint.price),
    readKey: () => readKeyOf(endpoint, keys),
  }))
}

function toTokenPrice({ input, output, cachedInput }: EndpointPrice): TokenPrice {
  return {
    prompt: perToken(input),
    completion: perToken(output),
    ...(cachedInput !== undefined && { cachedPrompt: perToken(cachedInput) }),
  }
}

type PricedAddress = Pick<KeyedEndpoint, 'baseUrl' | 'price'>

/** The prices of the endpoints, without their keys. */
export async function listPrices(storage: Storage): Promise<PricedAddress[]> {
  return (await listEndpoints(storage)).map(({ baseUrl, price }) => ({ baseUrl, price: price && toTokenPrice(price) }))
}

/** Scheme, host, port and path: a trailing slash makes no difference. */
function normalise(address: string): string | undefined {
  const url = URL.parse(address)
  return url ? `${url.origin}${url.pathname.replace(/\/+$/, '')}` : undefined
}

export function isSameAddress(a: string, b: string): boolean {
  const wanted = normalise(a)
  return wanted !== undefined && wanted === normalise(b)
}

/** The price of the saved endpoint with this address, for a run that names the address itself. */
export function findPriceOf(baseUrl: string, endpoints: readonly PricedAddress[]): TokenPrice | undefined {
  return endpoints.find((endpoint) => endpoint.price && isSameAddress(endpoint.baseUrl, baseUrl))?.price
}
