import {
  ClientError,
  InputError,
  ONLY_MODEL,
  vendors,
  type Client,
  type Storage,
  messageOf,
} from '../../contract/index.ts'
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

/** An API of its own has no list of models, so one short question is asked. */
async function testByQuestion(client: Client, modelId: string): Promise<KeyTest> {
  try {
    if ((await client.listModels()).length === 0)
      return { ok: false, message: 'Not tested: its template has {{model}}, and no list says which models there are' }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const messages = [{ role: 'user' as const, content: 'Reply with the word OK.' }]
    const { response } = await client.complete({ modelId, messages, parameters: {} }, { signal })
    return { ok: true, message: `Connected: it answered ${JSON.stringify(response.slice(0, 200))}` }
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
    const modelId = `${endpoint.name}/${ONLY_MODEL}`
    const client = () => createClients({ env: {}, endpoints: [endpoint] }).clientFor(modelId)
    return {
      label: endpoint.name,
      test: () => (endpoint.template ? testByQuestion(client(), modelId) : testByModels(client())),
    }
  }
  const variable = vendor.variables.find((candidate) => environment[candidate]?.trim())
  const key = variable === undefined ? keys.get(name) : environment[variable]!.trim()
  if (key === undefined)
    throw new InputError(`no key for ${vendor.label} is set; save one first, or set ${vendor.variables[0]}`)
  if (name === 'openrouter') return { label: vendor.label, test: () => testOpenRouter(key, openRouterKeyUrl) }
  // With only this key, so that the request really goes to this vendor.
  const settings = ('settings' in vendor ? vendor.settings : []).map((setting) => [setting, environment[setting]])
  const env = { ...Object.fromEntries(settings), [variable ?? vendor.variables[0]]: key }
  const client = createClients({ env }).clientFor(`${name}/any`)
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
