import { ClientError, type Client } from '../../contract/index.ts'
import { createPersonalSpending } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { Refusal } from '../http/refusal.ts'
import { refuseSpent } from './budgets.ts'
import { currentAccount } from './people.ts'

/**
 * Calls outside of runs count for whoever makes them, and are refused if they could cost more than is left of the month. Runs
 * have budgets of their own.
 */
export function createTeamCalls(context: ServerContext): Pick<ServerContext, 'clientFor' | 'runTools'> {
  const { storage, now } = context
  const paid = new WeakMap<Client, Client>()

  const payFor = createPersonalSpending(() => context.runTools())

  const pay = (client: Client): Client => {
    const found = paid.get(client) ?? {
      ...client,
      async complete(request, options) {
        const person = currentAccount()
        if (!person) return client.complete(request, options)
        await refuseSpent({ person }, { storage, now: now() }).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error
          throw new ClientError('refused', error.message, { retryable: false, unbilled: true })
        })
        return payFor(person, request, () => client.complete(request, options))
      },
    }
    paid.set(client, found)
    return found
  }

  return {
    clientFor: (modelId) => pay(context.clientFor(modelId)),
    runTools() {
      const tools = context.runTools()
      return {
        ...tools,
        connect(request, repeat) {
          const connections = tools.connect(request, repeat)
          return { ...connections, clientOf: (modelId) => pay(connections.clientOf(modelId)) }
        },
      }
    },
  }
}
