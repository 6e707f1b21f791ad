import { hasPassed, readPassMarks, type RunResult } from '../../contract/index.ts'
import type { ComparedSide } from './compared-side.ts'

/** Answers to the same sample in the same epoch, of two models: who passed. */
export interface PairedSamples {
  /** Answers that both have, with a score. */
  shared: number
  both: number
  onlyBefore: number
  onlyAfter: number
  neither: number
}

/** An imported run knows its epoch: a file may have the second one only. */
function epochOf({ versions }: RunResult, index: number): string {
  return versions?.['importedEpoch'] ?? String(index + 1)
}

function listPassed({ runs }: ComparedSide, modelId: string, leftOut: ReadonlySet<string>): Map<string, boolean> {
  const passed = new Map<string, boolean>()
  for (const [index, run] of runs.entries()) {
    const markOf = readPassMarks(run.testSuiteSnapshot)
    for (const { testCaseId, modelId: ofModel, score } of run.results)
      if (ofModel === modelId && score && !leftOut.has(testCaseId))
        passed.set(JSON.stringify([testCaseId, epochOf(run, index)]), hasPassed(score, markOf(testCaseId)))
  }
  return passed
}

/** Pairs the answers of two models by sample and epoch, without the cases that are left out. */
export function pairSamples(
  [before, modelBefore]: readonly [ComparedSide, string],
  [after, modelAfter]: readonly [ComparedSide, string],
  leftOut: ReadonlySet<string> = new Set(),
): PairedSamples {
  const paired: PairedSamples = { shared: 0, both: 0, onlyBefore: 0, onlyAfter: 0, neither: 0 }
  const later = listPassed(after, modelAfter, leftOut)
  for (const [key, isBefore] of listPassed(before, modelBefore, leftOut)) {
    const isAfter = later.get(key)
    if (isAfter === undefined) continue
    paired.shared += 1
    paired[isBefore ? (isAfter ? 'both' : 'onlyBefore') : isAfter ? 'onlyAfter' : 'neither'] += 1
  }
  return paired
}
