import type { Client } from '../contract/index.ts'
import type { DemoOptions } from './demo/demo.ts'

/** A client whose code is loaded when it is first used: HTTP and the vendors' packages are slow to load. */
export function createLazyClient(provider: string, load: () => Promise<Client>): Client {
  let loading: Promise<Client> | undefined
  const loaded = (): Promise<Client> => (loading ??= load())

  let isReady = false
  let queue: Promise<unknown> | undefined
  /**
   * Those that were asked for meanwhile leave one a turn of the loop: each is on its way before the next is made ready, and the
   * answers do not come all at once either.
   */
  const waitForTurn = async (): Promise<void> => {
    queue = (queue ?? loaded()).then(() => new Promise((resolve) => setImmediate(resolve)))
    await queue
    isReady = true
  }

  return {
    provider,
    async complete(request, options) {
      if (!isReady) await waitForTurn()
      return (await loaded()).complete(request, options)
    },
    listModels: async (options) => (await loaded()).listModels(options),
    close: async () => {
      const client = await loading?.catch(() => undefined)
      await client?.close()
    },
  }
}

/** The simulated models; their pages are large. */
export function createLazyDemoClient(options?: DemoOptions): Client {
  return createLazyClient('demo', async () => (await import('./demo/demo.ts')).createDemoClient(options))
}
