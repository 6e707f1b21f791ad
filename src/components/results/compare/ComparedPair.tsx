import type { ComparedModels, RunsComparison } from '../../../server/results/compare/compare-view.ts'
import {
  advisePlans,
  describeChanges,
  describeEvidence,
  describeInterval,
  describeNotCompared,
  describePassChanges,
  describeVerdict,
  formatDifference,
  formatPassed,
  formatScore,
} from '../../../report/words/index.ts'
import { Panel } from '../../ui/Page.tsx'
import { CaseChangeList } from './CaseChangeList.tsx'
import { labelPair } from './compare-address.ts'
import { DifferenceMark } from './DifferenceMark.tsx'

/** One pair of models: the verdict, the counts, and the cases that changed. */
export function ComparedPair({
  comparison,
  pair,
  reach,
  isCurrent,
}: {
  comparison: RunsComparison
  pair: ComparedModels
  reach: number
  /** False while another comparison is loading. */
  isCurrent: boolean
}) {
  const { means, passedA, passedB, comparison: compared } = pair
  const [labelA, labelB] = labelPair(comparison, pair)
  const paired = compared?.paired
  const advice = compared && advisePlans([compared])
  const counts = [
    describeChanges(pair, pair.modelA === pair.modelB ? undefined : { after: labelB }),
    describePassChanges(pair),
    describeNotCompared(pair.notCompared),
  ].filter((text) => text !== undefined)
  return (
    <Panel className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h2 className="max-w-full min-w-0 font-semibold break-words">
          {labelA} → {labelB}
        </h2>
        {means && (
          <span className="text-muted tabular-nums">
            {formatScore(means.a)} → {formatScore(means.b)}, passed {formatPassed(passedA)} → {formatPassed(passedB)} on
            the cases compared
          </span>
        )}
      </div>
      <p className="break-words">
        {compared
          ? describeVerdict({ ...compared, modelA: labelB, modelB: labelA })
          : `${labelA} or ${labelB} has no score.`}
        {paired && <span className="block text-[13px] text-muted tabular-nums">{describeEvidence(paired)}</span>}
      </p>
      {paired && (
        <div className="grid items-center gap-x-4 gap-y-1 lg:grid-cols-[minmax(10rem,22rem)_1fr]">
          <div>
            <DifferenceMark
              mean={paired.meanDiff}
              low={paired.confidence95[0]}
              high={paired.confidence95[1]}
              reach={reach}
              label={`B minus A: ${formatDifference(paired.meanDiff)}, 95 % CI ${describeInterval(paired.confidence95)}`}
            />
            <div className="flex justify-between text-[11px] text-muted" aria-hidden>
              <span>B worse</span>
              <span>0</span>
              <span>B better</span>
            </div>
          </div>
          <p className="text-[13px] text-muted tabular-nums">
            <span className="font-medium text-ink">{formatDifference(paired.meanDiff)}</span> points, 95 % CI{' '}
            {describeInterval(paired.confidence95)}
          </p>
        </div>
      )}
      <div className="flex flex-col" aria-live="polite">
        <p className="font-medium break-words">{counts[0]}</p>
        {counts.slice(1).map((text) => (
          <p key={text} className="text-muted">
            {text}
          </p>
        ))}
      </div>
      {advice !== undefined && <p className="text-xs text-muted">{advice}</p>}
      <CaseChangeList pair={pair} isCurrent={isCurrent} />
    </Panel>
  )
}
