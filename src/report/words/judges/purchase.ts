import type { ModelComparison, NextPurchase } from '../../../statistics/index.ts'
import type { ReportRow } from '../../model/report-row.ts'
import { formatPercent, formatScore } from '../numbers.ts'
import { findPair } from '../verdicts/first-place.ts'
import { describeRuledOut } from '../verdicts/verdicts.ts'

interface PurchaseFacts {
  /** In the order of the leaderboard. */
  rows: readonly Pick<ReportRow, 'modelId' | 'score'>[]
  comparisons: readonly { comparison: ModelComparison }[]
  judging: { nextPurchase?: NextPurchase }
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

type Kind = NextPurchase['best']

/** What can be bought, and by how much each would narrow the interval. */
function listGains({ gain, judges }: NextPurchase): { kind: Kind; what: string; share: number }[] {
  const gains = [
    { kind: 'cases' as const, what: 'twice the cases', share: gain.twiceTheCases },
    { kind: 'runs' as const, what: 'twice the runs', share: gain.twiceTheRuns },
    { kind: 'judges' as const, what: `a ${ORDINALS[judges] ?? 'further'} judge`, share: gain.oneMoreJudge },
  ]
  return gains.flatMap(({ share, ...rest }) => (share === null ? [] : [{ ...rest, share }]))
}

/** `twice the cases narrow the interval by 29 %, twice the runs by 8 %` */
function joinGains(gains: readonly { what: string; share: number }[], narrows: string): string {
  return gains
    .map(({ what, share }, index) => `${what}${index === 0 ? ` ${narrows}` : ''} by ${formatPercent(share, 0)}`)
    .join(', ')
}

/** What the figures do not show. */
function listReservations({ of: { modelB }, runs, gain, spread }: NextPurchase): string[] {
  const unknown =
    runs === 1
      ? 'what repeats would do shows only after a second run'
      : 'what more repeats would do cannot be told, because too few answers have a grade by every judge in two runs'
  // How lenient a judge is with everything cancels out of a difference only if it is the same for both models.
  const differ =
    spread.judges !== null && spread.judges >= 0.05
      ? `the judges differ by ${formatScore(spread.judges)} points (SD) ${modelB === undefined ? 'in the mean that they would give' : 'on how far the two are apart'}, which no number of cases removes`
      : undefined
  return [...(gain.twiceTheRuns === null ? [unknown] : []), ...(differ === undefined ? [] : [differ])]
}

const RECOMMENDATIONS: Record<Kind, string> = {
  cases: 'Buy cases next',
  runs: 'Buy runs next, which need no new cases',
  judges: 'Buy judge calls next, which need no new cases',
}

function recommend(purchase: NextPurchase): string {
  const { best, of } = purchase
  const interval = of.modelB === undefined ? 'the interval' : 'the interval of the leading pair'
  const all = listGains(purchase)
  const gains = [...all.filter(({ kind }) => kind === best), ...all.filter(({ kind }) => kind !== best)]
  const narrows = `${best === 'judges' ? 'narrows' : 'narrow'} ${interval}`
  return `${[`${RECOMMENDATIONS[best]}: ${joinGains(gains, narrows)}`, ...listReservations(purchase)].join('; ')}.`
}

/** Why nothing is left to settle between two models; undefined if something is. */
function explainSettled({ isSignificant, plan }: NonNullable<ModelComparison['paired']>): string | undefined {
  if (isSignificant) return 'its verdict is clear'
  return plan?.isRuledOut ? describeRuledOut(plan.difference) : undefined
}

function describeUnneeded(why: string, purchase: NextPurchase | undefined): string {
  const lead = `Nothing more need be bought for the leading pair: ${why}`
  if (!purchase) return `${lead}.`
  const gains = joinGains(listGains(purchase), 'would narrow its interval')
  return `${lead}; ${[gains, ...listReservations(purchase)].join(', and ')}.`
}

/** If the spread cannot be estimated, only more cases can show it. */
function describeUnknown([first, second]: PurchaseFacts['rows'], pair: ModelComparison | undefined): string {
  if (pair && !pair.paired)
    return 'Buy cases next that the leading pair both answer, because they have no scored case in common.'
  if ((pair?.paired ?? first?.score)?.n === 1)
    return 'Buy more cases next, because one case cannot show how much cases vary.'
  if (!second) return 'Buy more cases next, because all scores are the same and so do not show how much cases vary.'
  const same = pair?.paired?.meanDiff === 0 ? 'scores the same' : 'differs by the same amount'
  return `Buy more cases next, because the leading pair ${same} on every case, which does not show how much cases vary.`
}

/** One sentence after each run: cases, runs or judge calls, from what the scores vary by. Undefined without any score. */
export function describePurchase({ rows, comparisons, judging: { nextPurchase } }: PurchaseFacts): string | undefined {
  const leading = rows.filter(({ score }) => score).slice(0, 2)
  const [first, second] = leading
  const pair =
    first &&
    second &&
    findPair(
      first.modelId,
      second.modelId,
      comparisons.map(({ comparison }) => comparison),
    )
  const settled = pair?.paired && explainSettled(pair.paired)
  if (settled !== undefined) return describeUnneeded(settled, nextPurchase)
  if (nextPurchase) return recommend(nextPurchase)
  return first && describeUnknown(leading, pair)
}
