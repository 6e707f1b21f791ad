import type { BudgetOwner, Person } from '../../../contract/index.ts'
import { capitalise } from '../names.ts'
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
  /** The most that it can cost; null if a price is unknown. */
  cost: number | null
  likely?: { cost: number; runs: number } | undefined
  unknownPrices: readonly string[]
}

/** `about $0.02, at most $0.74`, `at most $0.74`, or why nobody knows. Unknown prices are named, never counted as 0. */
export function describeEstimatedCost({
  cost,
  likely,
  unknownPrices,
}: Omit<Estimate, 'cells' | 'mostRequests'>): string {
  if (cost === 0) return 'no cost'
  if (cost !== null) {
    const most = `at most ${formatCost(cost)}`
    return likely === undefined ? most : `about ${formatCost(likely.cost)}, ${most}`
  }
  if (unknownPrices.length === 0) return 'price unknown'
  const others = unknownPrices.length > 2 ? ` and ${unknownPrices.length - 2} more` : ''
  return `price unknown for ${unknownPrices.slice(0, 2).join(', ')}${others}`
}

/** What is sent, and where the likely cost comes from. */
export function describeEstimatedWork({ cells, mostRequests, cost, likely }: Estimate): string {
  const parts = [formatCount(cells, 'answer')]
  if (mostRequests > cells) parts.push(`up to ${formatCount(mostRequests, 'request')}`)
  if (likely !== undefined) parts.push(`from the answers of ${formatCount(likely.runs, 'earlier run')}`)
  else if (cost !== null && cost > 0) parts.push('no earlier run to tell the likely cost')
  return parts.join(' · ')
}

/** An estimate in one line. */
export function describeRunEstimate(estimate: Estimate): string {
  return `${capitalise(describeEstimatedCost(estimate))} · ${describeEstimatedWork(estimate)}`
}

/** Next to "Run N times": when to use it. */
export function describeRepeat(times: number): string {
  const purposes: Record<number, string> = {
    3: 'shows flaky cases',
    5: 'a more reliable interval',
    10: 'detects small differences',
  }
  return purposes[times] ?? formatCount(times, 'run')
}

/** Next to "Run N times": what it costs; empty if that is not known. */
export function describeRepeatedCost(
  times: number,
  { cost, likely, unknownPrices }: Omit<Estimate, 'cells' | 'mostRequests'>,
): string {
  if (cost === null || cost === 0) return ''
  return describeEstimatedCost({
    cost: cost * times,
    ...(likely && { likely: { ...likely, cost: likely.cost * times } }),
    unknownPrices,
  })
}

/** `your budget for this month ($5.00, $4.20 spent)`, or `the budget of Ada for this month` */
export function describeAllowance(
  { owner, monthly, spent }: { owner: BudgetOwner; monthly: number; spent: number },
  { person, isSomebodyElse = false }: { person: Person; isSomebodyElse?: boolean },
): string {
  if (owner.kind === 'person' && isSomebodyElse) return `the budget of ${person.name} for this month`
  const whose = owner.kind === 'person' ? 'your budget' : `the budget of the project ${owner.id}`
  return `${whose} for this month (${formatCost(monthly)}, ${formatCost(spent)} spent)`
}
