import type { CellResult, RunStatus, StopReason } from '../../contract/index.ts'
import { formatCost, formatCount } from './numbers.ts'

/** The word for a cell that a run never reached. It is neither an error nor a missing answer. */
export const NOT_ASKED = 'not asked'

/** Unfinished cells of a run that was cut short count as cancelled (`addUnfinished`). */
export function isNotAsked({ outcome, score, unscored }: Pick<CellResult, 'outcome' | 'score' | 'unscored'>): boolean {
  return outcome === 'cancelled' && !score && !unscored
}

/** How many of a model's cells without a score were never asked. */
export function countNotAsked(reasons: Readonly<Record<string, number>> | undefined): number {
  return reasons?.['cancelled'] ?? 0
}

/** What is known about a run that may have ended early. */
export interface StopFacts {
  /** `interrupted`: the program that worked on the run ended without finishing it. */
  status?: RunStatus | 'interrupted' | undefined
  stopReason?: StopReason | undefined
  /** The budget of the run or its series, in US dollars. */
  maxCost?: number | undefined
  /** All cells of the run. */
  cells: number
  /** Those that were never asked. */
  notAsked: number
  /** Of a series that ended with this run. */
  runsNotStarted?: number | undefined
}

function explainStop({ status, stopReason, maxCost }: StopFacts): string | undefined {
  if (status === 'interrupted') return 'the program ended before the run did'
  if (status === 'running' || status === 'idle') return undefined
  if (stopReason === 'provider') return 'the provider rejects every request'
  if (stopReason === 'budget')
    return `the next request could have exceeded the budget${maxCost === undefined ? '' : ` of ${formatCost(maxCost)}`}`
  return status === 'failed' ? 'an error stopped it' : 'it was stopped by hand'
}

function countOpen({ status, cells, notAsked }: StopFacts): string | undefined {
  if (notAsked === 0) return undefined
  const open = `${formatCount(notAsked)} of ${formatCount(cells, 'cell')}`
  // Some of them are being asked right now.
  if (status === 'running' || status === 'idle') return `${open} not finished yet`
  return notAsked >= cells ? `none of its ${formatCount(cells, 'cell')} was asked` : `${open} ${NOT_ASKED}`
}

function countRuns({ runsNotStarted = 0 }: StopFacts): string | undefined {
  return runsNotStarted > 0 ? `${formatCount(runsNotStarted, 'more run')} of its series not started` : undefined
}

/**
 * That and why a run ended early, and how much of it was never asked: `Cancelled: the next request could have exceeded
 * the budget of $0.50; 70 of 90 cells not asked`. Undefined for a completed run.
 */
export function describeStop(run: StopFacts): string | undefined {
  const { status } = run
  if (status === undefined || status === 'completed') return undefined
  const state = status === 'idle' ? 'Not started' : `${status.charAt(0).toUpperCase()}${status.slice(1)}`
  const details = [explainStop(run), countOpen(run), countRuns(run)].filter((part) => part !== undefined)
  return details.length === 0 ? state : `${state}: ${details.join('; ')}`
}
