import { formatCost } from '../numbers.ts'

interface Outlook {
  largestRequest: number | null
  budget?: { maxCost: number; outlook: 'enough' | 'may-stop' | 'too-small' } | undefined
}

/** What to know about a budget before the run; undefined if it cannot stop it. */
export function describeBudget({ largestRequest, budget }: Outlook): string | undefined {
  if (!budget || budget.outlook === 'enough' || largestRequest === null) return undefined
  const [most, cap] = [formatCost(largestRequest), formatCost(budget.maxCost)]
  return budget.outlook === 'too-small'
    ? `One request can cost up to ${most}, more than the budget of ${cap}: the run stops before it. Raise the budget or lower the max tokens.`
    : `The budget of ${cap} may stop this early: at less than ${most} left, the most that one request can cost. Fewer max tokens use more of it.`
}
