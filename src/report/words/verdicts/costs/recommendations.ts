import type { ModelComparison } from '../../../../statistics/index.ts'
import type { ReportRow } from '../../../model/standings/report-row.ts'
import { joinNames } from '../../names.ts'
import { formatCost, formatDuration, formatPercent, formatScore } from '../../numbers.ts'
import { describeEverythingFails } from '../failures/everything-fails.ts'
import { findFirstPlace } from '../first-place.ts'
import { describeGap, describeGapEnds } from '../pairs/gap.ts'

/** Which model to take for what. */
export interface Recommendation {
  title: 'Best answers' | 'Best value' | 'Cheapest' | 'Fastest'
  text: string
}

type Scored = ReportRow & { score: NonNullable<ReportRow['score']> }

/** A model must cost less than this share of the best to be worth fewer points. */
const CHEAPER = 0.8
/** Further behind the best, a cheaper model is no longer good value, 0 to 1. */
const NEAR = 0.1
/** The same of one that may be as good, as far as few cases can tell. */
const MAX_BEHIND = 0.2

/** What 1,000 answers cost: of a model whose answers all have a price and were all paid for in these runs. */
export function findUnitCost({
  cost,
  isCostKnown,
  cached,
  own,
  score,
  unscored,
}: Pick<ReportRow, 'cost' | 'isCostKnown' | 'cached' | 'own' | 'score' | 'unscored'>): number | undefined {
  const answers = ((own ?? score)?.count ?? 0) + unscored
  if (!isCostKnown || cost.unknown > 0 || (cached?.count ?? 0) > 0 || answers === 0) return undefined
  return (cost.total / answers) * 1000
}

function describeFigures({ modelId, score, ...row }: Scored): string {
  const unitCost = findUnitCost({ ...row, score })
  const price =
    unitCost === undefined ? '' : `, ${unitCost === 0 ? 'free' : `${formatCost(unitCost)} for 1,000 answers`}`
  return `${modelId}: ${formatScore(score.mean)} points${price}`
}

/** `17 % of the cost of a` */
function describeShare(row: Scored, best: Scored): string {
  const share = findUnitCost(row)! / findUnitCost(best)!
  const percent = share < 0.01 ? 'less than 1 %' : formatPercent(share, 0)
  return `${percent} of the cost of ${best.modelId}`
}

/** Which model to take for the best answers, for its price and for its speed: at most three, each another model. */
export function listRecommendations(
  rows: readonly ReportRow[],
  comparisons: readonly ModelComparison[],
): Recommendation[] {
  const ranked = rows.filter((row): row is Scored => row.score !== undefined && !row.isLeftOut)
  const [best] = ranked
  if (!best || ranked.length < 2 || describeEverythingFails(rows) !== undefined) return []
  const { contenders, isWon } = findFirstPlace(ranked, comparisons)
  const rivals = contenders.filter((row) => row !== best).map(({ modelId }) => modelId)
  const doubt = isWon || rivals.length === 0 ? '' : ` ${joinNames(rivals)} may be as good.`
  const chosen: Recommendation[] = [{ title: 'Best answers', text: `${describeFigures(best)}.${doubt}` }]
  const named = new Set([best.modelId])

  const priced = ranked.filter((row) => findUnitCost(row) !== undefined)
  const bestCost = findUnitCost(best)
  const value =
    bestCost === undefined
      ? undefined
      : priced.find(
          (row) =>
            row !== best &&
            findUnitCost(row)! < CHEAPER * bestCost &&
            best.score.mean - row.score.mean <= (contenders.includes(row) ? MAX_BEHIND : NEAR),
        )
  if (value) {
    const gap = value.behind && ` ${describeGap(value.behind)} behind (95 % CI ${describeGapEnds(value.behind)}).`
    chosen.push({
      title: 'Best value',
      text: `${describeFigures(value)}, ${describeShare(value, best)}.${gap ?? ''}`,
    })
    named.add(value.modelId)
  }
  const cheapest = priced.toSorted((a, b) => findUnitCost(a)! - findUnitCost(b)!)[0]
  if (cheapest && priced.length === ranked.length && !named.has(cheapest.modelId)) {
    const share = value || bestCost === undefined ? '' : `, ${describeShare(cheapest, best)}`
    chosen.push({ title: 'Cheapest', text: `${describeFigures(cheapest)}${share}.` })
    named.add(cheapest.modelId)
  }
  const timed = ranked.filter(({ medianLatencyMs, isSimulated }) => medianLatencyMs !== undefined && !isSimulated)
  const fastest = timed.toSorted((a, b) => a.medianLatencyMs! - b.medianLatencyMs!)[0]
  if (chosen.length < 3 && fastest && timed.length === ranked.length && !named.has(fastest.modelId))
    chosen.push({
      title: 'Fastest',
      text: `${fastest.modelId}: ${formatScore(fastest.score.mean)} points, ${formatDuration(fastest.medianLatencyMs)} an answer.`,
    })
  return chosen
}
