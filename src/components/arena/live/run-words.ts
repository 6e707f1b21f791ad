import type { RunEstimate } from '../../../server/runs/estimate.ts'
import type { LiveProgress } from '../../../contract/index.ts'
import { formatCost, formatCount, formatRate, formatTimeLeft } from '../../../report/words/index.ts'

/** What a run would take, in one line. Unknown prices are said, never counted as 0. */
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
    `about ${formatCount(promptTokens)} tokens in`,
    price,
  ].join(' · ')
}

/** Beside "Run N times": what it is good for, and what it would cost. */
export function describeRepeat(times: number, estimate: RunEstimate | undefined): string {
  const use: Record<number, string> = {
    3: 'the least that shows a spread between runs',
    5: 'a steadier interval',
    10: 'for small differences',
  }
  const parts = [use[times] ?? formatCount(times, 'run')]
  if (estimate && estimate.cost !== null && estimate.cost > 0)
    parts.push(`at most ${formatCost(estimate.cost * times)}`)
  return parts.join(', ')
}

/** The methodology's guidance, section 9. */
export function describeRunsNeeded(runsNeeded: string): string {
  if (runsNeeded === '1')
    return 'Runs needed for this suite: 1. Its scoring is exact; more runs show how much the models themselves vary.'
  return `Runs needed for this suite: ${runsNeeded.replace('-', ' to ')}, because scores given by a judge vary.`
}

/** How fast and how long still: `4.2/s · about 1 min 5 s left`. */
export function describePace({ rate, etaMs }: LiveProgress, phase: RunPhase): string[] {
  if (phase !== 'running') return []
  const left = etaMs === undefined ? 'time left not known yet' : `about ${formatTimeLeft(etaMs)} left`
  return rate > 0 ? [formatRate(rate), left] : [left]
}

/** `$0.012, budget $0.50` */
export function describeSpent({ cost, unknownCosts, budget, status }: LiveProgress): string {
  const spent = formatCost(cost, unknownCosts)
  if (budget !== undefined) return `${spent}, budget ${formatCost(budget)}`
  return status === 'running' ? `${spent} so far` : `${spent} spent`
}

export type RunPhase = 'running' | 'between' | 'completed' | 'stopped' | 'failed' | 'interrupted'

/** What the page is to say. A run that is `running` in the data while no more will come has lost its program. */
export function findPhase(
  { status }: LiveProgress,
  { hasEnded, isLastRun }: { hasEnded: boolean; isLastRun: boolean },
): RunPhase {
  if (status === 'completed') return hasEnded || isLastRun ? 'completed' : 'between'
  if (status === 'cancelled') return 'stopped'
  if (status === 'failed') return 'failed'
  return hasEnded ? 'interrupted' : 'running'
}

const phases: Record<RunPhase, string> = {
  running: 'Running',
  between: 'Done; the next run of the series begins',
  completed: 'Finished',
  stopped: 'Stopped',
  failed: 'Ended early',
  interrupted: 'Interrupted',
}

export function describePhase(phase: RunPhase): string {
  return phases[phase]
}

/** A figure may still change until every cell of the run is done: `Leaderboard so far`. */
export function sayWhen(words: string, phase: RunPhase): string {
  return phase === 'completed' || phase === 'between' ? words : `${words} so far`
}

/** What a screen reader hears, at every tenth part and not eight times a second. */
export function announceProgress({ done, total }: LiveProgress, phase: RunPhase): string {
  if (phase !== 'running') return `${phases[phase]}: ${formatCount(done)} of ${formatCount(total, 'cell')} done.`
  const tenths = total === 0 ? 0 : Math.floor((done / total) * 10)
  return tenths === 0 ? 'The run has begun.' : `${tenths * 10} percent of ${formatCount(total, 'cell')} done.`
}
