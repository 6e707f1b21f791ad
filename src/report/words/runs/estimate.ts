import { formatCost, formatCount } from '../numbers.ts'

/** The methodology's guidance (section 9) on how often to run, by how a suite is scored. */
export const RUNS_NEEDED = { judged: '3-5', others: '1' }

const inWords = (runsNeeded: string) => runsNeeded.replace('-', ' to ')

const WHY_SEVERAL = 'because judge scores vary'

/** For one suite. */
export function describeRunsNeeded(runsNeeded: string): string {
  if (runsNeeded === RUNS_NEEDED.others)
    return `Runs needed for this suite: ${RUNS_NEEDED.others}. Its scoring is exact; more runs show how much the models vary.`
  return `Runs needed for this suite: ${inWords(runsNeeded)}, ${WHY_SEVERAL}.`
}

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

interface Estimate {
  cells: number
  mostRequests: number
  promptTokens: number
  /** Null if a price is unknown. */
  cost: number | null
  unknownPrices: readonly string[]
}

/** An estimate in one line. Unknown prices are named, never counted as 0. */
export function describeRunEstimate(estimate: Estimate): string {
  const { cells, mostRequests, promptTokens, cost, unknownPrices } = estimate
  const price =
    cost !== null
      ? cost === 0
        ? 'no cost'
        : `at most ${formatCost(cost)}`
      : unknownPrices.length === 0
        ? 'price unknown'
        : `price unknown for ${unknownPrices.slice(0, 2).join(', ')}${unknownPrices.length > 2 ? ` and ${unknownPrices.length - 2} more` : ''}`
  return [
    formatCount(cells, 'cell'),
    `up to ${formatCount(mostRequests, 'request')}`,
    `about ${formatCount(promptTokens)} input tokens`,
    price,
  ].join(' · ')
}

/** Next to "Run N times": when to use it, and the cost. */
export function describeRepeat(times: number, estimate: Pick<Estimate, 'cost'> | undefined): string {
  const purposes: Record<number, string> = {
    3: 'the minimum to see variation between runs',
    5: 'a more reliable interval',
    10: 'to detect small differences',
  }
  const parts = [purposes[times] ?? formatCount(times, 'run')]
  if (estimate && estimate.cost !== null && estimate.cost > 0)
    parts.push(`at most ${formatCost(estimate.cost * times)}`)
  return parts.join(', ')
}
