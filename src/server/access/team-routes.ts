import { Hono } from 'hono'
import { z } from 'zod'
import {
  listWords,
  changeAccountRequestSchema,
  inviteRequestSchema,
  setBudgetRequestSchema,
  startOfMonth,
  type Account,
  type Activity,
  type BudgetOwner,
  type Role,
} from '../../contract/index.ts'
import { escapeFormula } from '../../contract/files/csv-formulas.ts'
import { invite, writeInvitationLink } from '../../access/index.ts'
import type { ServerContext } from '../context.ts'
import { attachmentHeaders } from '../http/attachment.ts'
import { checkJson } from '../http/read-body.ts'
import { checkQuery, pageFields, refusePage } from '../http/read-query.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { currentAccount, nameObject } from './people.ts'
import type { TeamOptions } from './team.ts'

interface PersonView {
  id: string
  name: string
  login: string
  role: Role
  isDisabled: boolean
  signsInBy: 'password' | 'openid'
  createdAt: number
  /** US dollars this month. */
  spent: number
  monthly?: number
}

interface InvitedView {
  id: string
  login: string
  role: Role
  endsAt: number
  isOver: boolean
}

interface ProjectView {
  name: string
  spent: number
  monthly?: number
}

/** GET /api/team */
export interface TeamView {
  people: PersonView[]
  invitations: InvitedView[]
  projects: ProjectView[]
  /** Its first moment, UTC. */
  month: number
}

/** GET /api/team/log?search=&offset=&limit= */
interface LogView {
  entries: Activity[]
  total: number
}

const logSchema = z.object({ ...pageFields, search: z.string().max(500).default('') })

async function viewTeam({ storage, now }: ServerContext): Promise<TeamView> {
  const month = startOfMonth(now())
  const [accounts, invitations, budgets, spending] = await Promise.all([
    storage.access.listAccounts(),
    storage.access.listInvitations(),
    storage.access.listBudgets(),
    storage.access.listSpending(month),
  ])
  const isOf = (owner: BudgetOwner) => (one: { owner: BudgetOwner }) =>
    one.owner.kind === owner.kind && one.owner.id === owner.id
  const moneyOf = (owner: BudgetOwner) => {
    const budget = budgets.find(isOf(owner))
    return { spent: spending.find(isOf(owner))?.spent ?? 0, ...(budget && { monthly: budget.monthly }) }
  }
  const projects = new Set([...budgets, ...spending].flatMap(({ owner }) => (owner.kind === 'project' ? owner.id : [])))
  return {
    people: accounts.map((account: Account) => ({
      id: account.id,
      name: account.name,
      login: account.login,
      role: account.role,
      isDisabled: account.disabledAt !== undefined,
      signsInBy: account.subject === undefined ? 'password' : 'openid',
      createdAt: account.createdAt,
      ...moneyOf({ kind: 'person', id: account.id }),
    })),
    invitations: invitations.map(({ hash, login, role, endsAt }) => ({
      id: hash,
      login,
      role,
      endsAt,
      isOver: endsAt <= now(),
    })),
    projects: [...projects].toSorted().map((name) => ({ name, ...moneyOf({ kind: 'project', id: name }) })),
    month,
  }
}

function* writeLogCsv(entries: readonly Activity[]): Generator<string> {
  const quote = (text: string) => `"${escapeFormula(text).replaceAll('"', '""')}"`
  yield 'time,person,person id,action,object,detail\r\n'
  for (const { at, person, action, object, detail } of entries)
    yield `${[new Date(at).toISOString(), person?.name ?? '', person?.id ?? '', action, object ?? '', detail ?? ''].map(quote).join(',')}\r\n`
}

/** Accounts, budgets and the log; only on a team server, for admins. */
export function teamRoutes(context: ServerContext, team: TeamOptions) {
  const { storage, now } = context
  return new Hono()
    .get('/team', async (c) => c.json(await viewTeam(context)))
    .post('/team/invitations', checkJson(inviteRequestSchema), async (c) => {
      const asked = c.req.valid('json')
      const { token, invitation } = await invite({ ...asked, invitedBy: currentAccount()?.id }, { storage, now })
      nameObject(`${invitation.login} as ${invitation.role}`)
      return c.json({ link: writeInvitationLink(team.publicUrl(), token), endsAt: invitation.endsAt }, 201)
    })
    .delete('/team/invitations/:id', async (c) => {
      if (!(await storage.access.deleteInvitation(c.req.param('id')))) throw notFound('The invitation')
      return c.json(await viewTeam(context))
    })
    .put('/team/people/:id', checkJson(changeAccountRequestSchema), async (c) => {
      const id = c.req.param('id')
      const { role, isDisabled } = c.req.valid('json')
      const account = await storage.access.findAccount({ id })
      const outcome = await storage.access.changeAccount(id, {
        ...(role !== undefined && { role }),
        ...(isDisabled !== undefined && { disabledAt: isDisabled ? now() : null }),
      })
      if (outcome === 'missing' || !account) throw notFound('The account')
      if (outcome === 'last-admin')
        throw new Refusal(409, 'last-admin', 'This is the only admin. Make somebody else an admin first.')
      const changes = [role, isDisabled === undefined ? undefined : isDisabled ? 'disabled' : 'enabled']
      nameObject(`${account.login}: ${changes.filter((change) => change !== undefined).join(', ') || 'nothing'}`)
      return c.json(await viewTeam(context))
    })
    .put('/team/budgets', checkJson(setBudgetRequestSchema), async (c) => {
      const { owner, monthly } = c.req.valid('json')
      const account = owner.kind === 'person' ? await storage.access.findAccount({ id: owner.id }) : undefined
      if (owner.kind === 'person' && !account) throw notFound('The account')
      await storage.access.saveBudget(owner, monthly ?? undefined)
      nameObject(`${account?.login ?? `project ${owner.id}`}: ${monthly === null ? 'none' : `$${monthly} a month`}`)
      return c.json(await viewTeam(context))
    })
    .get('/team/log', checkQuery(logSchema, refusePage), async (c) => {
      const { search, ...page } = c.req.valid('query')
      const found: LogView = await storage.access.listActivity({ words: listWords(search), ...page })
      return c.json(found)
    })
    .get('/team/log/csv', checkQuery(logSchema, refusePage), async (c) => {
      const { entries } = await storage.access.listActivity({ words: listWords(c.req.valid('query').search) })
      const day = new Date(now()).toISOString().slice(0, 10)
      const headers = attachmentHeaders(`benchmaker-log-${day}.csv`, 'text/csv; charset=utf-8')
      return c.body([...writeLogCsv(entries)].join(''), 200, headers)
    })
}

/** For the web app's client. */
export type TeamRoutes = ReturnType<typeof teamRoutes>
