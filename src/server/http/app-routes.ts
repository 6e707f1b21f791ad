import { Hono } from 'hono'
import { formats } from '../../report/index.ts'
import type { AppInfo } from '../api.ts'
import type { CoreParts } from '../parts.ts'
import { listEndpoints } from '../../settings/endpoints.ts'
import { listKeys } from '../../settings/key-list.ts'

const DEFAULT_MODELS = ['demo/good', 'demo/fair', 'demo/poor']
const DEFAULT_JUDGE = 'demo/judge'

export function appRoutes(parts: CoreParts): Hono {
  return new Hono().get('/app', async (c) => {
    const keys = listKeys(parts.keys, parts.environment, await listEndpoints(parts.storage))
    const info: AppInfo = {
      version: parts.version,
      dataFolder: parts.dataFolder,
      storage: parts.storageKind,
      isDemoOnly: parts.listedClients().every(({ provider }) => provider === 'demo'),
      defaultModels: DEFAULT_MODELS,
      defaultJudge: DEFAULT_JUDGE,
      reportFormats: formats.map(({ name, label }) => ({ name, label })),
      keys,
    }
    return c.json(info)
  })
}
