import { Hono } from 'hono'
import type { CoreParts } from '../parts.ts'
import { type KeyInfo, listEndpoints, listKeys } from '../../settings/index.ts'

/** GET /api/app */
export interface AppInfo {
  version: string
  dataFolder: string
  storage: 'sqlite' | 'postgres'
  /** No key and no endpoint: only the simulated models can be asked. */
  isDemoOnly: boolean
  defaultModels: string[]
  defaultJudge: string
  keys: KeyInfo[]
}

const DEFAULT_MODELS = ['demo/good', 'demo/fair', 'demo/poor']
const DEFAULT_JUDGE = 'demo/judge'

export function appRoutes(parts: CoreParts) {
  return new Hono().get('/app', async (c) => {
    const keys = listKeys(parts.keys, parts.environment, await listEndpoints(parts.storage))
    const info: AppInfo = {
      version: parts.version,
      dataFolder: parts.dataFolder,
      storage: parts.storageKind,
      isDemoOnly: parts.listedClients().every(({ provider }) => provider === 'demo'),
      defaultModels: DEFAULT_MODELS,
      defaultJudge: DEFAULT_JUDGE,
      keys,
    }
    return c.json(info)
  })
}

/** For the web app's client. */
export type AppRoutes = ReturnType<typeof appRoutes>
