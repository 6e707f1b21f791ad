import type { CellResult } from '../../../contract/index.ts'
import { isPending, NOT_RUN } from './stop-words.ts'

/** Shown instead of a number: unscored is never shown as a score, and a cell that was not run never as an error. */
export function describeNoScore(cell: Pick<CellResult, 'outcome' | 'score' | 'unscored' | 'error'>): string {
  if (isPending(cell)) return NOT_RUN
  return cell.unscored?.code ?? cell.outcome ?? (cell.error === undefined ? 'no score' : 'error')
}

export type CellState = 'scored' | 'unscored' | 'error' | typeof NOT_RUN

export function stateOfCell(cell: Pick<CellResult, 'outcome' | 'score' | 'unscored'>): CellState {
  if (cell.score) return 'scored'
  if (cell.unscored) return 'unscored'
  return isPending(cell) ? NOT_RUN : 'error'
}
