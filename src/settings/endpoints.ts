import { z } from 'zod'
import { InputError, vendors, type Storage } from '../contract/index.ts'
import { endpointKeyName } from './key-list.ts'
import type { KeyStore } from './key-store.ts'

/** An OpenAI-compatible server that a user has set up; its models are `NAME/model`. */
export interface Endpoint {
  name: string
  baseUrl: string
}

/** What the clients need: the key is read on the first request to one of its models. */
export interface KeyedEndpoint extends Endpoint {
  readKey(): string | undefined
}

const DOCUMENT = 'endpoints'

/** Prefixes that already belong to a built-in provider. */
const RESERVED: ReadonlySet<string> = new Set(['demo', 'ollama', ...vendors.map(({ name }) => name)])

const contentSchema = z.object({ endpoints: z.array(z.object({ name: z.string(), baseUrl: z.string() })) })

export async function listEndpoints(storage: Storage): Promise<Endpoint[]> {
  const parsed = contentSchema.safeParse((await storage.loadDocument('settings', DOCUMENT))?.content)
  return parsed.success ? parsed.data.endpoints : []
}

function checkEndpoint({ name, baseUrl }: Endpoint): void {
  if (RESERVED.has(name)) throw new InputError(`${name} is the name of a built-in provider; choose another name`)
  const url = URL.parse(baseUrl)
  // The address is stored and shown as is, so it must not contain a secret.
  if (url?.username || url?.password)
    throw new InputError('the address contains a user name or password; put the key in its own field')
  if (url && [...url.searchParams.keys()].some((key) => /key|token|secret|password/i.test(key)))
    throw new InputError('the address contains a key; put it in its own field')
}

export async function saveEndpoint(storage: Storage, endpoint: Endpoint): Promise<void> {
  checkEndpoint(endpoint)
  const others = (await listEndpoints(storage)).filter(({ name }) => name !== endpoint.name)
  await storage.saveDocument({ kind: 'settings', id: DOCUMENT, content: { endpoints: [...others, endpoint] } })
}

export async function removeEndpoint(storage: Storage, name: string): Promise<boolean> {
  const endpoints = await listEndpoints(storage)
  const kept = endpoints.filter((endpoint) => endpoint.name !== name)
  if (kept.length === endpoints.length) return false
  await storage.saveDocument({ kind: 'settings', id: DOCUMENT, content: { endpoints: kept } })
  return true
}

/** The endpoints, each with access to its saved key. */
export async function loadEndpoints(storage: Storage, keys: KeyStore): Promise<KeyedEndpoint[]> {
  return (await listEndpoints(storage)).map((endpoint) => ({
    ...endpoint,
    readKey: () => keys.get(endpointKeyName(endpoint.name)),
  }))
}
