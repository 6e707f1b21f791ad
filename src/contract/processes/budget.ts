import type { Money } from '../money.ts'

/** A budget that requests are paid from. A request may be paid from several, and must fit into all of them. */
export interface BudgetAccount {
  /** `run:…` for a run or its series, `person:…`, `project:…`. */
  id: string
  limit: Money
  /** For a budget that starts again, which time this is: `2026-11`. */
  period?: string | undefined
  /** For messages: "the budget of 5 dollars". */
  label: string
}

/** What a process has paid from its accounts since it last said so, and what it may need next. */
export interface BudgetDraw {
  /** Drawn at random by the process. */
  holder: string
  accounts: readonly Omit<BudgetAccount, 'label'>[]
  /** What it holds, as far as it knows. */
  held: Money
  /** Known costs of requests that have ended. */
  spent: Money
  /** The most that requests of unknown cost can have cost. */
  assumed: Money
  /** What requests in progress may cost: it stays reserved. */
  kept: Money
  /** What it would like to hold on top of that. */
  wanted: Money
  /** Less than this is of no use to it: then it gets nothing, and whoever can use it may have it. */
  least: Money
  /** How long it holds this without drawing again. */
  leaseMs: number
  /** A new count of what was spent from one account, unless that has changed since `version`. */
  recount?: { account: string; spent: Money; assumed: Money; version: number } | undefined
}

/** What an account contains after a draw. */
export interface BudgetBalance {
  id: string
  spent: Money
  assumed: Money
  /** Reserved by others. */
  heldByOthers: Money
  version: number
  /** It is new, or a process died: what it spent is known only to the ledger of attempts. */
  needsRecount: boolean
}

export interface DrawnBudget {
  /** It held something that has expired: all of that counts as spent, and nothing else was recorded now. */
  isLost: boolean
  held: Money
  /** In the order of the request. */
  balances: BudgetBalance[]
}
