import { cellName, type CellKey } from '../../contract/index.ts'
import type { ModelDecisions } from '../../statistics/index.ts'
import type { OpenCell } from '../engine.ts'

/** Open cells among those that an earlier process has asked, such as errors to retry. */
export interface Gaps {
  has(cell: CellKey): boolean
  /** True if one before this position in the drawn order is open and may change what is decided. */
  isAnyBefore(position: number): boolean
  /** Returns false if it was none. */
  close(cell: CellKey): boolean
}

interface ReopenedCellsOfRun {
  runId: string
  /** By case and model. */
  open: ReadonlyMap<string, OpenCell>
  /** Those that had failed, by case and model. */
  failed?: ReadonlySet<string> | undefined
}

/** A cell before the last one that its model has finished was asked too, even if a process died while it retried it. */
function listGaps({ open, failed }: ReopenedCellsOfRun, positionOf: ReadonlyMap<string, number>): OpenCell[] {
  const models = new Set(Array.from(open.values(), ({ cell }) => cell.modelId))
  const lastOf = new Map(
    Array.from(models, (modelId) => {
      const finished = [...positionOf].filter(([testCaseId]) => !open.has(cellName({ testCaseId, modelId })))
      return [modelId, finished.reduce((last, [, position]) => Math.max(last, position), -1)]
    }),
  )
  return Array.from(open.values()).filter(
    ({ cell: { testCaseId, modelId }, answer }) =>
      answer !== undefined ||
      failed?.has(cellName({ testCaseId, modelId })) ||
      positionOf.get(testCaseId)! < lastOf.get(modelId)!,
  )
}

const gapName = ({ runId, testCaseId, modelId }: CellKey) => JSON.stringify([runId, testCaseId, modelId])

/**
 * Until the gaps are closed it is not known how far the cases are counted, who was dropped, and whether anything is
 * still in question: new cells wait for them.
 */
export function createGaps(
  reopened: readonly ReopenedCellsOfRun[],
  { cases, decisions }: { cases: readonly string[]; decisions: Pick<ModelDecisions, 'asked'> },
): Gaps {
  const positionOf = new Map(cases.map((id, position) => [id, position]))
  const all = reopened.flatMap((run) => listGaps(run, positionOf)).map(({ cell }) => cell)
  const names = new Set(all.map(gapName))
  const open = new Map(all.map((cell) => [gapName(cell), cell]))
  return {
    has: (cell) => names.has(gapName(cell)),
    isAnyBefore(limit) {
      for (const { testCaseId, modelId } of open.values())
        if (positionOf.get(testCaseId)! < limit && decisions.asked.has(modelId)) return true
      return false
    },
    close: (cell) => open.delete(gapName(cell)),
  }
}
