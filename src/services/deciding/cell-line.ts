import type { CellKey } from '../../contract/index.ts'
import type { ModelDecisions } from '../../statistics/index.ts'
import type { OpenCell } from '../engine.ts'
import type { Gaps } from './gaps.ts'

/**
 * The cells that one provider answers: first the gaps that earlier processes left, then, as long as there is a question,
 * the others. Both go case by case in the drawn order, each case in all runs and by all models.
 */
export interface CellLine {
  /** The next cell, `wait` if it is too far ahead of the cases counted or a gap is open, or undefined after the last. */
  take(): OpenCell | 'wait' | undefined
}

interface LineInput {
  /** Ids in the drawn order. */
  cases: readonly string[]
  runIds: readonly string[]
  models: readonly string[]
  /** Returns undefined for a cell that is finished. */
  findOpen(cell: CellKey): OpenCell | undefined
  decisions: ModelDecisions
  gaps: Pick<Gaps, 'has' | 'isAnyBefore'>
  /** How many cases may be asked beyond those counted: what lies there is lost if the next case decides. */
  ahead: number
}

function* listCells({ cases, runIds, models }: LineInput): Generator<{ position: number; cell: CellKey }> {
  for (const [position, testCaseId] of cases.entries())
    for (const runId of runIds) for (const modelId of models) yield { position, cell: { runId, testCaseId, modelId } }
}

function createQueue(input: LineInput, isIncluded: (cell: CellKey) => boolean): CellLine {
  const { decisions, findOpen, ahead } = input
  const cells = listCells(input)
  let next = cells.next()
  return {
    take() {
      for (; !next.done; next = cells.next()) {
        const { position, cell } = next.value
        const open = decisions.asked.has(cell.modelId) && isIncluded(cell) ? findOpen(cell) : undefined
        if (!open) continue
        if (position >= decisions.cases + ahead) return 'wait'
        next = cells.next()
        return open
      }
      return undefined
    },
  }
}

export function createCellLine(input: LineInput): CellLine {
  const { decisions, gaps, ahead } = input
  const gapsFirst = createQueue(input, (cell) => gaps.has(cell))
  const others = createQueue(input, (cell) => !gaps.has(cell))
  return {
    take() {
      const gap = gapsFirst.take()
      if (typeof gap === 'object') return gap
      if (gaps.isAnyBefore(decisions.cases + ahead)) return 'wait'
      return others.take() ?? gap
    },
  }
}
