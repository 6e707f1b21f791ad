import type { Generated } from 'kysely'
import type { BudgetOwner, Role } from '../../../contract/index.ts'

export interface AccountsTable {
  id: string
  login: string
  name: string
  role: Role
  password: string | null
  subject: string | null
  created_at: number
  disabled_at: number | null
}

export interface InvitationsTable {
  hash: string
  login: string
  role: Role
  invited_by: string | null
  created_at: number
  ends_at: number
  used_at: number | null
}

interface SignInsTable {
  hash: string
  account: string
  opened_at: number
  ends_at: number
}

export interface ApiTokensTable {
  hash: string
  account: string
  name: string
  role: Role
  created_at: number
  ends_at: number
  used_at: number | null
}

interface SealedKeysTable {
  name: string
  sealed: string
  saved_at: number
  saved_by: string | null
}

export interface ActivityTable {
  number: Generated<number>
  at: number
  person: string | null
  person_name: string | null
  action: string
  object: string | null
  detail: string | null
  words: string
}

interface MonthlyBudgetsTable {
  kind: BudgetOwner['kind']
  owner: string
  /** An integer number of 1e-12 dollars; read it as text, because it may exceed 2^53. */
  monthly: bigint
}

interface SpendingTable {
  number: Generated<number>
  run: string
  person: string | null
  project: string | null
  at: number
  cost: bigint
}

/** The tables of `AccessStorage`. */
export interface AccessTables {
  accounts: AccountsTable
  invitations: InvitationsTable
  sign_ins: SignInsTable
  api_tokens: ApiTokensTable
  sealed_keys: SealedKeysTable
  activity: ActivityTable
  monthly_budgets: MonthlyBudgetsTable
  spending: SpendingTable
}
