import type { CellResult } from '../../../contract/index.ts'
import { isNotAsked, NOT_ASKED } from './stop-words.ts'

/** Shown instead of a number: unscored is never shown as a score, and a cell that was not asked never as an error. */
export function describeNoScore(cell: Pick<CellResult, 'outcome' | 'score' | 'unscored' | 'error'>): string {
  if (isNotAsked(cell)) return NOT_ASKED
  return cell.unscored?.code ?? cell.outcome ?? (cell.error === undefined ? 'no score' : 'error')
}

export type CellState = 'scored' | 'unscored' | 'error' | typeof NOT_ASKED

export function stateOfCell(cell: Pick<CellResult, 'outcome' | 'score' | 'unscored'>): CellState {
  if (cell.score) return 'scored'
  if (cell.unscored) return 'unscored'
  return isNotAsked(cell) ? NOT_ASKED : 'error'
}
