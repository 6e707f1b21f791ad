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
    ? `One request can cost up to ${most}, more than the budget of ${cap}. Raise the budget or lower max tokens.`
    : `Stops when less than ${most} is left (the most one request can cost). Lower max tokens to use more of the budget.`
}
