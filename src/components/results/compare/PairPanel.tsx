import { classes } from '../../ui/classes.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import type { PairView } from '../../../server/results/compare/pair-view.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowLeftRight } from 'lucide-react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, useAddress } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import { SelectField, SelectOptions } from '../../ui/form/Field.tsx'
import {
  describeInterval,
  formatDifference,
  formatScore,
  advisePlans,
  describeVerdictTest,
  explainDisagreement,
  explainSequential,
  formatCount,
  formatP,
  formatStatistic,
} from '../../../report/words/index.ts'
import { intervalOf } from '../../../report/words/verdicts/pairs/gap.ts'
import { describeCases } from '../../../report/words/verdicts/verdicts.ts'
import { comparedCaseAddress } from './compare-address.ts'
import { readSmallestDifference } from '../SmallestDifference.tsx'
import { DifferenceMark } from './DifferenceMark.tsx'
import { useState, type ReactNode } from 'react'
import type { ModelComparison } from '../../../statistics/index.ts'

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
  const { meanDiff, verdictP, verdictTest, adjustedP, effectSize, wins, ties, losses, tStatistic, df, pValue } = paired
  return [
    {
      name: 'Difference A − B',
      value: formatDifference(meanDiff),
      note: `(95 % CI ${describeInterval(intervalOf(paired))})`,
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
      note: `of ${describeCases(paired)}`,
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
      name: 'Means of run scores A, B',
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
function PairFigures({ comparison, isSeries }: { comparison: ModelComparison; isSeries: boolean }) {
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

const MAX_CASES = 6

/** The cases with the largest differences in either direction. */
function Cases({ selection, pair: { cases, comparison } }: { selection: string; pair: PairView }) {
  const forA = cases.filter(({ difference }) => difference > 0).slice(0, MAX_CASES)
  const forB = cases
    .filter(({ difference }) => difference < 0)
    .toSorted((x, y) => x.difference - y.difference)
    .slice(0, MAX_CASES)
  const lists = [
    { model: comparison.modelA, found: forA },
    { model: comparison.modelB, found: forB },
  ]
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {lists.map(({ model, found }) => (
        <div key={model} className="min-w-0">
          <h4 className="text-[13px] text-muted">
            Where <span className="break-words text-ink">{model}</span> wins most
          </h4>
          {found.length === 0 && <p className="text-[13px]">No cases.</p>}
          <ul className="text-[13px]">
            {found.map(({ id, title, a, b, difference }) => (
              <li key={id} className="flex items-baseline gap-2">
                <Link
                  to={comparedCaseAddress(
                    new URLSearchParams({ a: selection, b: selection, ma: comparison.modelA, mb: comparison.modelB }),
                    {
                      id,
                      modelA: comparison.modelA,
                      modelB: comparison.modelB,
                    },
                  )}
                  className="min-w-0 flex-1 truncate text-accent-ink underline"
                  title={title}
                >
                  {id}
                </Link>
                <span className="whitespace-nowrap tabular-nums">
                  {formatScore(a)} against {formatScore(b)}
                </span>
                <span className="w-14 text-right font-medium tabular-nums">{formatDifference(difference)}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

function Paired({ pair: { comparison, sentence } }: { pair: PairView }) {
  const { paired, modelA, modelB } = comparison
  const [low, high] = paired ? intervalOf(paired) : [0, 0]
  const reach = Math.max(0.05, Math.abs(low), Math.abs(high)) * 1.1
  return (
    <div className="flex flex-col gap-1">
      <p className="text-[15px] leading-6 break-words" aria-live="polite">
        {sentence}
      </p>
      {paired && (
        <div className="grid max-w-2xl grid-cols-[minmax(0,1fr)_minmax(8rem,2fr)_minmax(0,1fr)] items-center gap-2 text-xs text-muted">
          <span className="truncate text-right" title={`${modelB} better`}>
            ← {modelB} better
          </span>
          <DifferenceMark
            mean={paired.meanDiff}
            low={low}
            high={high}
            reach={reach}
            label={`${modelA} minus ${modelB}: ${formatDifference(paired.meanDiff)}, 95 % CI ${describeInterval({ low, high })}`}
          />
          <span className="truncate" title={`${modelA} better`}>
            {modelA} better →
          </span>
        </div>
      )}
    </div>
  )
}

interface PairProps {
  selection: string
  models: string[]
  isSeries: boolean
}

/** Compares two models, case by case and, for a series, run by run. */
function PairPanel({ selection, models, isSeries }: PairProps) {
  const [address, changeQuery] = useAddress()
  const smallestDifference = readSmallestDifference(address)
  const readModel = (name: string, other: string | undefined, fallback: string | undefined) => {
    const model = address.get(name)
    return model !== null && models.includes(model) && model !== other ? model : fallback
  }
  const a = readModel('a', undefined, models[0])!
  const b = readModel(
    'b',
    a,
    models.find((model) => model !== a),
  )!
  const pair = useQuery({
    queryKey: ['comparePair', selection, a, b, smallestDifference],
    queryFn: () =>
      readReply(api.results[':selection'].compare.$get({ param: { selection }, query: { a, b, smallestDifference } })),
    placeholderData: keepPreviousData,
  })
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <SelectField
          label="Model A"
          className="w-64 max-w-full"
          value={a}
          onChange={(value) => changeQuery({ a: value, ...(value === b && { b: a }) })}
        >
          <SelectOptions of={models} />
        </SelectField>
        <Button kind="quiet" onClick={() => changeQuery({ a: b, b: a })}>
          <ArrowLeftRight size={14} aria-hidden /> Swap
        </Button>
        <SelectField
          label="Model B"
          className="w-64 max-w-full"
          value={b}
          onChange={(value) => changeQuery({ b: value, ...(value === a && { a: b }) })}
        >
          <SelectOptions of={models} />
        </SelectField>
      </div>
      <Loaded query={pair} what="the comparison" rows={3}>
        {(loaded) => (
          <div className={classes('flex flex-col gap-3', pair.isPlaceholderData && 'opacity-60')}>
            <Paired pair={loaded} />
            <PairFigures comparison={loaded.comparison} isSeries={isSeries} />
            <Cases selection={selection} pair={loaded} />
          </div>
        )}
      </Loaded>
    </div>
  )
}

/** Loaded only when expanded; an address that names the models expands it. */
export function ExpandablePair(props: PairProps) {
  const [isOpen, setOpen] = useState(() => new URLSearchParams(window.location.search).has('a'))
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit py-1 text-muted hover:text-ink">Compare two models, case by case</summary>
      {isOpen && (
        <div className="pt-2">
          <PairPanel {...props} />
        </div>
      )}
    </details>
  )
}
