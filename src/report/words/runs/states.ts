import { cellStateOf, type CellResult, type CellState, type RunState } from '../../../contract/index.ts'
import { formatCount } from '../numbers.ts'

/** How a state looks wherever it is shown. The tone names the colours of the page: `--warning`, `--warning-soft`. */
export interface StateLook {
  word: string
  icon:
    | 'dashed'
    | 'loader'
    | 'hourglass'
    | 'unplug'
    | 'square'
    | 'cross'
    | 'check'
    | 'question'
    | 'skip'
    | 'equal'
    | 'approximate'
    | 'alert'
  tone: 'plain' | 'accent' | 'warning' | 'failure' | 'danger'
}

export const runStates: Record<RunState, StateLook> = {
  pending: { word: 'not started', icon: 'dashed', tone: 'plain' },
  running: { word: 'running', icon: 'loader', tone: 'accent' },
  waiting: { word: 'waiting', icon: 'hourglass', tone: 'accent' },
  interrupted: { word: 'interrupted', icon: 'unplug', tone: 'warning' },
  stopped: { word: 'stopped', icon: 'square', tone: 'plain' },
  failed: { word: 'failed', icon: 'cross', tone: 'danger' },
  done: { word: 'completed', icon: 'check', tone: 'plain' },
}

export const cellStates: Record<CellState, StateLook> = {
  pending: { word: 'pending', icon: 'dashed', tone: 'plain' },
  running: { word: 'running', icon: 'loader', tone: 'accent' },
  scored: { word: 'scored', icon: 'check', tone: 'plain' },
  unscored: { word: 'unscored', icon: 'question', tone: 'warning' },
  error: { word: 'error', icon: 'cross', tone: 'danger' },
  skipped: { word: 'not run', icon: 'skip', tone: 'plain' },
}

/** The state of a run, in the same words everywhere: `completed`, `running in another process`. */
export function describeRunState({ state, workedOnBy }: { state: RunState; workedOnBy?: unknown }): string {
  const { word } = runStates[state]
  return state === 'running' && workedOnBy !== undefined ? `${word} in another process` : word
}

/** Shown instead of a number: unscored is never shown as a score, and a cell that was not run never as an error. */
export function describeNoScore(cell: Pick<CellResult, 'status' | 'outcome' | 'score' | 'unscored' | 'error'>): string {
  if (cellStateOf(cell) === 'skipped') return cellStates.skipped.word
  return cell.unscored?.code ?? cell.outcome ?? (cell.error === undefined ? 'no score' : cellStates.error.word)
}

/** Cells without a score by kind: `7 errors, 2 unscored, 40 not run`; empty if every cell has one. */
export function describeOpenCells({
  errors,
  unscored,
  notRun,
  isLive = false,
}: {
  errors: number
  unscored: number
  notRun: number
  /** The run goes on, so the others are only pending. */
  isLive?: boolean
}): string {
  return [
    errors > 0 && formatCount(errors, cellStates.error.word),
    unscored > 0 && `${formatCount(unscored)} ${cellStates.unscored.word}`,
    notRun > 0 && `${formatCount(notRun)} ${cellStates[isLive ? 'pending' : 'skipped'].word}`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}

/** Below a run in a list: `stopped, 57 of 120 scored`; undefined if it is whole. */
export function describeUnfinished({
  cells: { scored, total },
  stateWord,
}: {
  cells: { scored: number; total: number }
  stateWord: string
}): string | undefined {
  if (stateWord === runStates.done.word && scored === total) return undefined
  return `${stateWord}, ${formatCount(scored)} of ${formatCount(total)} scored`
}
