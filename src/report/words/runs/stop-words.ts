import type { CellResult, RunStatus, StopReason } from '../../../contract/index.ts'
import { formatCount } from '../numbers.ts'
import { explainStop } from './run-state.ts'

/** The word for a cell that a run never reached. It is neither an error nor a missing answer. */
export const NOT_RUN = 'not run'

/** Unfinished cells of a run that was cut short count as cancelled (`addUnfinished`). */
export function isPending({ outcome, score, unscored }: Pick<CellResult, 'outcome' | 'score' | 'unscored'>): boolean {
  return outcome === 'cancelled' && !score && !unscored
}

/** How many of a model's cells without a score were not run. */
export function countNotRun(reasons: Readonly<Record<string, number>> | undefined): number {
  return reasons?.['not-run'] ?? 0
}

/** What is known about a run that may have ended early. */
export interface StopFacts {
  /** `interrupted`: the program that worked on the run ended without finishing it. */
  status?: RunStatus | 'interrupted' | undefined
  stopReason?: StopReason | undefined
  /** The budget of the run or its series, in US dollars. */
  maxCost?: number | undefined
  /** The models whose every request the provider refused, if others were answered. */
  refusedModels?: readonly string[] | undefined
  /** All cells of the run. */
  cells: number
  /** Those that were not run. */
  notRun: number
  /** Of a series that ended with this run. */
  runsNotStarted?: number | undefined
}

function explain({ status, ...facts }: StopFacts): string | undefined {
  if (status === undefined || status === 'completed') return undefined
  const isInterrupted = status === 'interrupted'
  const stop = explainStop({ ...facts, status: isInterrupted ? 'running' : status, isInterrupted })
  if (stop) return stop.sentence.replace(/\.$/, '')
  return status === 'idle' ? 'Not started' : 'Running'
}

function countOpen({ status, cells, notRun }: StopFacts): string | undefined {
  if (notRun === 0) return undefined
  const open = `${formatCount(notRun)} of ${formatCount(cells, 'cell')}`
  // Some of them are being asked right now.
  if (status === 'running' || status === 'idle') return `${open} not finished yet`
  return notRun >= cells ? `none of its ${formatCount(cells, 'cell')} was run` : `${open} ${NOT_RUN}`
}

function countRuns({ runsNotStarted = 0 }: StopFacts): string | undefined {
  return runsNotStarted > 0 ? `${formatCount(runsNotStarted, 'more run')} of its series not started` : undefined
}

/**
 * That and why a run ended early, and how much of it was not run: `Stopped at its budget of $0.50: the next request
 * could have exceeded it; 70 of 90 cells not run`. Undefined for a completed run.
 */
export function describeStop(run: StopFacts): string | undefined {
  const state = explain(run)
  if (state === undefined) return undefined
  const counts = [countOpen(run), countRuns(run)].filter((part) => part !== undefined).join('; ')
  if (counts === '') return state
  return run.status === 'running' || run.status === 'idle' ? `${state}: ${counts}` : `${state}; ${counts}`
}
