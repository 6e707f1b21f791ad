import { decidingOf, type CellResult, type Deciding, type RunResult, type TestCase } from '../../contract/index.ts'
import { createCaseSequence } from './case-sequence.ts'
import { drawOrder } from './drawn-order.ts'
import type { ModelDecisions } from './model-decisions.ts'

interface ReplayedDecisions {
  deciding: Deciding
  decisions: ModelDecisions
  /** In the drawn order. */
  cases: readonly TestCase[]
}

/** A cell that was not run, or whose request was cancelled. */
function isOpenCell({ outcome, score, unscored }: Pick<CellResult, 'outcome' | 'score' | 'unscored'>): boolean {
  return !score && !unscored && outcome === 'cancelled'
}

/**
 * What the runs of one request decided, from their stored results alone: the same as when they were made. Undefined
 * unless they decide and all of them are given.
 */
export function replayDecisions(runs: readonly RunResult[]): ReplayedDecisions | undefined {
  const [first] = runs
  const { request, testSuiteSnapshot: suite, models = [] } = first ?? {}
  const deciding = request && decidingOf(request)
  if (!deciding || !suite || request.orderSeed === undefined || runs.length !== request.repeat) return undefined
  if (runs.some((run) => run.request?.orderSeed !== request.orderSeed)) return undefined
  const cases = drawOrder(suite.testCases, request.orderSeed)
  const { decisions, finish } = createCaseSequence({ models, cases, repeats: runs.length, deciding })
  for (const { results } of runs)
    for (const result of results) if (!isOpenCell(result)) finish({ ...result, score: result.score?.score })
  return { deciding, decisions, cases }
}
