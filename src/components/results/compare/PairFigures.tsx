import type { ReactNode } from 'react'
import type { ModelComparison } from '../../../statistics/index.ts'
import {
  describeInterval,
  formatCount,
  formatDifference,
  formatP,
  formatPoints,
  formatScore,
  formatStatistic,
} from '../../../report/words/index.ts'

interface Fact {
  name: string
  value: ReactNode
  note?: string | undefined
}

function Facts({ title, facts }: { title: string; facts: Fact[] }) {
  return (
    <div className="min-w-0">
      <h4 className="text-[13px] text-muted">{title}</h4>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 text-[13px] tabular-nums">
        {facts.map(({ name, value, note }) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 break-words">
              {value}
              {note !== undefined && <span className="text-muted"> {note}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** How many more cases or runs would settle it; the verdict says it in words. */
function planFacts({ paired }: ModelComparison): Fact[] {
  const plan = paired?.plan
  if (!plan) return []
  const runs =
    plan.moreRuns === null
      ? plan.runsCannotHelp
        ? 'no number of runs, because the cases vary too much'
        : 'an unknown number of runs, which needs a second run to estimate'
      : `${formatCount(plan.moreRuns, 'more run')} of the same cases`
  const cases = Number.isFinite(plan.moreCases)
    ? `about ${formatCount(plan.moreCases, 'more case')}`
    : 'too many cases to count'
  return [
    {
      name: 'Would settle it',
      value: `${cases}, or ${runs}`,
      note: `(to tell ${formatPoints(plan.difference)} apart at 80 % power)`,
    },
  ]
}

function pairedFacts(comparison: ModelComparison): Fact[] {
  const { paired } = comparison
  if (!paired) return [{ name: 'Cases', value: 'none with a score for both models' }]
  const {
    meanDiff,
    confidence95,
    permutationP,
    adjustedP,
    effectSize,
    effectSizeWord,
    wins,
    ties,
    losses,
    n,
    tStatistic,
    df,
    pValue,
  } = paired
  return [
    {
      name: 'Difference A − B',
      value: formatDifference(meanDiff),
      note: `(95 % interval ${describeInterval(confidence95)})`,
    },
    {
      name: 'Permutation test',
      value: formatP(permutationP),
      note: adjustedP === permutationP ? undefined : `(after Holm ${formatP(adjustedP)})`,
    },
    {
      name: 'Effect size',
      value: formatStatistic(effectSize),
      note: effectSizeWord === undefined ? "Hedges' g" : `${effectSizeWord} (Hedges' g)`,
    },
    {
      name: 'Wins, ties, losses',
      value: `${formatCount(wins)} / ${formatCount(ties)} / ${formatCount(losses)}`,
      note: `of ${formatCount(n, 'case')}`,
    },
    {
      name: 'Paired t',
      value: `${formatStatistic(tStatistic)} (df ${formatStatistic(df, 0)})`,
      note: formatP(pValue),
    },
    ...planFacts(comparison),
  ]
}

function runFacts({
  meanA,
  meanB,
  scoreDiff,
  tStatistic,
  pValue,
  effectSize,
  effectSizeWord,
  pooledStdErr,
  welch,
}: ModelComparison): Fact[] {
  return [
    {
      name: 'Means A, B',
      value: `${formatScore(meanA)}, ${formatScore(meanB)}`,
      note: `(difference ${formatDifference(scoreDiff)})`,
    },
    {
      name: 't-test',
      value: `t = ${formatStatistic(tStatistic)}, ${formatP(pValue)}`,
      note: `(pooled standard error ${formatScore(pooledStdErr)})`,
    },
    { name: "Cohen's d", value: formatStatistic(effectSize), note: effectSizeWord },
    {
      name: "Welch's t-test",
      value: `t = ${formatStatistic(welch.tStatistic)}, ${formatP(welch.pValue)}`,
      note: `(df ${formatStatistic(welch.df, 1)})`,
    },
  ]
}

/** The figures behind the verdict: over cases, which decide it, and over runs, as in the methodology. */
export function PairFigures({ comparison, isSeries }: { comparison: ModelComparison; isSeries: boolean }) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Facts title="Over cases, paired" facts={pairedFacts(comparison)} />
      {isSeries && (
        <div className="flex min-w-0 flex-col gap-1">
          <Facts title="Over runs" facts={runFacts(comparison)} />
          {comparison.note !== undefined && <p className="text-xs text-muted">{comparison.note}</p>}
        </div>
      )}
    </div>
  )
}
