import { selectCells, type ScoreTable } from '../../../contract/index.ts'
import {
  countOrderEffects,
  criterionStats,
  listComparedPairs,
  listSplits,
  measureRankAgreement,
  planNextStep,
  playWithStyle,
  rateModels,
  rateWithStyle,
  type CriterionStats,
  type JudgeSplits,
  type NextStepPlan,
  type OrderEffect,
  type RankAgreement,
  type Rating,
  type StyleControlledRating,
} from '../../../statistics/index.ts'

/** What is known about the judges of a report and about what they judged by. */
export interface JudgingReport {
  /** Answers that the judges of a panel grade very differently. */
  splits?: JudgeSplits
  /** How often a judge of a panel gave no verdict, where the others did. */
  missingJudges: { judgeModelId: string; answers: number }[]
  /** The criteria of rubrics, in the order of the suite. */
  criteria: CriterionStats[]
  /** If answers were compared in pairs. */
  pairwise?: PairwiseReport
  /** What would narrow the interval of the leading pair, or of the only model. */
  nextStep?: NextStepPlan
}

export interface PairwiseReport {
  pairs: number
  cases: number
  order: OrderEffect
  /** Bradley-Terry, cases as clusters; best first. */
  ratings: Rating[]
  /** The same at equal length and formatting; absent if answers do not differ in style. */
  style?: StyleControlledRating
  /** With scores of other cases. */
  agreement?: RankAgreement
}

function countMissingJudges({ missingJudges, judgeIds }: ScoreTable): JudgingReport['missingJudges'] {
  const byJudge = Map.groupBy(missingJudges.judge, (judge) => judgeIds[judge]!)
  return Array.from(byJudge, ([judgeModelId, { length }]) => ({ judgeModelId, answers: length }))
}

function makePairwise(table: ScoreTable): PairwiseReport | undefined {
  const pairs = listComparedPairs(table)
  if (pairs.length === 0) return undefined
  const style = rateWithStyle(playWithStyle(table))
  const agreement = measureRankAgreement(table)
  return {
    pairs: pairs.length,
    cases: new Set(pairs.map(({ testCaseId }) => testCaseId)).size,
    order: countOrderEffects(table),
    ratings: rateModels(selectCells(table, (cell) => table.cells.compared[cell] === 1)),
    ...(style && { style }),
    // Ties everywhere say nothing about the order.
    ...(agreement && Number.isFinite(agreement.tau) && { agreement }),
  }
}

/** `leading`: the models in the order of the leaderboard. */
export function buildJudging(table: ScoreTable, leading: readonly string[]): JudgingReport {
  const [modelA, modelB] = leading
  const splits = listSplits(table)
  const pairwise = makePairwise(table)
  const nextStep =
    modelA === undefined ? undefined : planNextStep(table, { modelA, ...(modelB !== undefined && { modelB }) })
  return {
    ...(splits && { splits }),
    missingJudges: countMissingJudges(table),
    criteria: criterionStats(table),
    ...(pairwise && { pairwise }),
    ...(nextStep && { nextStep }),
  }
}
