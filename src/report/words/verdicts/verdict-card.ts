import { isSequential, type PairedComparison } from '../../../statistics/paired-comparison.ts'
import { formatCount, formatMargin } from '../numbers.ts'
import { joinNames } from '../names.ts'
import { areSame, describePlan, describeRuledOut, isGapTooSmall } from './verdicts.ts'

export const COMPARING = 'Comparing models…'

export const NOTHING_SHARED = 'No ranking: there is no case that two models have a score for.'

export const EVERYONE_IS_BEATEN =
  'No clear winner: on the cases that two models share, every model is beaten by another.'

/** What would tell two models apart, as an instruction. */
export function describeMore(paired: PairedComparison): string {
  const { plan, meanDiff, verdictTest, equivalence } = paired
  if (areSame(paired)) return `No more data needed: the two are within ${formatMargin(equivalence!.margin)}.`
  if (isSequential(verdictTest)) return 'Add cases: the suite ended before it was decided.'
  if (plan?.isRuledOut) return `No more data needed: ${describeRuledOut(plan.difference)}.`
  if (plan) return `${plan.areJudgesTooFew || isGapTooSmall(plan) ? '' : 'Add cases. '}${describePlan(plan)}.`
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
  rescore: 'Rescore with a real judge: the scores are those of a simulated one.',
  readReasons: 'Read what the judges say about the answers they split on.',
  rate: (judges: readonly string[]) =>
    `Rate some answers yourself: then the scores of ${joinNames(judges)} can be corrected by what people think.`,
  compare: 'Add a model, or compare it with another run.',
  vote: (cells: number) =>
    `Vote: ${formatCount(cells, 'cell')} ${cells === 1 ? 'has' : 'have'} no score until people compare the answers.`,
  mend: 'Mend the expected outputs or the scoring method, then rescore.',
  score: 'Score the answers, or rate them yourself.',
  none: 'No more data needed: the difference is larger than chance explains.',
}
