import { ClientError, InputError, vendors, type Client, type Storage, messageOf } from '../../contract/index.ts'
import { createClients } from '../../providers/index.ts'
import { formatCount } from '../../report/words/index.ts'
import { endpointKeyName, type KeyStore, loadEndpoints } from '../../settings/index.ts'
import { notFound } from '../http/refusal.ts'

/** POST /api/settings/keys/:name/test */
export interface KeyTest {
  ok: boolean
  message: string
}

const TIMEOUT_MS = 15_000
const OPENROUTER_KEY_URL = 'https://openrouter.ai/api/v1/key'

type Environment = Readonly<Record<string, string | undefined>>

interface KeyTools {
  keys: KeyStore
  environment: Environment
  storage: Storage
  /** Where OpenRouter describes a key; tests use another address. */
  openRouterKeyUrl?: string
}

function refusedMessage(label: string): string {
  return `${label} refuses the key. Check that it was copied completely and has not been revoked.`
}

function toFailedTest(error: unknown, label: string, isTimeout: boolean): KeyTest {
  if (isTimeout)
    return { ok: false, message: `${label} did not answer within ${TIMEOUT_MS / 1000} s. Try again later.` }
  if (error instanceof ClientError && (error.status === 401 || error.status === 403))
    return { ok: false, message: refusedMessage(label) }
  return {
    ok: false,
    message: `${label} could not be reached: ${messageOf(error)}`,
  }
}

/** OpenRouter's list of models is public and would not test the key, so this asks about the key itself. */
async function testOpenRouter(key: string, url: string): Promise<KeyTest> {
  const reply = await fetch(url, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  }).catch((error: unknown) => {
    throw new ClientError('network', messageOf(error), { cause: error })
  })
  await reply.body?.cancel()
  if (reply.ok) return { ok: true, message: 'Connected' }
  throw new ClientError('refused', `it answered ${reply.status}`, { status: reply.status })
}

async function testByModels(client: Client): Promise<KeyTest> {
  try {
    const models = await client.listModels({ signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { ok: true, message: `Connected: ${formatCount(models.length, 'model')}` }
  } finally {
    await client.close()
  }
}

async function findTest(
  name: string,
  { keys, environment, storage, openRouterKeyUrl = OPENROUTER_KEY_URL }: KeyTools,
): Promise<{ label: string; test: () => Promise<KeyTest> }> {
  const vendor = vendors.find((candidate) => candidate.name === name)
  if (!vendor) {
    const endpoint = (await loadEndpoints(storage, keys)).find((saved) => endpointKeyName(saved.name) === name)
    if (!endpoint) throw notFound('The endpoint')
    // Here, so that a key for another address is reported as such.
    endpoint.readKey()
    return {
      label: endpoint.name,
      test: () => testByModels(createClients({ env: {}, endpoints: [endpoint] }).clientFor(`${endpoint.name}/any`)),
    }
  }
  const variable = vendor.variables.find((candidate) => environment[candidate]?.trim())
  const key = variable === undefined ? keys.get(name) : environment[variable]!.trim()
  if (key === undefined)
    throw new InputError(`no key for ${vendor.label} is set; save one first, or set ${vendor.variables[0]}`)
  if (name === 'openrouter') return { label: vendor.label, test: () => testOpenRouter(key, openRouterKeyUrl) }
  // With only this key, so that the request really goes to this vendor.
  const client = createClients({ env: { [vendor.variables[0]]: key } }).clientFor(`${name}/any`)
  return { label: vendor.label, test: () => testByModels(client) }
}

/** Makes a real request with the key and reports the result. */
export async function testKey(name: string, tools: KeyTools): Promise<KeyTest> {
  const { label, test } = await findTest(name, tools)
  const startedAt = performance.now()
  try {
    return await test()
  } catch (error) {
    return toFailedTest(error, label, performance.now() - startedAt >= TIMEOUT_MS)
  }
}
