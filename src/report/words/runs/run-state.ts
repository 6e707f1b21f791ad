import type { RunStatus, StopReason } from '../../../contract/index.ts'
import { joinWords } from '../names.ts'
import { formatCost, formatCount } from '../numbers.ts'

/** What is known about how a run ended, or that it has not. */
export interface RunEnd {
  status: RunStatus
  stopReason?: StopReason | undefined
  /** In progress here. */
  isLive?: boolean
  /** Stored as running, but no process works on it any more. */
  isInterrupted?: boolean
  /** The budget of its series, in US dollars. */
  maxCost?: number | undefined
  /** The models whose every request the provider refused, if others were answered. */
  refusedModels?: readonly string[] | undefined
}

const STATES: Record<RunStatus, string> = {
  idle: 'not started',
  running: 'running elsewhere',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
}

/** The state of a run, in the same word on every screen: `completed`, `failed`, `cancelled`, `running`, `interrupted`. */
export function describeRunState({ status, isLive = false, isInterrupted = false }: RunEnd): string {
  if (isLive) return 'running'
  return isInterrupted ? 'interrupted' : STATES[status]
}

/** `Stopped asking x because the provider refused every request to it`; without names, it refused all of the run. */
export function describeRefusal(models: readonly string[] = []): string {
  if (models.length === 0) return 'Stopped because the provider refused every request'
  return `Stopped asking ${joinWords(models)} because the provider refused every request to ${models.length === 1 ? 'it' : 'them'}`
}

/**
 * Why a run ended before its last cell: a few words for lists and a sentence for pages. Undefined if it completed or
 * has not ended. `detail` is what only the running process knows, such as the provider's message.
 */
export function explainStop(run: RunEnd, detail?: string): { short: string; sentence: string } | undefined {
  const { status, stopReason, isLive = false, isInterrupted = false, maxCost, refusedModels } = run
  if (isLive) return undefined
  if (isInterrupted) return { short: 'process ended', sentence: 'Interrupted: the process that ran it ended.' }
  if (stopReason === 'budget') {
    const budget = maxCost === undefined ? 'its budget' : `its budget of ${formatCost(maxCost)}`
    const why = detail === undefined ? '' : ` (${detail})`
    return {
      short: 'budget reached',
      sentence: `Stopped at ${budget}: the next request could have exceeded it${why}.`,
    }
  }
  if (stopReason === 'decided')
    return { short: 'decided', sentence: 'Stopped when decided: more answers could not have changed the decision.' }
  if (stopReason === 'provider')
    return {
      short: 'provider refused',
      sentence: `${describeRefusal(refusedModels)}${detail === undefined ? '.' : `: ${detail}`}`,
    }
  if (status === 'cancelled') return { short: 'by a user', sentence: 'Stopped before it finished.' }
  if (status === 'failed')
    return {
      short: 'unexpected error',
      sentence: `Failed because of an unexpected error${detail === undefined ? '.' : `: ${detail}`}`,
    }
  return undefined
}

/**
 * Cells without a score by kind: `7 errors, 2 unscored, 40 not run`; empty if every cell has one. In a run that goes
 * on, the others wait: for their turn, an answer or a batch.
 */
export function describeOpenCells({
  errors,
  unscored,
  notRun,
  isLive = false,
}: {
  errors: number
  unscored: number
  notRun: number
  isLive?: boolean
}): string {
  return [
    errors > 0 && formatCount(errors, 'error'),
    unscored > 0 && `${formatCount(unscored)} unscored`,
    notRun > 0 && `${formatCount(notRun)} ${isLive ? 'waiting' : 'not run'}`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}
