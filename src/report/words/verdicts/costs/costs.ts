import type { CostReport, PricedModel } from '../../../../statistics/index.ts'
import { writePercent } from '../../../../contract/index.ts'
import { joinNames } from '../../names.ts'
import { describeInterval, formatCost, formatMargin, formatStatistic } from '../../numbers.ts'

/** Answers that a price is named for: that of one has too many zeros. */
const PRICED_ANSWERS = 1000

/** `31 %`, `3.1 %` */
function formatShare(share: number): string {
  return writePercent(share, share < 0.0995 ? 1 : 0)
}

/** `28 to 35 %`, or `28.0 to 35.0 %` of small shares. */
function describeShares({ low, high }: { low: number; high: number }): string {
  return `${formatShare(low).replace(/ %$/, '')} to ${formatShare(high)}`
}

/** For 1,000 answers: `$2.28` */
export function formatThousand(cost: number): string {
  return formatCost(cost * PRICED_ANSWERS)
}

/** `6.0 × b`: how many times as much one model costs as another. */
export function formatTimes(times: number, than: string): string {
  return `${formatStatistic(times, times < 9.95 ? 1 : 0)} × ${than}`
}

const find = ({ models }: CostReport, modelId: string) => models.find((model) => model.modelId === modelId)

/** `b costs 31 % of a`, `b costs $0.12 for 1,000 answers` where no share can be given. */
function describeShare({ modelId, cost, ofBest }: PricedModel, best: string): string {
  if (ofBest && ofBest.mean < 1) return `${modelId} costs ${formatShare(ofBest.mean)} of ${best}`
  return cost ? `${modelId} costs ${formatThousand(cost.mean)} for 1,000 answers` : `the cost of ${modelId} is unknown`
}

/** ` (95 % CI: cost 28 to 35 %, difference −0.7 to 1.8 points)` */
function describeIntervals({ ofBest, lead }: PricedModel): string {
  const cost =
    ofBest && ofBest.mean < 1 && ofBest.low !== undefined && ofBest.high !== undefined
      ? `cost ${describeShares({ low: ofBest.low, high: ofBest.high })}`
      : undefined
  const parts = [cost, lead && `difference ${describeInterval(lead)} points`].filter((part) => part !== undefined)
  return parts.length === 0 ? '' : ` (95 % CI: ${parts.join(', ')})`
}

function describeNamed(costs: CostReport, named: PricedModel, margin: string): string {
  const { best, models, open } = costs
  const isCheapest = models.every(({ cost }) => !cost || cost.mean >= named.cost!.mean)
  if (named.modelId !== best)
    return `${describeShare(named, best)} and is not worse by more than ${margin}${describeIntervals(named)}.`
  if (isCheapest) return `${best} is both the best and the cheapest.`
  const cheaper = models.filter(({ cost }) => cost && cost.mean < named.cost!.mean)
  if (open.length === 0)
    return cheaper.length === 1
      ? `${best} is worth its price: ${cheaper[0]!.modelId} is worse by more than ${margin}${describeIntervals(cheaper[0]!)}.`
      : `${best} is worth its price: every cheaper model is worse by more than ${margin}.`
  return describeOpen(find(costs, open[0]!)!, best, margin)
}

/** `b costs 31 % of a, but may be worse by more than 2 points (95 % CI: …).` */
const describeOpen = (model: PricedModel, best: string, margin: string) =>
  `${describeShare(model, best)}, but may be worse by more than ${margin}${describeIntervals(model)}.`

/**
 * Which is the cheapest model that is good enough, in one sentence with both intervals: `b costs 31 % of a and is not
 * worse by more than 2 points (95 % CI: cost 28 to 35 %, difference −0.7 to 1.8 points).` Undefined without a margin.
 */
export function describeGoodEnough(costs: CostReport | undefined): string | undefined {
  if (costs?.margin === undefined) return undefined
  const margin = formatMargin(costs.margin)
  const named = costs.cheapest === undefined ? undefined : find(costs, costs.cheapest)
  // Of models that cost the same none is the cheapest.
  const areAllEqual = costs.models.every(({ cost }) => cost?.mean === named?.cost?.mean)
  if (named && areAllEqual && costs.models.length > 1) return undefined
  if (named) return describeNamed(costs, named, margin)
  const first = costs.open.find((modelId) => modelId !== costs.best) ?? costs.open[0]
  const open = first === undefined ? undefined : find(costs, first)
  if (open && open.modelId !== costs.best) return describeOpen(open, costs.best, margin)
  if (open)
    return `${costs.best} scores highest and costs least, but may be worse than another model by more than ${margin}.`
  return `No model with a known cost is shown to be good enough, within ${margin} of the best.`
}

/** Cheaper models that more cases may show to be good enough, or nothing to add. */
export function describeStillOpen(costs: CostReport | undefined): string | undefined {
  if (costs?.margin === undefined || costs.open.length === 0) return undefined
  const isNamed = costs.cheapest !== undefined && costs.cheapest !== costs.best
  const others = costs.open.filter((modelId) => modelId !== costs.best)
  const rest = isNamed ? others : others.slice(1)
  if (rest.length === 0) return undefined
  return `More cases would show whether ${joinNames(rest)}, ${rest.length === 1 ? 'which costs' : 'which cost'} less, ${rest.length === 1 ? 'is' : 'are'} good enough.`
}

/** What to do about the price: `Use b instead of a, at $2.28 for 1,000 answers.` */
export function describeSwitch({ best, cheapest, ...rest }: CostReport): string | undefined {
  const named = cheapest === undefined ? undefined : find({ best, ...rest }, cheapest)
  if (!named?.cost || named.modelId === best) return undefined
  return `Use ${named.modelId} instead of ${best}, at ${formatThousand(named.cost.mean)} for 1,000 answers.`
}
