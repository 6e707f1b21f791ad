import type { Client } from '../contract/index.ts'
import { checkDemoModel } from './demo/check-model.ts'
import type { DemoOptions } from './demo/demo.ts'

/** A client whose code is loaded on first use: HTTP and the vendors' packages are slow to load. */
export function createLazyClient(provider: string, load: () => Promise<Client>): Client {
  let loading: Promise<Client> | undefined
  const loaded = (): Promise<Client> => (loading ??= load())

  return {
    provider,
    complete: async (request, options) => (await loaded()).complete(request, options),
    listModels: async (options) => (await loaded()).listModels(options),
    close: async () => {
      const client = await loading?.catch(() => undefined)
      await client?.close()
    },
  }
}

/** The simulated models, loaded on first use because their pages are large. */
export function createLazyDemoClient(options?: DemoOptions): Client {
  const client = createLazyClient('demo', async () => (await import('./demo/demo.ts')).createDemoClient(options))
  return { ...client, checkModel: checkDemoModel }
}
