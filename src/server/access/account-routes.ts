import { Hono } from 'hono'
import { apiTokenRequestSchema, type Account, type ApiToken } from '../../contract/index.ts'
import { createApiToken } from '../../access/index.ts'
import type { ServerContext } from '../context.ts'
import { checkJson } from '../http/read-body.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { currentAccount, nameObject } from './people.ts'

/** A token without its secret, which is stored nowhere. */
interface ApiTokenView extends Omit<ApiToken, 'hash' | 'account'> {
  id: string
  isOver: boolean
}

/** GET /api/account */
export interface AccountView {
  tokens: ApiTokenView[]
}

function ownAccount(): Account {
  const account = currentAccount()
  if (!account) throw new Refusal(401, 'signed-out', 'Sign in to continue.')
  return account
}

/** What everybody may do with their own account on a team server; not with a token, which could prolong itself. */
export function accountRoutes({ storage, now }: ServerContext) {
  const view = async (): Promise<AccountView> => {
    const tokens = await storage.access.listApiTokens(ownAccount().id)
    return {
      tokens: tokens.map(({ hash, account: _owner, ...token }) => ({
        id: hash,
        ...token,
        isOver: token.endsAt <= now(),
      })),
    }
  }
  return new Hono()
    .get('/account', async (c) => c.json(await view()))
    .post('/account/tokens', checkJson(apiTokenRequestSchema), async (c) => {
      const { token, stored } = await createApiToken(ownAccount(), c.req.valid('json'), { storage, now })
      nameObject(`${stored.name} as ${stored.role}, until ${new Date(stored.endsAt).toISOString().slice(0, 10)}`)
      return c.json({ token, ...(await view()) }, 201)
    })
    .delete('/account/tokens/:id', async (c) => {
      const { id: owner } = ownAccount()
      const id = c.req.param('id')
      const found = (await storage.access.listApiTokens(owner)).find(({ hash }) => hash === id)
      if (!found || !(await storage.access.deleteApiTokens(owner, id))) throw notFound('The token')
      nameObject(found.name)
      return c.json(await view())
    })
    .post('/account/end-sessions', async (c) => {
      await storage.access.endSessions(ownAccount().id)
      return c.json({})
    })
}

/** For the web app's client. */
export type AccountRoutes = ReturnType<typeof accountRoutes>
