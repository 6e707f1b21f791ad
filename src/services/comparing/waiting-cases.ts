import type { CellKey, ScoringResult, Unscored } from '../../contract/index.ts'
import { compareCase, type CompareTools } from './compare-case.ts'

/** The cells of cases whose answers are compared: each waits for the last answer to its case. */
export interface WaitingCases {
  /** A resumed run has only these cells left; without it, every model is still to be asked every case. */
  expectOnly(open: readonly { cell: CellKey }[]): void
  /** The cell has its answer, or failed for good. The last one of a case scores all of them. */
  arrive(cell: CellKey, isAnswered: boolean): Promise<void>
  /** The run stops: cells that still wait say what they lack. A resume compares them. */
  release(): Promise<void>
  /** Scores the stored answers to a case, judging every pair again. */
  compareAgain(runId: string, testCaseId: string): Promise<void>
}

interface WaitingCase {
  left: number
  answered: CellKey[]
}

export interface WaitingTools extends CompareTools {
  onScored(cell: CellKey, score: ScoringResult | { unscored: Unscored }): void
}

export function createWaitingCases(tools: WaitingTools): WaitingCases {
  const cases = new Map<string, WaitingCase>()
  let openOf = (_testCaseId: string) => tools.contestants.length

  const save = async (cell: CellKey, score: ScoringResult | { unscored: Unscored }, isNew = true) => {
    await tools.storage.saveScore(cell, score)
    if (isNew) tools.onScored(cell, score)
  }
  /** Cells that were scored before the run was resumed get new scores too, but they are not progress. */
  const compare = async (runId: string, testCaseId: string, answered: readonly CellKey[]) => {
    const arrived = new Set(answered.map(({ modelId }) => modelId))
    for (const { cell, score } of await compareCase(runId, testCaseId, tools))
      await save(cell, score, arrived.has(cell.modelId))
  }

  return {
    expectOnly(open) {
      const counts = new Map<string, number>()
      for (const { cell } of open) counts.set(cell.testCaseId, (counts.get(cell.testCaseId) ?? 0) + 1)
      openOf = (testCaseId) => counts.get(testCaseId) ?? 0
    },

    async arrive(cell, isAnswered) {
      const { runId, testCaseId } = cell
      const waiting = cases.get(testCaseId) ?? { left: openOf(testCaseId), answered: [] }
      cases.set(testCaseId, waiting)
      waiting.left--
      if (isAnswered) waiting.answered.push(cell)
      if (waiting.left > 0) return
      await compare(runId, testCaseId, waiting.answered)
      cases.delete(testCaseId)
    },

    async release() {
      const unscored = {
        code: 'not-compared' as const,
        message: 'the run stopped before the answers to this case were compared; a resume compares them',
      }
      for (const { answered } of cases.values()) for (const cell of answered) await save(cell, { unscored })
      cases.clear()
    },

    async compareAgain(runId, testCaseId) {
      for (const { cell, score } of await compareCase(runId, testCaseId, tools, { isFresh: true }))
        await save(cell, score)
    },
  }
}
