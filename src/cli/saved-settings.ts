import type { Storage } from '../contract/index.ts'
import { listPrices, listRefusedEndpoints, loadEndpoints, type KeyedEndpoint } from '../settings/endpoints.ts'
import { warnOfPlainHttp } from '../settings/addresses.ts'
import { loadProviderLimits, noSavedLimits } from '../settings/provider-limits.ts'
import type { KeyStore } from '../settings/key-store.ts'

type Warn = (warning: string | undefined) => void

/** What users saved in Settings about providers. */
export interface SavedSettings {
  endpoints: KeyedEndpoint[]
  limits: Awaited<ReturnType<typeof loadProviderLimits>>
  /** Prices by address. */
  priced: Awaited<ReturnType<typeof listPrices>>
  /** Differs if any of it has changed. */
  fingerprint: string
}

/** The endpoints saved in Settings. Warns of those that are not used, and of keys that travel unencrypted. */
async function openEndpoints(storage: Storage, keys: KeyStore, warn: Warn): Promise<KeyedEndpoint[]> {
  for (const { name, reason } of await listRefusedEndpoints(storage))
    warn(`the saved endpoint ${name} is ignored: ${reason}`)
  return (await loadEndpoints(storage, keys)).map((endpoint) => ({
    ...endpoint,
    readKey() {
      const key = endpoint.readKey()
      if (key !== undefined) warn(warnOfPlainHttp(endpoint.baseUrl))
      return key
    },
  }))
}

function listKeys(keys: KeyStore): unknown {
  // Those in the operating system's store are read only when they are needed: it may ask the user.
  const read = (name: string) => (keys.sourceOf(name) === 'key-store' ? '' : keys.get(name))
  return [keys.listProblems?.(), keys.names().map((name) => [name, read(name), keys.originOf(name)])]
}

export async function loadSettings(storage: Storage, keys: KeyStore, warn: Warn): Promise<SavedSettings> {
  const endpoints = await openEndpoints(storage, keys, warn)
  const limits = await loadProviderLimits(storage)
  const fingerprint = JSON.stringify([endpoints, limits.all, listKeys(keys)])
  return { endpoints, limits, priced: endpoints, fingerprint }
}

/** For a run that names an address: of the saved endpoints, only the price and the limits of that address count. */
export async function loadSettingsOfAddress(storage: Storage): Promise<SavedSettings> {
  const limits = await loadProviderLimits(storage)
  return { endpoints: [], limits, priced: await listPrices(storage), fingerprint: '' }
}

export const noSettings: SavedSettings = { endpoints: [], limits: noSavedLimits, priced: [], fingerprint: '' }
