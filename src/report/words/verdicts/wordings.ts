import type { WordingPair, WordingReport } from '../../model/contestants/wording-report.ts'
import { describeInterval, formatCount, formatPercent, formatPoints, formatScore } from '../numbers.ts'
import { BEATS, TOO_CLOSE } from './verdicts.ts'

export const WORDINGS_TITLE = 'Whatever the wording'

/** In which wording the model that is ahead is ahead least, or behind. */
function describeWorstGap({ modelA, modelB, gaps, mean }: WordingPair): string {
  const sign = mean < 0 ? -1 : 1
  const [ahead, behind] = sign > 0 ? [modelA, modelB] : [modelB, modelA]
  const worst = gaps.toSorted((a, b) => sign * (a.gap - b.gap))[0]!
  const own = sign * worst.gap
  if (own >= 0) return `; least in “${worst.wording}” (${formatPoints(own)})`
  return `; in “${worst.wording}” ${behind} is ahead of ${ahead} by ${formatPoints(own)}`
}

function describePair(pair: WordingPair, wordings: number): string {
  const { modelA, modelB, mean, low, high, isSignificant, spread, share } = pair
  const of = formatCount(wordings, 'wording')
  const moves =
    spread === null
      ? ' Two wordings cannot show what others would do.'
      : spread === 0
        ? ' The gap moves no more from wording to wording than chance explains.'
        : ` From wording to wording the gap moves by ${formatPoints(spread)} (SD), ${formatPercent(share, 0)} of what is uncertain about it.`
  const worst = describeWorstGap(pair)
  if (!isSignificant)
    return `${modelA} and ${modelB} are ${TOO_CLOSE} over ${of}: between ${formatScore(low)} and ${formatScore(high)} points (95 % CI)${worst}.${moves}`
  const [better, worse, gap] = mean > 0 ? [modelA, modelB, { low, high }] : [modelB, modelA, { low: -high, high: -low }]
  return `${better} ${BEATS} ${worse} whatever the wording: by ${formatPoints(mean)} (95 % CI ${describeInterval(gap)}) over ${of}${worst}.${moves}`
}

/** `a scores worst in “terse”: 71.0, and best in “polite”: 83.2.` */
function describeModel({ modelId, means }: WordingReport['models'][number]): string {
  const ordered = means.toSorted((a, b) => a.mean - b.mean)
  const [worst, best] = [ordered[0]!, ordered.at(-1)!]
  if (best.mean - worst.mean < 5e-4) return `${modelId} scores the same in all wordings.`
  return `${modelId} scores worst in “${worst.wording}” (${formatScore(worst.mean)}) and best in “${best.wording}” (${formatScore(best.mean)}).`
}

/** The verdict of each pair over wordings, and which wording is worst for whom. */
export function describeWordings(report: WordingReport | undefined): string[] {
  if (!report) return []
  const { pairs, models, wordings } = report
  return [...pairs.map((pair) => describePair(pair, wordings.length)), ...models.map(describeModel)]
}
