import { z } from 'zod'
import {
  InputError,
  providerLimitsSchema,
  vendors,
  type NamedLimits,
  type ProviderLimits,
  type Storage,
} from '../contract/index.ts'
import { isSameAddress, listEndpoints } from './endpoints.ts'

const DOCUMENT = 'provider-limits'

const contentSchema = z.object({ limits: z.record(z.string(), providerLimitsSchema.catch({})) })

/** What the user allows to be sent, by provider or endpoint. */
interface SavedLimits {
  all: Readonly<Record<string, ProviderLimits>>
  of(name: string): NamedLimits | undefined
  /** Of the saved endpoint with this address, for a run that names the address itself. */
  ofAddress(baseUrl: string): NamedLimits | undefined
}

export async function listProviderLimits(storage: Storage): Promise<Record<string, ProviderLimits>> {
  const parsed = contentSchema.safeParse((await storage.loadDocument('settings', DOCUMENT))?.content)
  return parsed.success ? parsed.data.limits : {}
}

export async function loadProviderLimits(storage: Storage): Promise<SavedLimits> {
  const all = await listProviderLimits(storage)
  const limits = new Map(Object.entries(all))
  const endpoints = limits.size === 0 ? [] : await listEndpoints(storage)
  const find = (name: string): NamedLimits | undefined => {
    const found = limits.get(name)
    return found && { name, ...found }
  }
  return {
    all,
    of: find,
    ofAddress(baseUrl) {
      const endpoint = endpoints.find((candidate) => isSameAddress(candidate.baseUrl, baseUrl))
      return endpoint && find(endpoint.name)
    },
  }
}

export const noSavedLimits: SavedLimits = { all: {}, of: () => undefined, ofAddress: () => undefined }

/** Limits without a value are removed. */
export async function saveProviderLimits(storage: Storage, name: string, limits: ProviderLimits): Promise<void> {
  const isVendor = name === 'ollama' || vendors.some((vendor) => vendor.name === name)
  if (!isVendor && !(await listEndpoints(storage)).some((endpoint) => endpoint.name === name))
    throw new InputError(`there is no provider or endpoint ${name} to limit`)
  await writeLimits(storage, name, limits)
}

export async function removeProviderLimits(storage: Storage, name: string): Promise<void> {
  if (name in (await listProviderLimits(storage))) await writeLimits(storage, name, {})
}

async function writeLimits(storage: Storage, name: string, limits: ProviderLimits): Promise<void> {
  const { [name]: _before, ...others } = await listProviderLimits(storage)
  const isEmpty = Object.values(limits).every((limit) => limit === undefined)
  const content = { limits: isEmpty ? others : { ...others, [name]: limits } }
  await storage.saveDocument({ kind: 'settings', id: DOCUMENT, content })
}
