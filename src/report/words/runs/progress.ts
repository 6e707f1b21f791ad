import { isInProgress, isLive, type LiveProgress, type RunState } from '../../../contract/index.ts'
import { capitalise } from '../names.ts'
import { describeCost, formatCost, formatCount, formatRate, formatTimeLeft } from '../numbers.ts'
import { describeSoFar } from '../verdicts/failures/everything-fails.ts'
import { describeRunState } from './states.ts'

/** Rate and time left, or what it waits for: `4.2 answers/s · about 1 min 5 s left`. */
export function describePace({ rate, etaMs, deciding, waiting, workedOnBy }: LiveProgress, state: RunState): string[] {
  if (state === 'waiting') return [waiting ?? 'starting the next run of the series']
  if (state !== 'running' || workedOnBy) return []
  const about = deciding ? 'at most' : 'about'
  const left = etaMs === undefined ? 'time left unknown' : `${about} ${formatTimeLeft(etaMs)} left`
  return rate > 0 ? [formatRate(rate), left] : [left]
}

/** With fewer answers, the cost of the others is a guess. */
const FEWEST_ANSWERS = 5

/** `$1.04 of about $4.40`, `$0.012, budget $0.50` */
export function describeSpent(progress: LiveProgress): string {
  const { cost, unknownCosts, budget, state, deciding } = progress
  const { done, total } = countProgress(progress)
  const isGoingOn = isInProgress(state)
  const isForeseen = isGoingOn && !deciding && cost > 0 && unknownCosts === 0 && done >= FEWEST_ANSWERS && done < total
  const spent = `${describeCost(cost, unknownCosts)}${isForeseen ? ` of about ${formatCost((cost / done) * total)}` : ''}`
  if (budget !== undefined) return `${spent}, budget ${formatCost(budget)}`
  return isForeseen ? spent : isGoingOn ? `${spent} so far` : spent.startsWith('$') ? `${spent} spent` : spent
}

/** What is known of a run in progress instead of a verdict. */
export function describeLiveOutcome(progress: LiveProgress): string {
  const { done, total } = countProgress(progress)
  return describeSoFar(done, total)
}

/** After "Next:", while a run goes on. */
export const LEAVE_PAGE = 'You can leave this page. Every answer is kept.'

/** What the bar counts: the cells of all runs of a series. */
export function countProgress({ done, total, series }: LiveProgress): { done: number; total: number } {
  return series ?? { done, total }
}

/** Rounded down: 100 only when everything is done. */
function percentDone(progress: LiveProgress): number {
  const { done, total } = countProgress(progress)
  return total === 0 ? 0 : Math.floor((done / total) * 100)
}

/** The window title, for those who look at another tab: `45 % · First look`. */
export function describeTitle(suiteName: string, progress: LiveProgress, state: RunState): string {
  const percent = `${percentDone(progress)} %`
  const words = capitalise(describeRunState({ ...progress, state }))
  if (state === 'done') return `✓ ${words} · ${suiteName}`
  return isLive({ ...progress, state }) ? `${percent} · ${suiteName}` : `${words} at ${percent} · ${suiteName}`
}

/** The notification when a run has ended: `First look: completed`, and how it went. */
export function describeEnd(
  suiteName: string,
  progress: LiveProgress,
  state: RunState,
  verdict: string | undefined,
): { title: string; body: string } {
  const { done, total } = countProgress(progress)
  const parts = [
    verdict ?? `${formatCount(done)} of ${formatCount(total, 'answer')}`,
    progress.errors > 0 && `${formatCount(progress.errors, 'error')}${progress.series ? ' in the last run' : ''}`,
  ]
  return { title: `${suiteName}: ${describeRunState({ ...progress, state })}`, body: parts.filter(Boolean).join(' · ') }
}

/** For screen readers: changes at every 10 percent, not several times a second. */
export function announceProgress(progress: LiveProgress, state: RunState): string {
  const { done, total } = countProgress(progress)
  if (state !== 'running')
    return `${capitalise(describeRunState({ ...progress, state }))}: ${formatCount(done)} of ${formatCount(total, 'answer')} done.`
  const tenths = total === 0 ? 0 : Math.floor((done / total) * 10)
  return tenths === 0 ? 'The run has started.' : `${tenths * 10} percent of ${formatCount(total, 'answer')} done.`
}
