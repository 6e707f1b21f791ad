import { formatCount } from '../numbers.ts'
import { cellStates } from './states.ts'

/** What a resume did with the cells of a run; `asked` includes those `retried` and `repeated`. */
interface ResumedCells {
  kept: number
  asked: number
  retried: number
  repeated: number
  scored: number
}

/** `Kept 15, retried 9.`, `Kept 6, sent 13 (2 of them were in flight), retried 1, scored 3 stored answers.` */
export function describeResumed({ kept, asked, retried, repeated, scored }: ResumedCells): string {
  const sent = asked - retried
  const inFlight =
    repeated > 0 ? ` (${formatCount(repeated)} of them ${repeated === 1 ? 'was' : 'were'} in flight)` : ''
  const parts = [
    `Kept ${formatCount(kept)}`,
    ...(sent > 0 ? [`sent ${formatCount(sent)}${inFlight}`] : []),
    ...(retried > 0 ? [`retried ${formatCount(retried)}`] : []),
    ...(scored > 0 ? [`scored ${formatCount(scored, 'stored answer')}`] : []),
  ]
  return `${parts.join(', ')}.`
}

/** How many cells a stopped run or series left, and the command that finishes it. */
export function describeRest(left: number, { runId, isAtBudget }: { runId: string; isAtBudget: boolean }): string {
  const budget = isAtBudget ? ' --max-cost <usd>, with a larger budget' : ''
  return `Stopped with ${formatCount(left, 'cell')} ${cellStates.skipped.word}. Next: benchmaker resume ${runId}${budget}`
}

/** What the button does: `Resume (240 cells left)`, `Retry the 7 failed requests`, or both. */
export function describeResume({ notRun, errors }: { notRun: number; errors: number }): string {
  if (notRun === 0) return errors === 0 ? 'Resume' : `Retry the ${formatCount(errors, 'failed request')}`
  return `Resume (${formatCount(notRun, 'cell')} left)`
}
