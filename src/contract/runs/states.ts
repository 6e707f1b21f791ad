import { z } from 'zod'
import type { RunOwner } from '../processes/run-owner.ts'
import type { CellResult, RunStatus } from './run.ts'

/**
 * The state of a run as people see it; what is stored is its `RunStatus`. `waiting`: in progress, but for a provider's
 * batch or the next run of its series. `interrupted`: stored as running, but no process works on it any more.
 */
export const runStateSchema = z.enum(['pending', 'running', 'waiting', 'interrupted', 'stopped', 'failed', 'done'])

/** `pending`: its run goes on, and the request is not sent yet. `skipped`: its run ended before it was sent. */
export const cellStateSchema = z.enum(['pending', 'running', 'scored', 'unscored', 'error', 'skipped'])

export type RunState = z.infer<typeof runStateSchema>
export type CellState = z.infer<typeof cellStateSchema>

const ended: Record<Exclude<RunStatus, 'running'>, RunState> = {
  idle: 'pending',
  completed: 'done',
  failed: 'failed',
  cancelled: 'stopped',
}

/** `isHeld`: a live process has claimed the run. A finished run is held while it is rescored. */
export function runStateOf(status: RunStatus, { isHeld }: { isHeld: boolean }): RunState {
  if (isHeld) return 'running'
  return status === 'running' ? 'interrupted' : ended[status]
}

/** The state of several runs together: the first of these that one of them has. */
const urgency: readonly RunState[] = ['running', 'waiting', 'interrupted', 'failed', 'stopped', 'pending', 'done']

export function stateOfRuns(states: Iterable<RunState>): RunState {
  const found = new Set(states)
  return urgency.find((state) => found.has(state)) ?? 'done'
}

export function isInProgress(state: RunState): boolean {
  return state === 'running' || state === 'waiting'
}

/** In progress in this process: only here can it be stopped. */
export function isLive({ state, workedOnBy }: { state: RunState; workedOnBy?: RunOwner | undefined }): boolean {
  return isInProgress(state) && workedOnBy === undefined
}

/** True if cells remain or failed; a run that another process works on can be taken over. */
export function canResume(run: Parameters<typeof isLive>[0], errors = 0): boolean {
  if (run.state === 'pending' || isLive(run)) return false
  return run.state !== 'done' || errors > 0
}

type StoredState = Pick<CellResult, 'status' | 'score' | 'unscored' | 'outcome'>

/** The state of a stored cell. Reports count the cells that a run never came to as cancelled, which is no error. */
export function cellStateOf({ status, score, unscored, outcome }: StoredState): CellState {
  if (score) return 'scored'
  if (unscored) return 'unscored'
  if (status === 'idle') return 'pending'
  if (status === 'running') return 'running'
  return outcome === 'cancelled' ? 'skipped' : 'error'
}

export function isSkipped(cell: StoredState): boolean {
  return cellStateOf(cell) === 'skipped'
}

/**
 * The state of a run as its page shows it. A run in progress that sends no more updates was interrupted, unless another
 * live process works on it; one that is done while its series goes on waits for the next run.
 */
export function findShownState(
  { state, workedOnBy }: Parameters<typeof isLive>[0],
  { hasEnded, isLastRun }: { hasEnded: boolean; isLastRun: boolean },
): RunState {
  if (state === 'done') return hasEnded || isLastRun ? 'done' : 'waiting'
  return isInProgress(state) && hasEnded && !workedOnBy ? 'interrupted' : state
}

/** Cells left to run: what a run left out by decision is not. */
export function countPending({
  cells,
  stopReason,
}: {
  cells: { pending: number }
  stopReason?: string | undefined
}): number {
  return stopReason === 'decided' ? 0 : cells.pending
}
