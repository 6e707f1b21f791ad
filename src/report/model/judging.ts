import type { RunResult } from '../../contract/index.ts'
import {
  countOrderEffects,
  criterionStats,
  listComparedPairs,
  listSplits,
  measureRankAgreement,
  planNextPurchase,
  playWithStyle,
  rateModels,
  rateWithStyle,
  type CriterionStats,
  type JudgeSplits,
  type NextPurchase,
  type OrderEffect,
  type RankAgreement,
  type Rating,
  type StyleControlledRating,
} from '../../statistics/index.ts'

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
  nextPurchase?: NextPurchase
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

function countMissingJudges(runs: readonly RunResult[]): JudgingReport['missingJudges'] {
  const counts = new Map<string, number>()
  for (const { results } of runs)
    for (const { score } of results)
      for (const { judgeModelId } of score?.missingJudges ?? [])
        counts.set(judgeModelId, (counts.get(judgeModelId) ?? 0) + 1)
  return Array.from(counts, ([judgeModelId, answers]) => ({ judgeModelId, answers }))
}

function describePairwise(runs: readonly RunResult[]): PairwiseReport | undefined {
  const pairs = listComparedPairs(runs)
  if (pairs.length === 0) return undefined
  const style = rateWithStyle(playWithStyle(runs))
  const agreement = measureRankAgreement(runs)
  return {
    pairs: pairs.length,
    cases: new Set(pairs.map(({ testCaseId }) => testCaseId)).size,
    order: countOrderEffects(runs),
    ratings: rateModels(
      runs.map((run) => ({ ...run, results: run.results.filter(({ score }) => score?.comparisons) })),
    ),
    ...(style && { style }),
    // Ties everywhere say nothing about the order.
    ...(agreement && Number.isFinite(agreement.tau) && { agreement }),
  }
}

/** `leading`: the models in the order of the leaderboard. */
export function buildJudging(runs: readonly RunResult[], leading: readonly string[]): JudgingReport {
  const [modelA, modelB] = leading
  const splits = listSplits(runs)
  const pairwise = describePairwise(runs)
  const nextPurchase =
    modelA === undefined ? undefined : planNextPurchase(runs, { modelA, ...(modelB !== undefined && { modelB }) })
  return {
    ...(splits && { splits }),
    missingJudges: countMissingJudges(runs),
    criteria: criterionStats(runs),
    ...(pairwise && { pairwise }),
    ...(nextPurchase && { nextPurchase }),
  }
}
