import { vendors } from '../contract/index.ts'
import { originOf } from './addresses.ts'
import type { KeySource, KeyStore } from './key-store.ts'

export interface KeyInfo {
  /** `openrouter`, `openai`, `anthropic`, `google`, or `endpoint:NAME`. */
  name: string
  label: string
  variable?: string
  isSet: boolean
  /** Where it comes from; a key itself never leaves the server. */
  source?: 'environment' | KeySource
  /** On a team server. */
  saved?: { at: number; by?: string }
}

type Environment = Readonly<Record<string, string | undefined>>

export function endpointKeyName(endpoint: string): string {
  return `endpoint:${endpoint}`
}

/** The address for which the key of an endpoint was given, if it is another one; empty if nobody knows. */
export function findOtherOrigin(
  { name, baseUrl }: { name: string; baseUrl: string },
  keys: KeyStore,
): string | undefined {
  const key = endpointKeyName(name)
  if (!keys.names().includes(key)) return undefined
  const given = keys.originOf(key)
  return given !== undefined && given === originOf(baseUrl) ? undefined : (given ?? '')
}

function findVariable(variables: readonly string[], environment: Environment): string | undefined {
  return variables.find((variable) => environment[variable]?.trim())
}

/** Lists which keys are set and where they come from, never the keys themselves. */
export function listKeys(
  keys: KeyStore,
  environment: Environment,
  endpoints: readonly { name: string; baseUrl: string }[],
): KeyInfo[] {
  const storedNames = new Set(keys.names())
  const vendorKeys = vendors.map(({ name, label, variables }): KeyInfo => {
    const variable = findVariable(variables, environment)
    const source = variable !== undefined ? 'environment' : storedNames.has(name) ? keys.sourceOf(name) : undefined
    const saved = source === 'database' ? keys.savedOf?.(name) : undefined
    return {
      name,
      label,
      variable: variable ?? variables[0],
      isSet: source !== undefined,
      ...(source && { source }),
      ...(saved && { saved }),
    }
  })
  const endpointKeys = endpoints.map((endpoint): KeyInfo => {
    const key = endpointKeyName(endpoint.name)
    const isSet = storedNames.has(key) && findOtherOrigin(endpoint, keys) === undefined
    return { name: key, label: endpoint.name, isSet, ...(isSet && { source: keys.sourceOf(key) }) }
  })
  return [...vendorKeys, ...endpointKeys]
}

/** The environment plus the stored keys; a variable that is set wins over a stored key. */
export function mergeKeys(keys: KeyStore, environment: Environment): Record<string, string | undefined> {
  const merged: Record<string, string | undefined> = { ...environment }
  const storedNames = new Set(keys.names())
  for (const { name, variables } of vendors)
    if (storedNames.has(name) && findVariable(variables, environment) === undefined)
      merged[variables[0]] = keys.get(name)
  return merged
}

/** Every secret that must never be shown: the keys and the database password. */
export function listSecrets(keys: KeyStore, environment: Environment): string[] {
  const variables = [
    ...vendors.flatMap((vendor) => vendor.variables),
    'AWS_SESSION_TOKEN',
    'BENCHMAKER_API_KEY',
    'BENCHMAKER_SECRET_KEY',
    'BENCHMAKER_SECRET_KEY_OLD',
    'BENCHMAKER_OIDC_CLIENT_SECRET',
  ]
  const database = environment['BENCHMAKER_DATABASE_URL']
  const password = database === undefined ? undefined : URL.parse(database)?.password
  const secrets = [
    ...variables.map((name) => environment[name]?.trim()),
    ...keys.names().map((name) => keys.get(name)),
    password && decodeURIComponent(password),
  ]
  return secrets.flatMap((secret) => secret || [])
}
