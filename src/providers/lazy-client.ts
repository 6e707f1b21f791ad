import type { Batches, Client } from '../contract/index.ts'
import { checkDemoModel } from './demo/check-model.ts'
import type { DemoOptions } from './demo/demo.ts'

/** A client whose code is loaded on first use: HTTP and the vendors' packages are slow to load. */
export function createLazyClient(
  provider: string,
  load: () => Promise<Client>,
  { maxBatchEntries }: { maxBatchEntries?: number } = {},
): Client {
  let loading: Promise<Client> | undefined
  const loaded = (): Promise<Client> => (loading ??= load())

  const batches = async (): Promise<Batches> => (await loaded()).batches!

  return {
    provider,
    complete: async (request, options) => (await loaded()).complete(request, options),
    listModels: async (options) => (await loaded()).listModels(options),
    checkHost: async (modelId) => (await loaded()).checkHost?.(modelId),
    ...(maxBatchEntries !== undefined && {
      batches: {
        maxEntries: maxBatchEntries,
        submit: async (entries, name, options) => (await batches()).submit(entries, name, options),
        find: async (lost, options) => (await batches()).find(lost, options),
        look: async (id, options) => (await batches()).look(id, options),
        async *collect(id, options) {
          yield* (await batches()).collect(id, options)
        },
      } satisfies Batches,
    }),
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
