import type { RunEstimate } from '../../../server/runs/estimate.ts'
import type { LiveProgress } from '../../../contract/index.ts'
import { formatCost, formatCount, formatRate, formatTimeLeft } from '../../../report/words/index.ts'

/** An estimate in one line. Unknown prices are named, never counted as 0. */
export function describeEstimate(estimate: RunEstimate): string {
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
export function describeRepeat(times: number, estimate: RunEstimate | undefined): string {
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

/** From the methodology, section 9. */
export function describeRunsNeeded(runsNeeded: string): string {
  if (runsNeeded === '1')
    return 'Runs needed for this suite: 1. Its scoring is exact; more runs show how much the models vary.'
  return `Runs needed for this suite: ${runsNeeded.replace('-', ' to ')}, because judge scores vary.`
}

/** Rate and time left: `4.2/s · about 1 min 5 s left`. */
export function describePace({ rate, etaMs }: LiveProgress, phase: RunPhase): string[] {
  if (phase !== 'running') return []
  const left = etaMs === undefined ? 'time left unknown' : `about ${formatTimeLeft(etaMs)} left`
  return rate > 0 ? [formatRate(rate), left] : [left]
}

/** `$0.012, budget $0.50` */
export function describeSpent({ cost, unknownCosts, budget, status }: LiveProgress): string {
  const spent = formatCost(cost, unknownCosts)
  if (budget !== undefined) return `${spent}, budget ${formatCost(budget)}`
  return status === 'running' ? `${spent} so far` : `${spent} spent`
}

export type RunPhase = 'running' | 'between' | 'completed' | 'stopped' | 'failed' | 'interrupted' | 'elsewhere'

/** A run with status `running` that sends no more updates was interrupted, unless another live process works on it. */
export function findPhase(
  { status, workedOnBy }: LiveProgress,
  { hasEnded, isLastRun }: { hasEnded: boolean; isLastRun: boolean },
): RunPhase {
  if (status === 'completed') return hasEnded || isLastRun ? 'completed' : 'between'
  if (status === 'cancelled') return 'stopped'
  if (status === 'failed') return 'failed'
  if (workedOnBy) return 'elsewhere'
  return hasEnded ? 'interrupted' : 'running'
}

const phases: Record<RunPhase, string> = {
  running: 'Running',
  between: 'Completed; starting the next run of the series',
  completed: 'Completed',
  stopped: 'Cancelled',
  failed: 'Failed',
  interrupted: 'Interrupted',
  elsewhere: 'Running elsewhere',
}

export function describePhase(phase: RunPhase): string {
  return phases[phase]
}

/** Marks figures that can still change: `Leaderboard so far`. */
export function addSoFar(words: string, phase: RunPhase): string {
  return phase === 'completed' || phase === 'between' ? words : `${words} so far`
}

/** For screen readers: changes at every 10 percent, not several times a second. */
export function announceProgress({ done, total }: LiveProgress, phase: RunPhase): string {
  if (phase !== 'running') return `${phases[phase]}: ${formatCount(done)} of ${formatCount(total, 'cell')} done.`
  const tenths = total === 0 ? 0 : Math.floor((done / total) * 10)
  return tenths === 0 ? 'The run has started.' : `${tenths * 10} percent of ${formatCount(total, 'cell')} done.`
}
