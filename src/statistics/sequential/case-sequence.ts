import type { Deciding, WeightedCase } from '../../contract/index.ts'
import { heaviestOf, type CaseUnit } from './drawn-order.ts'
import { createModelDecisions, type ModelDecisions } from './model-decisions.ts'

/** A cell that needs nothing more: it has a score, or it failed or could not be scored. */
interface FinishedCell {
  testCaseId: string
  modelId: string
  score?: number | undefined
}

export interface CaseSequence {
  readonly decisions: ModelDecisions
  /** Records a finished cell; returns true if that completed one or more cases in order. */
  finish(cell: FinishedCell): boolean
}

interface SequenceInput {
  models: readonly string[]
  /** In the drawn order. */
  units: readonly CaseUnit<WeightedCase>[]
  /** How often each model is asked each case. */
  repeats: number
  deciding: Deciding
}

/**
 * Counts cases in their drawn order, whatever the order in which cells finish: a case counts when it, the others of its
 * cluster and all cases before them are complete, with each model's mean over its repeats. Looking at cases as they
 * finish would prefer quick answers.
 */
export function createCaseSequence({ models, units, repeats, deciding }: SequenceInput): CaseSequence {
  const cases = units.flat()
  const decisions = createModelDecisions(models, deciding)
  const rowOf = new Map(cases.map(({ id }, row) => [id, row]))
  const columnOf = new Map(models.map((modelId, column) => [modelId, column]))
  const finished = new Uint16Array(cases.length * models.length)
  const scored = new Uint16Array(cases.length * models.length)
  const sums = new Float64Array(cases.length * models.length)
  const heaviest = heaviestOf(units)
  let counted = 0

  const isComplete = (row: number) => {
    for (const modelId of decisions.asked)
      if (finished[row * models.length + columnOf.get(modelId)!]! < repeats) return false
    return true
  }
  const scoresOf = (row: number) => {
    const scores = new Map<string, number>()
    for (const modelId of decisions.asked) {
      const index = row * models.length + columnOf.get(modelId)!
      if (scored[index]! > 0) scores.set(modelId, sums[index]! / scored[index]!)
    }
    return scores
  }

  return {
    decisions,
    finish({ testCaseId, modelId, score }) {
      const [row, column] = [rowOf.get(testCaseId), columnOf.get(modelId)]
      if (row === undefined || column === undefined) return false
      const index = row * models.length + column
      finished[index]!++
      if (score !== undefined) {
        scored[index]!++
        sums[index]! += score
      }
      const before = decisions.cases
      for (let unit = units[counted]; unit && !decisions.isSettled; unit = units[++counted]) {
        const rows = unit.map((_, place) => decisions.cases + place)
        if (!rows.every(isComplete)) break
        decisions.addCases(
          unit.map(({ weight = 1 }, place) => ({ scores: scoresOf(rows[place]!), weight: weight / heaviest })),
        )
      }
      return decisions.cases > before
    },
  }
}
