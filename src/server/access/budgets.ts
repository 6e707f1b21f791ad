import type { BudgetOwner, Person, Storage } from '../../contract/index.ts'
import { findTightest, listAllowances, type Allowance } from '../../access/index.ts'
import { describeAllowance } from '../../report/words/runs/estimate.ts'
import { Refusal } from '../http/refusal.ts'

export interface Payers {
  person: Person
  /** The person is not the one who reads what is refused, and only admins may see the amounts of other people. */
  isSomebodyElse?: boolean
  project?: string | undefined
}

interface Tools {
  storage: Storage
  now: number
}

function ownersOf({ person, project }: Payers): BudgetOwner[] {
  return [
    { kind: 'person', id: person.id },
    ...(project === undefined ? [] : [{ kind: 'project' as const, id: project }]),
  ]
}

/** What is left of the month's budgets of everybody who pays; undefined without a budget. */
async function findAllowance(payers: Payers, { storage, now }: Tools): Promise<Allowance | undefined> {
  return findTightest(await listAllowances(ownersOf(payers), { storage, now }))
}

/** Throws if nothing is left. */
export async function refuseSpent(payers: Payers, tools: Tools): Promise<Allowance | undefined> {
  const allowance = await findAllowance(payers, tools)
  if (allowance && allowance.left <= 0)
    throw new Refusal(
      422,
      'month-spent',
      `Nothing is left of ${describeAllowance(allowance, payers)}. Ask an admin for more, or wait until next month.`,
    )
  return allowance
}
