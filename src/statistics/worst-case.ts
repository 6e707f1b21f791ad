import { NO_SCORING, type ScoreTable } from '../contract/index.ts'
import { comparePaired, type ComparisonOptions, type UnadjustedComparison } from './paired-comparison.ts'
import type { RepeatsByCase } from './run-scores.ts'

/** The answers without a score of one model, by case; what the suite does not score is no gap. */
export type GapsByCase = Map<string, { weight: number; cluster: string | undefined; count: number }>

export function readGaps({
  cells,
  caseIds,
  clusters,
  clusterIds,
  modelIds,
  reasons,
}: ScoreTable): Map<string, GapsByCase> {
  const byModel = new Map<string, GapsByCase>()
  for (let cell = 0; cell < cells.run.length; cell++) {
    if (!Number.isNaN(cells.score[cell]!) || reasons[cells.reason[cell]!] === NO_SCORING) continue
    const modelId = modelIds[cells.model[cell]!]!
    const gaps: GapsByCase = byModel.get(modelId) ?? new Map()
    byModel.set(modelId, gaps)
    const index = cells.case[cell]!
    const [id, cluster] = [caseIds[index]!, clusterIds[clusters[index]!]]
    gaps.set(id, { weight: cells.weight[cell]!, cluster, count: (gaps.get(id)?.count ?? 0) + 1 })
  }
  return byModel
}

/** A model's scores, and what has none. */
interface Answers {
  repeats: RepeatsByCase
  gaps: GapsByCase
}

/** Every case that either model was given, with what this one lacks of it at `score`. */
function fillGaps({ repeats, gaps }: Answers, other: Answers, score: number): RepeatsByCase {
  const filled: RepeatsByCase = new Map(repeats)
  const fill = (testCaseId: string, count: number, from: { weight: number; cluster?: string | undefined }) => {
    const { weight, cluster, scores } = filled.get(testCaseId) ?? { ...from, scores: [] }
    filled.set(testCaseId, { testCaseId, weight, cluster, scores: [...scores, ...Array<number>(count).fill(score)] })
  }
  for (const [id, gap] of gaps) fill(id, gap.count, gap)
  for (const [id, given] of [...other.repeats, ...other.gaps]) if (!filled.has(id)) fill(id, 1, given)
  return filled
}

const lacksAny = (side: Answers, other: Answers) =>
  side.gaps.size > 0 || [...other.repeats.keys()].some((id) => !side.repeats.has(id))

/**
 * The comparison if all that the better model lacks scored 0, and all that the other lacks 1. Undefined if neither lacks a score,
 * or the cases were chosen by what they showed.
 */
export function planWorst(
  [a, b]: readonly [Answers, Answers],
  unadjusted: UnadjustedComparison | undefined,
  options: ComparisonOptions,
): (() => UnadjustedComparison | undefined) | undefined {
  const isChosen = (options.orders ?? []).length > 0 || options.countedCases !== undefined
  if (!unadjusted || isChosen || !(lacksAny(a, b) || lacksAny(b, a))) return undefined
  const isAhead = unadjusted.meanDiff > 0
  return () => comparePaired(fillGaps(a, b, isAhead ? 0 : 1), fillGaps(b, a, isAhead ? 1 : 0), options)
}
