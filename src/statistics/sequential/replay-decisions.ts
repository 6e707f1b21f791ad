import { decidingOf, isNotRun, toScoreTable, type Deciding, type Scores } from '../../contract/index.ts'
import { createCaseSequence } from './case-sequence.ts'
import { drawUnits, listSuiteCases } from './drawn-order.ts'
import type { ModelDecisions } from './model-decisions.ts'

interface ReplayedDecisions {
  deciding: Deciding
  decisions: ModelDecisions
  /** In the drawn order. */
  cases: readonly { id: string }[]
}

/**
 * What the runs of one request decided, from their stored results alone: the same as when they were made. Undefined
 * unless they decide and all of them are given.
 */
export function replayDecisions(given: Scores): ReplayedDecisions | undefined {
  const table = toScoreTable(given)
  const { runs, cells, caseIds, modelIds } = table
  const { request, suite, models = [] } = runs[0] ?? {}
  const deciding = request && decidingOf(request)
  if (!deciding || !suite || request.orderSeed === undefined || runs.length !== request.repeat) return undefined
  if (runs.some((run) => run.request?.orderSeed !== request.orderSeed)) return undefined
  const units = drawUnits(listSuiteCases(table, suite), request.orderSeed)
  const { decisions, finish } = createCaseSequence({ models, units, repeats: runs.length, deciding })
  for (let cell = 0; cell < cells.run.length; cell++) {
    if (isNotRun(table, cell)) continue
    const score = cells.score[cell]!
    finish({
      testCaseId: caseIds[cells.case[cell]!]!,
      modelId: modelIds[cells.model[cell]!]!,
      ...(!Number.isNaN(score) && { score }),
    })
  }
  return { deciding, decisions, cases: units.flat() }
}
