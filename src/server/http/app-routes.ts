import { Hono } from 'hono'
import type { ServerContext } from '../context.ts'
import { formats } from '../../report/index.ts'
import { type KeyInfo, listEndpoints, listKeys } from '../../settings/index.ts'

/** GET /api/app */
export interface AppInfo {
  version: string
  dataFolder: string
  storage: 'sqlite' | 'postgres'
  /** No key and no endpoint is set: only the simulated models are available. */
  isDemoOnly: boolean
  /** The simulated ones, while there are no others. */
  defaultModels: string[]
  defaultJudge: string
  keys: KeyInfo[]
  /** The export formats for results. */
  reportFormats: { name: string; label: string }[]
}

const DEFAULT_MODELS = ['demo/good', 'demo/fair', 'demo/poor']
const DEFAULT_JUDGE = 'demo/judge'

export function appRoutes(context: ServerContext) {
  return new Hono().get('/app', async (c) => {
    const keys = listKeys(context.keys, context.environment, await listEndpoints(context.storage))
    const isDemoOnly = context.listedClients().every(({ provider }) => provider === 'demo')
    const info: AppInfo = {
      version: context.version,
      dataFolder: context.dataFolder,
      storage: context.storageKind,
      isDemoOnly,
      defaultModels: isDemoOnly ? DEFAULT_MODELS : [],
      defaultJudge: DEFAULT_JUDGE,
      reportFormats: formats.filter(({ writeFiles }) => !writeFiles).map(({ name, label }) => ({ name, label })),
      keys,
    }
    return c.json(info)
  })
}

/** For the web app's client. */
export type AppRoutes = ReturnType<typeof appRoutes>
