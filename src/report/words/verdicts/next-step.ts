import type { ModelComparison, NextStepPlan } from '../../../statistics/index.ts'
import type { ReportRow } from '../../model/report-row.ts'
import { capitalise } from '../names.ts'
import { formatPercent, formatScore } from '../numbers.ts'
import { findPair } from './first-place.ts'
import { describeRuledOut } from './verdicts.ts'

interface Facts {
  /** In the order of the leaderboard. */
  rows: readonly Pick<ReportRow, 'modelId' | 'score'>[]
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
function explainSettled({ isSignificant, plan }: NonNullable<ModelComparison['paired']>): string | undefined {
  if (isSignificant) return 'No more data needed.'
  return plan?.isRuledOut ? `No more data needed: ${describeRuledOut(plan.difference)}.` : undefined
}

/** If the spread cannot be estimated, only more cases can show it. */
function describeUnknown([first, second]: Facts['rows'], pair: ModelComparison | undefined): string {
  if (pair && !pair.paired)
    return 'Next: add cases that the leading pair both answer. They have no scored case in common.'
  if ((pair?.paired ?? first?.score)?.n === 1) return `${STEPS.cases} One case cannot show how much cases vary.`
  if (!second) return `${STEPS.cases} All scores are identical, so they do not show how much cases vary.`
  const same = pair?.paired?.meanDiff === 0 ? 'is identical' : 'differs by the same amount'
  return `${STEPS.cases} The leading pair ${same} on every case, which does not show how much cases vary.`
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
  const settled = pair?.paired && explainSettled(pair.paired)
  if (settled !== undefined) return settled
  if (nextStep) return `${STEPS[nextStep.best]} ${describeGains(nextStep)}`.trim()
  return first && describeUnknown(leading, pair)
}
