import type { ReactNode } from 'react'
import type { ModelComparison } from '../../../statistics/index.ts'
import {
  advisePlans,
  describeInterval,
  describeVerdictTest,
  explainDisagreement,
  explainSequential,
  formatCount,
  formatDifference,
  formatP,
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

function pairedFacts(comparison: ModelComparison): Fact[] {
  const { paired } = comparison
  if (!paired) return [{ name: 'Cases', value: 'none with a score for both models' }]
  const {
    meanDiff,
    confidence95,
    verdictP,
    verdictTest,
    adjustedP,
    effectSize,
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
      note: `(95 % CI ${describeInterval(confidence95)})`,
    },
    {
      name: 'Test',
      value: formatP(verdictP),
      note: `(${describeVerdictTest(verdictTest)}${adjustedP === verdictP ? '' : `; after Holm ${formatP(adjustedP)}`})`,
    },
    {
      name: 'Effect size',
      value: formatStatistic(effectSize),
      note: "(Hedges' g_z of the differences A − B)",
    },
    {
      name: 'Wins, ties, losses of A',
      value: `${formatCount(wins)} / ${formatCount(ties)} / ${formatCount(losses)}`,
      note: `of ${formatCount(n, 'case')}`,
    },
    {
      name: 'Paired t',
      value: `${formatStatistic(tStatistic)} (df ${formatStatistic(df, 0)})`,
      note: formatP(pValue),
    },
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
  const disagreement = explainDisagreement(comparison)
  const advice = advisePlans([comparison])
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-1">
        <Facts title="Over cases, paired" facts={pairedFacts(comparison)} />
        {comparison.paired && (
          <p className="text-xs text-muted">{explainSequential([comparison.paired.verdictTest])}</p>
        )}
        {advice !== undefined && <p className="text-xs text-muted">{advice}</p>}
      </div>
      {isSeries && (
        <div className="flex min-w-0 flex-col gap-1">
          <Facts title="Over runs" facts={runFacts(comparison)} />
          {comparison.note !== undefined && <p className="text-xs text-muted">{comparison.note}</p>}
          {disagreement !== undefined && <p className="text-xs text-muted">{disagreement}</p>}
        </div>
      )}
    </div>
  )
}
