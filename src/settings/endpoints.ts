import { z } from 'zod'
import { InputError, vendors, type Storage } from '../contract/index.ts'
import { endpointKeyName } from './key-list.ts'
import type { KeyStore } from './key-store.ts'

/** An OpenAI-compatible server that a user has set up; its models are `NAME/model`. */
export interface Endpoint {
  name: string
  baseUrl: string
}

/** As the clients take it: its key is read when its first model is asked. */
export interface KeyedEndpoint extends Endpoint {
  readKey(): string | undefined
}

const DOCUMENT = 'endpoints'

/** Names that stand for somebody already. */
const RESERVED: ReadonlySet<string> = new Set(['demo', 'ollama', ...vendors.map(({ name }) => name)])

const contentSchema = z.object({ endpoints: z.array(z.object({ name: z.string(), baseUrl: z.string() })) })

export async function listEndpoints(storage: Storage): Promise<Endpoint[]> {
  const parsed = contentSchema.safeParse((await storage.loadDocument('settings', DOCUMENT))?.content)
  return parsed.success ? parsed.data.endpoints : []
}

function checkEndpoint({ name, baseUrl }: Endpoint): void {
  if (RESERVED.has(name))
    throw new InputError(`${name} is the name of a provider that Benchmaker knows; choose another name`)
  const url = URL.parse(baseUrl)
  // The address is shown and stored as it is, so nothing secret may be in it.
  if (url?.username || url?.password)
    throw new InputError('the address holds a name or password; put the key into its own field')
  if (url && [...url.searchParams.keys()].some((key) => /key|token|secret|password/i.test(key)))
    throw new InputError('the address holds a key; put it into its own field')
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

/** With the keys that were saved for them. */
export async function loadEndpoints(storage: Storage, keys: KeyStore): Promise<KeyedEndpoint[]> {
  return (await listEndpoints(storage)).map((endpoint) => ({
    ...endpoint,
    readKey: () => keys.get(endpointKeyName(endpoint.name)),
  }))
}
