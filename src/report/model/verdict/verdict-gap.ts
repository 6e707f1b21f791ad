import { clamp } from '../../../contract/index.ts'
import type { ModelComparison } from '../../../statistics/index.ts'
import { findVerdictPair } from '../../words/verdicts/first-place.ts'
import { seeGap, type Gap } from '../../words/verdicts/pairs/gap.ts'
import { isGapTooSmall } from '../../words/verdicts/verdicts.ts'
import type { ReportRow } from '../standings/report-row.ts'

/** How far one of the two models that the verdict is about is ahead, to be drawn against 0. From −1 to 1. */
export interface VerdictGap {
  ahead: string
  behind: string
  mean: number
  low: number
  high: number
  /** Within which they are practically the same, if a margin was chosen. */
  margin?: number
  isSignificant: boolean
  /** The interval with more cases, if the gap stays as it is; the last number would detect it with 80 % power. */
  forecast: GapForecast[]
}

interface GapForecast {
  /** All of them, with those there are. */
  cases: number
  low: number
  high: number
}

/** Below this, the line of a forecast would be as long as the one above it. */
const LEAST_GROWTH = 1.3

/** A standard error goes with 1/√n, and so does half of the interval around a gap that stays as it is. */
function narrow({ mean, low, high }: Gap, times: number) {
  return { low: mean - (mean - low) / Math.sqrt(times), high: mean + (high - mean) / Math.sqrt(times) }
}

function forecastGap(gap: Gap, { paired }: ModelComparison): GapForecast[] {
  if (!paired?.plan || ![gap.low, gap.high].every(Number.isFinite)) return []
  const { plan, n, isSignificant } = paired
  if (isSignificant || plan.isTooSmall || plan.isChosen || plan.isRuledOut || plan.areJudgesTooFew) return []
  if (isGapTooSmall(plan) || !Number.isFinite(plan.moreCases)) return []
  const enough = n + Number(plan.moreCases.toPrecision(2))
  const steps = [2 * n, 4 * n].filter((cases) => cases * LEAST_GROWTH <= enough)
  return [...steps, enough].map((cases) => ({ cases, ...narrow(gap, cases / n) }))
}

/** Undefined if no two models share a case with a score. Rows are in the order of the leaderboard. */
export function findVerdictGap(
  rows: readonly ReportRow[],
  comparisons: readonly ModelComparison[],
): VerdictGap | undefined {
  const pair = findVerdictPair(rows, comparisons)
  if (!pair?.paired) return undefined
  const { modelA, modelB, paired } = pair
  const { meanDiff, equivalence, isSignificant } = paired
  const first = rows.find(({ modelId }) => modelId === modelA || modelId === modelB)?.modelId
  const isA = isSignificant ? meanDiff > 0 : first === modelA
  const gap = seeGap(isA ? modelA : modelB, { modelA, paired })
  return {
    ahead: isA ? modelA : modelB,
    behind: isA ? modelB : modelA,
    mean: gap.mean,
    low: clamp(gap.low, -1),
    high: clamp(gap.high, -1),
    ...(equivalence && { margin: equivalence.margin }),
    isSignificant,
    forecast: forecastGap(gap, pair),
  }
}
