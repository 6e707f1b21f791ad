import { formatCost } from './numbers.ts'

interface Outlook {
  largestRequest: number | null
  budget?: { maxCost: number; outlook: 'enough' | 'may-stop' | 'too-small' } | undefined
}

/** What to know about a budget before the run; undefined if it cannot stop it. */
export function describeBudget({ largestRequest, budget }: Outlook): string | undefined {
  if (!budget || budget.outlook === 'enough' || largestRequest === null) return undefined
  const [most, cap] = [formatCost(largestRequest), formatCost(budget.maxCost)]
  return budget.outlook === 'too-small'
    ? `One request can cost up to ${most}, more than the budget of ${cap}: the run stops before it. Raise the budget or lower the maximum tokens.`
    : `The budget of ${cap} is less than the most that this can cost. The run stops when less than ${most} is left, the most that the next request can cost; most cost far less. Fewer maximum tokens use more of the budget.`
}
