import { z } from 'zod'
import { isOneLine } from '../runs/run-label.ts'

/** What an account may do, each also what the ones before it may. */
export const roles = ['viewer', 'runner', 'admin'] as const

export const roleSchema = z.enum(roles)

export type Role = z.infer<typeof roleSchema>

/** True if the role may do what needs the other one. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

/** Who started a run or did something else. The name is the one at that time. */
export interface Person {
  id: string
  name: string
}

export const personSchema = z.object({
  id: z.string().min(1).max(200).describe('Id of the account'),
  name: z.string().min(1).max(200).describe('Name at that time'),
})

const line = (max: number) =>
  z
    .string()
    .transform((text) => text.normalize('NFC').trim())
    .refine((text) => text !== '', 'must not be empty')
    .refine(isOneLine, 'must be one line without control characters')
    .refine((text) => text.length <= max, `must have at most ${max} characters`)

/** What a person types to sign in: an e-mail address or a name, whatever its case. */
export const loginSchema = line(200).transform((login) => login.toLowerCase())

export const personNameSchema = line(200)

/** The name of a project that pays for runs. */
export const projectSchema = line(100)

/** Long enough to be hard to guess, short enough to be hashed quickly. */
export const passwordLimits = { min: 12, max: 200 } as const

const passwordSchema = z
  .string()
  .min(passwordLimits.min, `must have at least ${passwordLimits.min} characters`)
  .max(passwordLimits.max, `must have at most ${passwordLimits.max} characters`)

/** US dollars a calendar month (UTC). */
const monthlyBudgetSchema = z
  .number()
  .min(0, 'must be 0 dollars or more')
  .max(9_000_000, 'must be at most 9,000,000 dollars')

/** POST /auth/sign-in */
export const signInRequestSchema = z.strictObject({ login: loginSchema, password: z.string().max(passwordLimits.max) })

/** POST /auth/invitation */
export const invitationRequestSchema = z.strictObject({ token: z.string().max(200) })

/** POST /auth/accept */
export const acceptRequestSchema = z.strictObject({
  token: z.string().max(200),
  name: personNameSchema,
  password: passwordSchema,
})

/** POST /api/team/invitations */
export const inviteRequestSchema = z.strictObject({ login: loginSchema, role: roleSchema })

/** In days. */
export const tokenLife = { default: 90, max: 365 } as const

/** POST /api/account/tokens */
export const apiTokenRequestSchema = z.strictObject({
  name: line(100),
  role: roleSchema,
  days: z.int().min(1, 'must be 1 day or more').max(tokenLife.max, `must be at most ${tokenLife.max} days`),
})

/** PUT /api/team/people/:id */
export const changeAccountRequestSchema = z.strictObject({
  role: roleSchema.optional(),
  isDisabled: z.boolean().optional(),
})

/** PUT /api/team/budgets: without an amount the budget is removed. */
export const setBudgetRequestSchema = z.strictObject({
  owner: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('person'), id: z.string().min(1).max(200) }),
    z.strictObject({ kind: z.literal('project'), id: projectSchema }),
  ]),
  monthly: monthlyBudgetSchema.nullable(),
})

/** The beginning of the calendar month, UTC: budgets start again. */
export function startOfMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

/** Whose spending a budget limits. */
export type BudgetOwner = { kind: 'person' | 'project'; id: string }

/** A person's account on a team server. */
export interface Account extends Person {
  /** What the person types to sign in; lower case. */
  login: string
  role: Role
  createdAt: number
  disabledAt?: number
  /** The password's hash, if the person has one. */
  password?: string
  /** The person at an OpenID provider: its issuer, a space and its id there. */
  subject?: string
}

/** A link that makes one account. Only a hash of its secret is stored. */
export interface Invitation {
  hash: string
  login: string
  role: Role
  /** Who made it; absent if it was made in the terminal. */
  invitedBy?: string
  createdAt: number
  endsAt: number
  usedAt?: number
}

export type AccountChange = Partial<Pick<Account, 'name' | 'role' | 'password'>> & {
  /** Stays as it is if another account has it. */
  login?: string
  /** null: enabled again. */
  disabledAt?: number | null
}

/** Lets a program act for an account. Only a hash of the secret is stored. */
export interface ApiToken {
  hash: string
  /** Its owner. */
  account: string
  name: string
  /** At most: it never does more than its owner may do now. */
  role: Role
  createdAt: number
  endsAt: number
  usedAt?: number
}

/** A key as it is stored: encrypted. */
export interface SealedKey {
  name: string
  sealed: string
  savedAt: number
  savedBy?: string
}

/** Something that somebody did. Never holds a secret. */
export interface Activity {
  at: number
  /** Absent if nobody was signed in, and for the terminal. */
  person?: Person
  /** Such as `run started`. */
  action: string
  /** What it was done to, such as the id of a run. */
  object?: string
  detail?: string
}

interface MonthlyBudget {
  owner: BudgetOwner
  /** US dollars. */
  monthly: number
}

/** Accounts, keys, budgets and the log of a team server, in the same database as the runs. */
export interface AccessStorage {
  findAccount(by: { id: string } | { login: string } | { subject: string }): Promise<Account | undefined>
  /** By name. */
  listAccounts(): Promise<Account[]>
  /** With the hash of an invitation, uses that up in the same transaction. */
  createAccount(account: Account, invitation?: string): Promise<'created' | 'invitation-over' | 'login-taken'>
  /** Ends the sessions of the account unless only its name or login changed. The last admin cannot be disabled or demoted. */
  changeAccount(id: string, change: AccountChange): Promise<'changed' | 'missing' | 'last-admin'>

  saveInvitation(invitation: Invitation): Promise<void>
  findInvitation(hash: string): Promise<Invitation | undefined>
  /** Those not used yet, last made first. */
  listInvitations(): Promise<Invitation[]>
  deleteInvitation(hash: string): Promise<boolean>
  /** Ends every other invitation of the same login. Returns false if it was used already, or its time is over. */
  useInvitation(hash: string, now: number): Promise<boolean>

  /** Deletes sessions that ended before `openedAt`. */
  openSession(session: { hash: string; account: string; openedAt: number; endsAt: number }): Promise<void>
  /** The account of an open session; undefined if the session ended or the account is disabled. */
  findSession(hash: string, now: number): Promise<Account | undefined>
  endSession(hash: string): Promise<void>
  /** All of an account. */
  endSessions(account: string): Promise<void>

  saveApiToken(token: ApiToken): Promise<void>
  findApiToken(hash: string): Promise<ApiToken | undefined>
  /** Last made first. */
  listApiTokens(account: string): Promise<ApiToken[]>
  noteApiTokenUse(hash: string, at: number): Promise<void>
  /** One of the account, or all. Returns false if there was none. */
  deleteApiTokens(account: string, hash?: string): Promise<boolean>

  listSealedKeys(): Promise<SealedKey[]>
  saveSealedKey(key: SealedKey): Promise<void>
  /** Replaces all at once, unless one has changed since it was read: then returns false. */
  replaceSealedKeys(replacements: { name: string; from: string; to: string }[]): Promise<boolean>
  deleteSealedKey(name: string): Promise<boolean>

  addActivity(activity: Activity): Promise<void>
  /** Last first. Each word must be part of an entry, whatever its case. */
  listActivity(selection?: {
    words?: readonly string[]
    limit?: number
    offset?: number
  }): Promise<{ entries: Activity[]; total: number }>

  listBudgets(): Promise<MonthlyBudget[]>
  /** Undefined removes it. */
  saveBudget(owner: BudgetOwner, monthly: number | undefined): Promise<void>
  /** US dollars of requests sent since `from`, for a person or a project. Deleted runs and calls outside of runs count. */
  sumSpending(owner: BudgetOwner, from: number): Promise<number>
  /** The same for every person and project that spent something. */
  listSpending(from: number): Promise<{ owner: BudgetOwner; spent: number }[]>
  /** What a call outside of a run cost, in US dollars. */
  addSpending(spending: { person: string; at: number; cost: number }): Promise<void>
}
