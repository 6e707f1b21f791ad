import type { HeadToHead, RankedModel, Rankings, WeighSuites } from '../../../statistics/index.ts'
import type { RankedModel as ArenaModel } from '../../model/arena/arena-ranking.ts'
import { joinNames, joinWords } from '../names.ts'
import { describeInterval, formatCount, formatPoints, formatRating, formatScore } from '../numbers.ts'
import { describeVerdict } from './pairs/pair-verdict.ts'
import { BEATS, describeCases, explainIntervals, TOO_CLOSE } from './verdicts.ts'

/** `1,010 to 1,094` */
export function formatRatingBounds({ low, high }: Pick<RankedModel, 'low' | 'high'>): string {
  return `${formatRating(low)} to ${formatRating(high)}`
}

/** `1,052 (1,010 to 1,094)` */
export function formatRatingInterval(model: Pick<RankedModel, 'rating' | 'low' | 'high'>): string {
  return `${formatRating(model.rating)} (${formatRatingBounds(model)})`
}

/** `12–3–5 of 20: 67.5 (45.7 to 84.5)`: won, tied and lost, then the share of points. */
export function describeHeadToHead({ wins, ties, losses, n, share }: HeadToHead): string {
  if (!share) return 'never met'
  return `${formatCount(wins)}–${formatCount(ties)}–${formatCount(losses)} of ${formatCount(n)}: ${formatScore(share.mean)} % (${describeInterval(share)})`
}

/** The same pair seen from the other side. */
export function reverseHeadToHead({ share, wins, losses, modelA, modelB, ...rest }: HeadToHead): HeadToHead {
  return {
    ...rest,
    modelA: modelB,
    modelB: modelA,
    wins: losses,
    losses: wins,
    ...(share && { share: { mean: 1 - share.mean, low: 1 - share.high, high: 1 - share.low } }),
  }
}

/** `15 of 21 pairs differ; the other 6 are too close to call.` */
export function summariseRankingVerdicts({ pairs }: Pick<Rankings, 'pairs'>): string {
  const met = pairs.filter(({ comparison }) => comparison?.paired)
  const real = met.filter(({ comparison }) => comparison!.paired!.isSignificant).length
  const rest = met.length - real
  if (rest === 0) return `All ${formatCount(met.length, 'pair')} differ.`
  if (real === 0) return `${formatCount(met.length, 'pair is', 'pairs are')} ${TOO_CLOSE}.`
  return `${formatCount(real)} of ${formatCount(met.length, 'pair')} ${real === 1 ? 'differs' : 'differ'}; the other${rest === 1 ? ' is' : ` ${formatCount(rest)} are`} ${TOO_CLOSE}.`
}

/** Which differences are real, the pairs that are first. */
export function listRankingVerdicts({ pairs }: Rankings): string[] {
  const met = pairs.filter(({ comparison }) => comparison)
  return met
    .toSorted((a, b) => Number(b.comparison!.paired!.isSignificant) - Number(a.comparison!.paired!.isSignificant))
    .map(({ comparison }) => describeVerdict(comparison!))
}

/** More pairs than this are listed under the verdicts. */
const MAX_DISAGREEMENTS = 3

/**
 * Which models have the lower rating though their scores are higher: ratings count won cases, ranks and verdicts the size
 * of the differences.
 */
function explainDisagreement({ models, pairs }: Pick<Rankings, 'models' | 'pairs'>): string | undefined {
  const ratingOf = new Map(models.map(({ modelId, rating }) => [modelId, rating]))
  const parts = pairs.flatMap(({ modelA, modelB, wins, losses, comparison }) => {
    const paired = comparison?.paired
    const [ratingA, ratingB] = [ratingOf.get(modelA), ratingOf.get(modelB)]
    if (!paired || ratingA === undefined || ratingB === undefined) return []
    const difference = comparison.modelA === modelA ? paired.meanDiff : -paired.meanDiff
    if ((ratingA - ratingB) * difference >= 0) return []
    const isAHigher = ratingA > ratingB
    const [higher, lower] = isAHigher ? [modelA, modelB] : [modelB, modelA]
    const [won, lost] = isAHigher ? [wins, losses] : [losses, wins]
    const gap = formatPoints(difference)
    const size = paired.isSignificant
      ? `${lower} ${BEATS} it by ${gap} on average`
      : `${lower} scores ${gap} more on average`
    if (won > lost)
      return `${higher} is rated above ${lower} because it wins more of their cases (${formatCount(won)} to ${formatCount(lost)}), but its losses are larger: ${size}`
    return `${higher} is rated above ${lower} because of its games against other models: ${size}`
  })
  if (parts.length === 0) return undefined
  const rest = parts.length - MAX_DISAGREEMENTS
  const more = rest > 0 ? ` The same holds for ${formatCount(rest, 'more pair')}.` : ''
  return `Ratings count won cases; ranks and verdicts, the size of the differences. ${parts.slice(0, MAX_DISAGREEMENTS).join('. ')}.${more}`
}

/** Above the ratings of several groups. */
export const RATED_APART = 'No case links these groups: each has ratings and ranks of its own.'

/** What to know before reading the ratings. */
export function listRankingNotes(rankings: Rankings & { older: number }, weigh: WeighSuites): string[] {
  const { suites, groups, pairs, leftOut, older } = rankings
  const explained = [
    explainDisagreement(rankings),
    explainIntervals(pairs.flatMap(({ comparison }) => comparison ?? [])),
  ].filter((note) => note !== undefined)
  const sum = (counted: 'cases' | 'clusters') => suites.reduce((total, suite) => total + suite[counted], 0)
  const isTogether = (a: string, b: string) => groups.some((group) => group.includes(a) && group.includes(b))
  const strangers = pairs.filter(({ n, modelA, modelB }) => n === 0 && isTogether(modelA, modelB)).length
  return [
    `${formatCount(suites.length, 'suite')}, ${describeCases({ n: sum('cases'), clusters: sum('clusters') })}; ${weigh === 'suites' ? 'equal weight per suite' : 'suites weighted by their number of cases'}.`,
    'Two models meet once on each case, with the mean over their runs; 400 rating points are odds of 10 to 1.',
    ...explained,
    ...(groups.length > 1
      ? [
          `No case links these groups, so each has ratings and ranks of its own: ${groups.map((group) => joinWords(group)).join(' | ')}.`,
        ]
      : []),
    ...(strangers > 0
      ? [`${formatCount(strangers, 'pair')} never met on a case; their ratings are compared through others.`]
      : []),
    ...(leftOut > 0
      ? [`${formatCount(leftOut, 'run')} that may stop early left out: stopping favours whoever was ahead.`]
      : []),
    ...(older > 0 ? [`${formatCount(older, 'older run')} not counted.`] : []),
  ]
}

/** What ranks models of the Code Arena: votes of people, or pairs of judged pages. */
export type ArenaGames = 'votes' | 'judgements'

/** Which model of the Code Arena leads, and whether that is settled. `models` is sorted, best first. */
export function describeArenaLead(models: readonly ArenaModel[], games: ArenaGames): string {
  const leads = groupModels(models).map((group) => describeLead(group, games))
  return [describeArenaGroups(models), ...leads].filter((text) => text !== undefined).join(' ')
}

const groupModels = (models: readonly ArenaModel[]) => [...Map.groupBy(models, ({ group }) => group).values()]

/** Which models were never compared with which; undefined if all were. */
export function describeArenaGroups(models: readonly ArenaModel[]): string | undefined {
  const groups = groupModels(models)
  if (groups.length < 2) return undefined
  const names = groups.map((group) => joinNames(group.map(({ modelId }) => modelId)))
  return `${names.join('; ')}: these groups were never compared, not even through others, so each has ratings and places of its own.`
}

function describeLead(models: readonly ArenaModel[], games: ArenaGames): string {
  const [first, second] = models
  if (!first || !second) return ''
  const points = Math.round(first.rating - second.rating)
  if (first.low > second.high)
    return `${first.modelId} is ahead of ${second.modelId} by ${points} points, and their intervals do not overlap.`
  return `${first.modelId} leads ${second.modelId} by ${points} points, but their intervals overlap, so it is not settled yet. More ${games === 'votes' ? 'votes' : 'runs'} will narrow them.`
}
