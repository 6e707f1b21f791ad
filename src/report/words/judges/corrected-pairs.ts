import type { CorrectedPair, PeopleRatings } from '../../../statistics/index.ts'
import { describeInterval, formatCount, formatDifference, formatPoints } from '../numbers.ts'
import { describeBetween } from '../verdicts/pairs/between.ts'
import { TOO_CLOSE } from '../verdicts/verdicts.ts'
import { FEWEST_RATED, ratingsAlone } from './ratings.ts'

type EstimatedPair = CorrectedPair & { estimate: NonNullable<CorrectedPair['estimate']> }

const hasEstimate = (pair: CorrectedPair): pair is EstimatedPair => pair.estimate !== undefined

/** As seen from the model that is ahead. */
const turn = ([low, high]: readonly [number, number], isTurned: boolean) =>
  isTurned ? { low: 0 - high, high: 0 - low } : { low, high }

/** `the judge leans 7.0 points towards a (4.9 to 9.1)` */
function describeLeaning(
  { modelA, modelB, estimate: { leaning, leaningInterval } }: EstimatedPair,
  judges: number,
): string {
  if (leaning === undefined || leaningInterval === undefined) return ''
  const [who, leans] =
    judges === 0 ? ['the scores', 'lean'] : judges === 1 ? ['the judge', 'leans'] : ['the judges', 'lean']
  const [low, high] = leaningInterval
  if (low <= 0 && high >= 0)
    return `; ${who} ${leans} towards neither as far as these ratings show (${describeBetween({ modelA, modelB }, leaningInterval)})`
  const interval = describeInterval(turn(leaningInterval, leaning < 0))
  return `; ${who} ${leans} ${formatPoints(leaning)} towards ${leaning > 0 ? modelA : modelB} (${interval})`
}

/** Why the scores of the other cases are not used. */
function describeAlone({ judge, ratedCases, cases }: EstimatedPair): string {
  if (judge === undefined) return ratingsAlone.noScores
  if (ratedCases < FEWEST_RATED) return ratingsAlone.few
  return cases - ratedCases < 2
    ? ratingsAlone.suffice
    : 'the ratings alone: with weights and groups of cases they are worth fewer than 30 cases'
}

function describePair(pair: EstimatedPair, judges: number): string {
  const { modelA, modelB, estimate, ratedCases, cases } = pair
  const { mean, low, high, method } = estimate
  const isDecided = low > 0 || high < 0
  const [ahead, behind] = mean > 0 ? [modelA, modelB] : [modelB, modelA]
  const lead = isDecided
    ? `As people would score them, ${ahead} is ${formatPoints(mean)} ahead of ${behind} (${describeInterval(turn([low, high], mean < 0))}`
    : `As people would score them, ${modelA} and ${modelB} are ${TOO_CLOSE} (${describeBetween(pair, [low, high])}`
  const basis = method === 'rated-only' ? `, ${describeAlone(pair)}` : ''
  return `${lead}; both answers rated on ${formatCount(ratedCases)} of ${formatCount(cases, 'case')}${basis})${describeLeaning(pair, judges)}.`
}

/** `By category, a ahead of b by: algebra +5.0 (−1.0 to 11.0), code −2.0 (−8.0 to 4.0).` */
function describeGroups({ modelA, modelB, groups = [] }: EstimatedPair): string[] {
  if (groups.length === 0) return []
  const each = groups.map(
    ({ category, estimate }) => `${category} ${formatDifference(estimate.mean)} (${describeInterval(estimate)})`,
  )
  return [`${modelA} less ${modelB} by category, as people would score them: ${each.join(', ')}.`]
}

/** How far models are apart as people would score them, one sentence a line; what it takes where that is not known. */
export function listCorrectedPairs({ pairs, models, judges }: PeopleRatings): string[] {
  const estimated = pairs.filter(hasEstimate)
  if (models.filter(({ ratedCases }) => ratedCases > 0).length < 2) return []
  if (estimated.length === 0) {
    const most = Math.max(0, ...pairs.map(({ ratedCases }) => ratedCases))
    return [
      `How far models are apart is not corrected yet: ${most === 0 ? 'no case has' : `at most ${formatCount(most, 'case has', 'cases have')}`} rated answers of both, and 10 are needed. Sample the same cases for all models.`,
    ]
  }
  return [
    ...estimated.flatMap((pair) => [describePair(pair, judges.length), ...describeGroups(pair)]),
    ...(estimated.length > 1
      ? [`The intervals of these differences hold for all ${formatCount(estimated.length)} pairs together (95 %).`]
      : []),
  ]
}
