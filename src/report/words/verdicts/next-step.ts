import type { ModelComparison, NextStepPlan } from '../../../statistics/index.ts'
import type { DifferencePlan } from '../../../statistics/planning/plan-new-cases.ts'
import type { ReportRow } from '../../model/standings/report-row.ts'
import { capitalise } from '../names.ts'
import { formatPercent, formatScore } from '../numbers.ts'
import { describeEverythingFails, MEND_THE_SUITE } from './failures/everything-fails.ts'
import { findPair, findVerdictPair } from './first-place.ts'
import { describeMore } from './verdict-card.ts'
import { areIdentical, areSame, describePlan, describeRuledOut, isGapTooSmall } from './verdicts.ts'

interface Facts {
  /** In the order of the leaderboard. */
  rows: readonly Pick<ReportRow, 'modelId' | 'rank' | 'score' | 'own' | 'isLeftOut'>[]
  comparisons: readonly { comparison: ModelComparison }[]
  judging: { nextStep?: NextStepPlan }
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** What repeats and judges would gain, the best first. Twice the cases narrow every interval by the same share. */
function listGains({ gain, judges, best, of }: NextStepPlan): string[] {
  const runs = gain.twiceTheRuns === null ? [] : [`twice the runs by ${formatPercent(gain.twiceTheRuns, 0)}`]
  const judge =
    gain.oneMoreJudge === null
      ? []
      : [`a ${ORDINALS[judges] ?? 'further'} judge by ${formatPercent(gain.oneMoreJudge, 0)}`]
  const [first, ...others] = best === 'judges' ? [...judge, ...runs] : [...runs, ...judge]
  if (first === undefined) return []
  const interval = of.modelB === undefined ? 'the interval' : 'the interval of the leading pair'
  const lead = first.replace(' by ', ` would narrow ${interval} by `)
  return [`${[capitalise(lead), ...others].join(', ')}.`]
}

/** What the figures do not show. */
function listReservations({ of: { modelB }, runs, gain, spread }: NextStepPlan): string[] {
  const unknown =
    runs === 1
      ? 'A second run would show what repeats add.'
      : 'What more repeats would add is unknown: too few answers have a grade by every judge in two runs.'
  // How lenient a judge is with everything cancels out of a difference only if it is the same for both models.
  const differ =
    spread.judges !== null && spread.judges >= 0.05
      ? `The judges differ by ${formatScore(spread.judges)} points (SD) ${modelB === undefined ? 'in the mean that they would give' : 'on how far the two are apart'}, which no number of cases removes.`
      : undefined
  return [...(gain.twiceTheRuns === null ? [unknown] : []), ...(differ === undefined ? [] : [differ])]
}

/** What repeats and judges would add to cases, and what is not known about that. */
export function describeGains(plan: NextStepPlan): string {
  return [...listGains(plan), ...listReservations(plan)].join(' ')
}

const STEPS: Record<NextStepPlan['best'], string> = {
  cases: 'Next: add cases.',
  runs: 'Next: add runs, which need no new cases.',
  judges: 'Next: add a judge, which needs no new cases.',
}

/** Why nothing is left to settle between two models; undefined if something is. */
function explainSettled(paired: NonNullable<ModelComparison['paired']>): string | undefined {
  const { isSignificant, plan } = paired
  if (areSame(paired)) return describeMore(paired)
  if (isSignificant) return 'No more data needed.'
  if (plan && isGapTooSmall(plan)) return `${describePlan(plan)}.`
  return plan?.isRuledOut ? `No more data needed: ${describeRuledOut(plan.difference)}.` : undefined
}

/** Of models that score the same on every case. */
function describeIdentical(mean: number | undefined): string {
  return mean === 1
    ? 'Next: add harder cases. Every answer passes these.'
    : 'Next: add cases of another kind. On these the models score the same.'
}

/** If the spread cannot be estimated, only more cases can show it. */
function describeUnknown([first, second]: Facts['rows'], pair: ModelComparison | undefined): string {
  if (pair && !pair.paired)
    return 'Next: add cases that the leading pair both answer. They have no scored case in common.'
  if ((pair?.paired ?? first?.score)?.n === 1) return `${STEPS.cases} One case cannot show how much cases vary.`
  if (!second) return `${STEPS.cases} All scores are identical, so they do not show how much cases vary.`
  // Of runs that are compared with each other, what varies is not known.
  if (pair?.paired && [pair.paired.wins, pair.paired.ties, pair.paired.losses].filter((n) => n > 0).length > 1)
    return STEPS.cases
  return `${STEPS.cases} The leading pair differs by the same amount on every case, which does not show how much cases vary.`
}

/** What to do after a run, from what the scores vary by: cases, runs or judges. Undefined without any score. */
export function recommendNextStep({ rows, comparisons, judging: { nextStep } }: Facts): string | undefined {
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
  if (describeEverythingFails(rows) !== undefined) return MEND_THE_SUITE
  const settled = pair?.paired && explainSettled(pair.paired)
  if (settled !== undefined) return settled
  if (pair?.paired && areIdentical(pair.paired) && pair.paired.n > 1) return describeIdentical(first?.score?.mean)
  if (nextStep) return `${STEPS[nextStep.best]} ${describeGains(nextStep)}`.trim()
  return first && describeUnknown(leading, pair)
}

/** Without its reasons, and in the middle of a line. */
function shortenPlan(plan: DifferencePlan): string {
  const [first = ''] = describePlan(plan).split('. ')
  return `${first.charAt(0).toLowerCase()}${first.slice(1)}`
}

/** More cases tell more about one model, but nobody asked how good it is by itself. */
const COMPARE_IT = 'Next: compare it with another model, or with an earlier run.'

/** The one thing to do next, in a line. Undefined without any score. */
export function describeNext(facts: Facts): string | undefined {
  const { rows, comparisons, judging } = facts
  if (describeEverythingFails(rows) !== undefined) return MEND_THE_SUITE
  if (rows.filter(({ score }) => score).length === 1) return COMPARE_IT
  const pair = findVerdictPair(
    rows,
    comparisons.map(({ comparison }) => comparison),
  )
  const plan = pair?.paired?.isSignificant ? undefined : pair?.paired?.plan
  if (plan?.isTooSmall) return 'Next: add cases.'
  if (pair?.paired && areIdentical(pair.paired) && !areSame(pair.paired)) return describeIdentical(rows[0]?.score?.mean)
  if (plan && (judging.nextStep === undefined || judging.nextStep.best === 'cases'))
    return plan.isRuledOut
      ? `No more data needed: ${describeRuledOut(plan.difference)}.`
      : `Next: ${shortenPlan(plan)}.`
  if (pair?.paired?.isSignificant) return 'No more data needed.'
  return recommendNextStep(facts)?.replace(/^(Next: [^.]*\.).*$/s, '$1')
}
