/** Why a case is worth reading. */
export type FailureKind = 'only-one-passed' | 'all-failed' | 'leader-is-flaky' | 'worst'

/** A case by model, in the order of the leaderboard: how many of its scored answers passed, and their mean. */
export interface FailedCase {
  index: number
  cells: { scored: number; passed: number; mean: number }[]
}

export interface TellingFailure {
  kind: FailureKind
  index: number
  /** Of `only-one-passed`: which model, by its place in the leaderboard. */
  model?: number
}

const SHOWN = 3

const hasPassed = ({ scored, passed }: FailedCase['cells'][number]) => scored > 0 && passed === scored
const hasFailed = ({ scored, passed }: FailedCase['cells'][number]) => scored > 0 && passed === 0
const isFlaky = ({ scored, passed }: FailedCase['cells'][number]) => passed > 0 && passed < scored

/** Over the models with a score. */
export function meanOfCase({ cells }: FailedCase): number {
  const scored = cells.filter((cell) => cell.scored > 0)
  return scored.reduce((sum, { mean }) => sum + mean, 0) / scored.length
}

const byMean = (a: FailedCase, b: FailedCase) => meanOfCase(a) - meanOfCase(b) || a.index - b.index

/** Cases that exactly one of these models passed, each in turn, beginning with the first. */
function listSplits(cases: readonly FailedCase[], [first, second]: readonly [number, number]): TellingFailure[] {
  const passedOnlyBy = (model: number, other: number) =>
    cases
      .filter(({ cells }) => hasPassed(cells[model]!) && hasFailed(cells[other]!))
      .toSorted(byMean)
      .map(({ index }): TellingFailure => ({ kind: 'only-one-passed', index, model }))
  const [a, b] = [passedOnlyBy(first, second), passedOnlyBy(second, first)]
  return Array.from({ length: Math.max(a.length, b.length) }, (_, at) => [a[at], b[at]]).flatMap((pair) =>
    pair.filter((failure) => failure !== undefined),
  )
}

function findLeaderOnly(cases: readonly FailedCase[]): TellingFailure[] {
  return cases
    .filter(({ cells: [leader, ...others] }) => {
      const scored = others.filter((cell) => cell.scored > 0)
      return leader !== undefined && hasPassed(leader) && scored.length > 0 && scored.every(hasFailed)
    })
    .toSorted(byMean)
    .map(({ index }) => ({ kind: 'only-one-passed', index, model: 0 }))
}

/**
 * The cases that say most about the models, a different kind each where there is one: what only the leader can do, what
 * nobody could (the expected output may be wrong), and where the leader is down to luck. If it is open which of two is
 * better: the cases on which they differ. `agreement` is how many models gave the same wrong answer to a case.
 */
export function chooseTellingFailures(
  cases: readonly FailedCase[],
  {
    open,
    agreementOf = () => 0,
  }: { open?: readonly [number, number] | undefined; agreementOf?: (index: number) => number } = {},
): TellingFailure[] {
  const allFailed = listAllFailed(cases)
    .toSorted((a, b) => agreementOf(b.index) - agreementOf(a.index))
    .map(({ index }): TellingFailure => ({ kind: 'all-failed', index }))
  const flaky = cases
    .filter(({ cells: [leader] }) => leader && isFlaky(leader))
    .toSorted((a, b) => a.cells[0]!.mean - b.cells[0]!.mean || byMean(a, b))
    .map(({ index }): TellingFailure => ({ kind: 'leader-is-flaky', index }))
  const worst = cases
    .filter(({ cells }) => cells.some(({ scored, passed }) => passed < scored))
    .toSorted(byMean)
    .map(({ index }): TellingFailure => ({ kind: 'worst', index }))
  const isAlone = cases.every(({ cells }) => cells.length < 2)
  const splits = open ? listSplits(cases, open) : []
  const first = splits.length > 0 ? splits : findLeaderOnly(cases)
  const kinds = isAlone
    ? [flaky.slice(0, 1), worst]
    : splits.length > 0
      ? [first, allFailed, worst]
      : [first, allFailed, flaky].map((kind) => kind.slice(0, 1))
  const chosen: TellingFailure[] = []
  for (const failure of [...kinds.flat(), ...worst, ...first, ...allFailed]) {
    if (chosen.length === SHOWN) break
    if (!chosen.some(({ index }) => index === failure.index)) chosen.push(failure)
  }
  return chosen
}

/** Cases that no model passed in any run, the lowest mean first. */
export function listAllFailed(cases: readonly FailedCase[]): FailedCase[] {
  return cases
    .filter(({ cells }) => {
      const scored = cells.filter((cell) => cell.scored > 0)
      return scored.length > 0 && scored.every(hasFailed)
    })
    .toSorted(byMean)
}
