import { toScoreTable, InputError, type Scores, type ScoreTable } from '../../contract/index.ts'
import { compareAllModels, type ModelComparison } from '../compare-models.ts'
import { multiRunStats } from '../multi-run-stats.ts'
import { FEWEST_UNITS } from '../tests/verdict-p.ts'
import { meanOf } from '../numbers/weighted-moments.ts'
import { shareScores } from '../shared-scores.ts'
import { costRatio, meanCost, type CostEstimate } from './cost-interval.ts'

interface Ends {
  low: number
  high: number
}

/** A model's cost beside its quality. */
export interface PricedModel {
  modelId: string
  /** Mean score, 0 to 1. */
  score: number
  /** Of one answer, in US dollars; absent if it is not known of every answer. */
  cost?: CostEstimate
  /** How many times as much as the best it costs, on the cases that both have. */
  ofBest?: CostEstimate
  /**
   * Its lead over the best with the interval that their comparison shows, or with the careful one where only that leaves
   * open whether it is good enough; absent for the best itself, and without a margin.
   */
  lead?: Ends & { mean: number }
  /**
   * `yes`: not worse than any other by the margin or more. `no`: worse than another by more than the margin. Absent
   * without a margin.
   */
  goodEnough?: 'yes' | 'no' | 'open'
}

/** What quality costs, and which is the cheapest model that is good enough. */
export interface CostReport {
  /** The difference that does not matter, 0 to 1. */
  margin?: number
  /** The model with the highest mean. */
  best: string
  /** The cheapest that is good enough, the best included; absent without a margin, or if no cost is known. */
  cheapest?: string
  /** Of the models that cost less than that, or of all if there is none: those that may be good enough. The best first. */
  open: string[]
  /** Best score first. */
  models: PricedModel[]
}

export interface CostOptions {
  /** The difference that does not matter, 0 to 1. */
  margin?: number | undefined
  /** All pairs of models, compared with that margin; default: they are compared here. */
  comparisons?: readonly ModelComparison[] | undefined
}

interface CaseCosts {
  costs: number[]
  cluster: string | undefined
}

/**
 * What each model's answers cost, by case with the repeats averaged. Answers from the cache cost nothing now and would
 * cost something next time, so they do not count. A model with an unpriced answer is left out: the rest may be cheaper.
 */
function readCosts({
  cells,
  caseIds,
  clusters,
  clusterIds,
  modelIds,
}: ScoreTable): Map<string, Map<string, CaseCosts>> {
  const byModel = new Map<string, Map<string, CaseCosts>>()
  const unpriced = new Set<string>()
  for (let cell = 0; cell < cells.run.length; cell++) {
    const isAnswered = cells.answered[cell] === 1 || !Number.isNaN(cells.score[cell])
    if (!isAnswered || !Number.isNaN(cells.cachedAt[cell])) continue
    const modelId = modelIds[cells.model[cell]!]!
    const cost = cells.cost[cell]!
    if (Number.isNaN(cost)) unpriced.add(modelId)
    const own = byModel.get(modelId) ?? new Map<string, CaseCosts>()
    byModel.set(modelId, own)
    const index = cells.case[cell]!
    const known = own.get(caseIds[index]!) ?? { costs: [], cluster: clusterIds[clusters[index]!] }
    own.set(caseIds[index]!, known)
    known.costs.push(cost)
  }
  for (const modelId of unpriced) byModel.delete(modelId)
  return byModel
}

const estimateCost = (own: ReadonlyMap<string, CaseCosts>) =>
  meanCost(
    Array.from(own.values(), ({ costs }) => meanOf(costs)),
    Array.from(own.values(), ({ cluster }) => cluster),
  )

function compareCosts(
  own: ReadonlyMap<string, CaseCosts> | undefined,
  best: ReadonlyMap<string, CaseCosts> | undefined,
): CostEstimate | undefined {
  if (!own || !best) return undefined
  const shared = [...own].flatMap(([id, a]) => {
    const b = best.get(id)
    return b ? [{ a: meanOf(a.costs), b: meanOf(b.costs), cluster: a.cluster }] : []
  })
  if (shared.length === 0) return undefined
  return costRatio(
    shared.map(({ a }) => a),
    shared.map(({ b }) => b),
    shared.map(({ cluster }) => cluster),
  )
}

/** With the careful interval. */
interface Lead extends Ends {
  of: string
  over: string
  mean: number
  /** The interval that the comparison shows: of a decided pair another one. */
  shown: Ends
}

const negate = ({ low, high }: Ends): Ends => ({ low: 0 - high, high: 0 - low })

/** Each model's lead over each other, by the careful intervals, which hold for all pairs together. */
function listLeads(comparisons: readonly ModelComparison[]): Lead[] {
  return comparisons.flatMap(({ modelA, modelB, paired }): Lead[] => {
    // Nobody should decide on fewer cases than a verdict needs.
    if (!paired?.equivalence || paired.clusters < FEWEST_UNITS) return []
    const { meanDiff, equivalence: careful, isSignificant, shownInterval } = paired
    const [low, high] = isSignificant ? shownInterval : [careful.low, careful.high]
    const shown = { low, high }
    const { low: least, high: most } = careful
    return [
      { of: modelA, over: modelB, mean: meanDiff, low: least, high: most, shown },
      { of: modelB, over: modelA, mean: 0 - meanDiff, ...negate({ low: least, high: most }), shown: negate(shown) },
    ]
  })
}

/**
 * Which models are not worse than any other by the margin: those of which every comparison says so (an
 * intersection-union test, Berger, Technometrics 24, 1982). The model with the highest mean is tested like any other: it
 * may owe that to luck.
 */
function judgeAll(
  models: readonly string[],
  leads: readonly Lead[],
  margin: number,
): Map<string, PricedModel['goodEnough']> {
  const isWorse = (modelId: string) => leads.some(({ of, high }) => of === modelId && high < -margin)
  // What is not worse than these is not worse than the others, which are worse than one of these.
  const rivals = models.filter((modelId) => !isWorse(modelId))
  const isNotWorse = (modelId: string, rival: string) =>
    rival === modelId || leads.some(({ of, over, low }) => of === modelId && over === rival && low > -margin)
  return new Map(
    models.map((modelId) => [
      modelId,
      isWorse(modelId) ? 'no' : rivals.every((rival) => isNotWorse(modelId, rival)) ? 'yes' : 'open',
    ]),
  )
}

/**
 * What each model's quality costs and, with a margin, the cheapest model that is not worse than the best by more than
 * that. Undefined unless two models have scores and one of them a known cost.
 */
export function compareCostAndQuality(
  given: Scores,
  { margin, comparisons }: CostOptions = {},
): CostReport | undefined {
  if (margin !== undefined && !(margin > 0 && margin <= 1))
    throw new InputError(`margin is ${margin}; it must be more than 0 and at most 1 (5 points are 0.05)`)
  const table = toScoreTable(given)
  const ranked = [...multiRunStats(shareScores(table)?.table ?? table).values()].toSorted(
    (a, b) => b.overCases.mean - a.overCases.mean,
  )
  const [first] = ranked
  const costsOf = readCosts(table)
  if (!first || ranked.length < 2 || !ranked.some(({ modelId }) => costsOf.has(modelId))) return undefined

  const best = first.modelId
  const leads =
    margin === undefined ? [] : listLeads(comparisons ?? compareAllModels(table, undefined, { sameWithin: margin }))
  const ids = ranked.map(({ modelId }) => modelId)
  const judged = margin === undefined ? undefined : judgeAll(ids, leads, margin)
  const models = ranked.map(({ modelId, overCases }): PricedModel => {
    const own = costsOf.get(modelId)
    const cost = own && estimateCost(own)
    const ofBest = modelId === best ? undefined : compareCosts(own, costsOf.get(best))
    const lead = leads.find(({ of, over }) => of === modelId && over === best)
    const goodEnough = judged?.get(modelId)
    const mayReachMargin = ({ low, high }: Ends) => margin !== undefined && low <= -margin && high >= -margin
    const isOpenByCareful = goodEnough === 'open' && lead && mayReachMargin(lead) && !mayReachMargin(lead.shown)
    return {
      modelId,
      score: overCases.mean,
      ...(cost && { cost }),
      ...(ofBest && { ofBest }),
      ...(lead && {
        lead: { mean: lead.mean, ...(isOpenByCareful ? { low: lead.low, high: lead.high } : lead.shown) },
      }),
      ...(judged && { goodEnough }),
    }
  })
  // The better one of two that cost the same comes first: sorting keeps their order.
  const byCost = models.filter(({ cost }) => cost).toSorted((a, b) => a.cost!.mean - b.cost!.mean)
  const cheapest = byCost.find(({ goodEnough }) => goodEnough === 'yes')
  const cheaper = new Set(cheapest ? byCost.slice(0, byCost.indexOf(cheapest)) : byCost)
  return {
    ...(margin !== undefined && { margin }),
    best,
    ...(cheapest && { cheapest: cheapest.modelId }),
    open: models.filter((model) => cheaper.has(model) && model.goodEnough === 'open').map(({ modelId }) => modelId),
    models,
  }
}
