import type { ModelComparison, PairedComparison } from '../../../statistics/index.ts'
import type { ReportRow } from '../../model/report-row.ts'
import { describeInterval, formatCost, formatCount, formatDuration, formatP, formatPoints } from '../numbers.ts'
import { joinNames } from '../names.ts'
import type { FirstPlace } from './first-place.ts'
import { describePlan, describeRuledOut, describeVerdictTest, isSequential, TOO_CLOSE } from './verdicts.ts'

/** The difference of a pair, seen from this model: positive if it is ahead. */
function seenFrom(modelId: string, { modelA, paired }: ModelComparison): { mean: number; low: number; high: number } {
  const {
    meanDiff,
    confidence95: [low, high],
  } = paired!
  return modelA === modelId ? { mean: meanDiff, low, high } : { mean: -meanDiff, low: -high, high: -low }
}

/** `a beats all 3 others.` */
function describeWinner(winner: string, others: readonly string[]): string {
  return others.length === 1
    ? `${winner} beats ${others[0]}.`
    : `${winner} beats ${others.length === 2 ? 'both' : `all ${formatCount(others.length)}`} others.`
}

/** `a, b and c are too close to call.` */
function describeTie(leaders: readonly string[], { isEvery }: { isEvery: boolean }): string {
  return `${joinNames(leaders)} are ${TOO_CLOSE}${isEvery ? '' : '; they are ahead of the rest'}.`
}

/** `a leads, but a and c are too close to call.` */
function describeLeadInDoubt(leader: string, others: readonly string[]): string {
  return `${leader} leads, but ${joinNames([leader, ...others])} are ${TOO_CLOSE}.`
}

export const EVERYONE_IS_BEATEN =
  'No clear winner: on the cases that two models share, every model is beaten by another.'

/** How far the first is ahead of the second: `3.4 points ahead of b (95 % CI −0.4 to 7.2)`. */
export function describeMargin(first: string, second: string, comparison: ModelComparison): string | undefined {
  if (!comparison.paired) return undefined
  const { mean, low, high } = seenFrom(first, comparison)
  const { isSignificant, adjustedP, verdictTest } = comparison.paired
  // The test decides; its interval may end on the other side of 0.
  const isTestNamed = (low > 0 || high < 0) !== isSignificant && !isSequential(verdictTest)
  const test = isTestNamed ? `; ${formatP(adjustedP)} by ${describeVerdictTest(verdictTest)}` : ''
  const interval = `95 % CI ${describeInterval({ low, high })}${test}`
  if (mean === 0) return `${first} and ${second} tie (${interval})`
  return `${formatPoints(mean)} ${mean > 0 ? 'ahead of' : 'behind'} ${second} (${interval})`
}

/** Which of the models that share first place is cheapest and which is fastest. */
export function describeBargain(leaders: readonly ReportRow[]): string | undefined {
  const priced = leaders.filter(({ isCostKnown, cost }) => isCostKnown && cost.unknown === 0)
  const timed = leaders.filter(({ medianLatencyMs }) => medianLatencyMs !== undefined)
  const [cheapest] = priced.toSorted((a, b) => a.cost.total - b.cost.total)
  const [fastest] = timed.toSorted((a, b) => a.medianLatencyMs! - b.medianLatencyMs!)
  const isPriceKnown = priced.length === leaders.length && priced.some(({ cost }) => cost.total > cheapest!.cost.total)
  const isTimeKnown = timed.length === leaders.length && leaders.length > 1
  if (isPriceKnown && isTimeKnown && cheapest === fastest)
    return `Of these, ${cheapest!.modelId} is the cheapest (${formatCost(cheapest!.cost.total)}) and the fastest (${formatDuration(fastest!.medianLatencyMs)}).`
  const parts = [
    isPriceKnown && `${cheapest!.modelId} is the cheapest (${formatCost(cheapest!.cost.total)})`,
    isTimeKnown && `${fastest!.modelId} is the fastest (${formatDuration(fastest!.medianLatencyMs)})`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? undefined : `Of these, ${parts.join(' and ')}.`
}

/** What would tell two models apart, as an instruction. */
export function describeMore({ plan, meanDiff, verdictTest }: PairedComparison): string {
  if (isSequential(verdictTest)) return 'Add cases: the suite ended before it was decided.'
  if (plan?.isRuledOut) return `No more data needed: ${describeRuledOut(plan.difference)}.`
  if (plan) return `Add cases. ${describePlan(plan)}.`
  return meanDiff === 0
    ? 'Add harder cases: the models are identical on every case.'
    : 'Add cases: the models differ by the same amount on every case.'
}

/** If no two models in question share a case, or each is beaten by another. */
export const SHARE_CASES = 'Add cases that all models answer.'

/** `2 of 300 cells` */
function ofCells(count: number, cells: number): string {
  return `${formatCount(count)} of ${formatCount(cells, 'cell')}`
}

/** The caveats about cells, each a sentence. */
export const cellCaveats = {
  notRun: (count: number, cells: number) => `${ofCells(count, cells)} ${count === 1 ? 'was' : 'were'} not run.`,
  errors: (count: number, cells: number) =>
    `${ofCells(count, cells)} ended in an error and ${count === 1 ? 'is' : 'are'} excluded from averages.`,
  unscored: (count: number, cells: number) =>
    `${ofCells(count, cells)} could not be scored and ${count === 1 ? 'is' : 'are'} excluded from averages.`,
}

/** What to do next, each a sentence. */
export const nextSteps = {
  wait: (left: number) => `The run is in progress: ${formatCount(left, 'cell')} left.`,
  resume: (left: number, errors: number) =>
    `Resume: it sends the ${formatCount(left, 'cell')} left${errors === 0 ? '' : `, retries ${formatCount(errors, 'error')}`} and keeps the rest.`,
  retry: (errors: number) => `Retry the ${formatCount(errors, 'failed request')}.`,
  calibrate: (judges: readonly string[]) => `Calibrate ${joinNames(judges)} before you rely on these scores.`,
  readReasons: 'Read the reasons of the judges where they disagree before you rely on these scores.',
  rate: (judges: readonly string[]) =>
    `Rate some answers yourself: then the scores of ${joinNames(judges)} can be corrected by what people think.`,
  compare: 'Add a model, or compare it with another run.',
  vote: (cells: number) =>
    `Vote: ${formatCount(cells, 'cell')} ${cells === 1 ? 'has' : 'have'} no score until people compare the answers.`,
  score: 'Score the answers, or rate them yourself.',
  none: 'No more data needed: the difference is larger than chance explains.',
}

/** The verdict in one sentence. */
export function describeHeadline(
  kind: 'winner' | 'tie' | 'alone' | 'none' | 'pending',
  { scored, place: { leader, contenders } }: { scored: readonly ReportRow[]; place: FirstPlace<ReportRow> },
): string {
  const names = scored.map(({ modelId }) => modelId)
  const inQuestion = contenders.map(({ modelId }) => modelId)
  if (kind === 'none') return 'No scores yet.'
  if (kind === 'alone') return `Only ${names[0]} has scores, so there is nothing to compare it with.`
  if (kind === 'pending') return 'Comparing models…'
  if (contenders.length === 0) return EVERYONE_IS_BEATEN
  if (!leader) return describeTie(inQuestion, { isEvery: contenders.length === scored.length })
  return kind === 'winner'
    ? describeWinner(
        leader.modelId,
        names.filter((name) => name !== leader.modelId),
      )
    : describeLeadInDoubt(leader.modelId, inQuestion.slice(1))
}
