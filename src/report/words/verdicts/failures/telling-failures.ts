import type { FailureKind } from '../../../model/failures/telling-failures.ts'
import { capitalise } from '../../names.ts'
import { formatCount, formatScore } from '../../numbers.ts'

const NUMBERS = ['no', 'one', 'both', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

interface NamedFailure {
  kind: FailureKind
  /** How many models have a score on this case, and how many at all. */
  scored: number
  models: number
  /** Of the case, over its models. */
  mean: number
  expected?: string | undefined
  modelId?: string | undefined
  /** Who passed it in every run. */
  passed?: readonly string[]
}

/** Above a case that failed, why it is shown: `All five failed: check the expected output`. */
export function describeFailureKind({
  kind,
  scored,
  models,
  mean,
  expected,
  modelId,
  passed = [],
}: NamedFailure): string {
  if (kind === 'only-one-passed') return `${passed.length > 1 ? '' : 'Only '}${modelId} passed`
  if (kind === 'leader-is-flaky') return models > 1 ? 'The leader is flaky here' : `Flaky: mean ${formatScore(mean)}`
  const count = NUMBERS[scored] ?? formatCount(scored)
  const who = scored === 1 ? 'Failed' : scored === 2 ? 'Both failed' : `${capitalise(`all ${count}`)} failed`
  if (kind === 'worst' && mean === 0 && models > 1) return who
  if (kind === 'worst') return models > 1 ? `Among the worst: mean ${formatScore(mean)}` : `Scored ${formatScore(mean)}`
  return expected === undefined || scored < 2 ? who : `${who}: check the expected output`
}

/** Above the cases, and the link to all of them. */
export function headFailures({ isSplit, cases }: { isSplit: boolean; cases: number }): { title: string; all: string } {
  return isSplit
    ? { title: 'Where the leaders differ', all: 'All cases that models split on' }
    : { title: 'Most telling failures', all: `All ${formatCount(cases, 'case')} with a failure` }
}

const MAX_NAMED = 2

/** Who gave an answer: `4 models`, or `a (2 of 3 runs), b`. */
export function nameAnswerers(models: readonly { modelId: string; times: number; of: number }[]): string {
  if (models.length > MAX_NAMED) return formatCount(models.length, 'model')
  return models
    .map(({ modelId, times, of }) =>
      times < of ? `${modelId} (${formatCount(times)} of ${formatCount(of)} runs)` : modelId,
    )
    .join(', ')
}

/** The models that passed, which are some: `a, b in all 3 runs`, or how many. */
export function namePassed(models: readonly string[], runs: number): string {
  const names = models.length > MAX_NAMED ? formatCount(models.length, 'model') : models.join(', ')
  return runs > 1 ? `${names} in all ${formatCount(runs)} runs` : names
}

/** If most models agree against the expected output: `4 of 5 models gave “2027-05-26”. Is the expected output right?` */
export function askAboutExpected(models: number, all: number, answer: string): string {
  const given = answer.trim().length <= 60 ? `gave “${answer.trim()}”` : 'gave the same answer'
  return `${formatCount(models)} of ${formatCount(all, 'model')} ${given}. Is the expected output right?`
}
