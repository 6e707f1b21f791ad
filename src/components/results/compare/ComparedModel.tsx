import type { ChangedCase, RunsComparison } from '../../../server/results/compare/compare-view.ts'
import { useState } from 'react'
import { Link } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import {
  describeEvidence,
  describeInterval,
  formatCount,
  formatDifference,
  formatPassed,
  formatScore,
} from '../../../report/words/index.ts'
import { ModelName } from '../../ui/ModelName.tsx'
import { Panel } from '../../ui/Page.tsx'
import { caseAddress } from '../addresses.ts'
import { DifferenceMark } from './DifferenceMark.tsx'

const INITIAL_ROWS = 8

interface ChangedCasesProps {
  title: string
  cases: ChangedCase[]
  count: number
  modelId: string
  before: string
  after: string
}

function ChangedCases({ title, cases, count, modelId, before, after }: ChangedCasesProps) {
  const [areAllShown, setAllShown] = useState(false)
  const shown = areAllShown ? cases : cases.slice(0, INITIAL_ROWS)
  return (
    <div className="min-w-0">
      <h3 className="text-[13px] font-medium">
        {title}: {formatCount(count)}
      </h3>
      <ul
        className="max-h-96 overflow-auto text-[13px]"
        {...(areAllShown && { tabIndex: 0, 'aria-label': `${title}, ${modelId}` })}
      >
        {shown.map(({ id, title: prompt, before: from, after: to }) => (
          <li key={id} className="flex items-baseline gap-2 border-t border-line py-1 first:border-t-0">
            <Link
              to={caseAddress(after, { id, model: modelId })}
              className="min-w-0 flex-1 truncate text-accent-ink underline"
              title={prompt}
            >
              {id}
            </Link>
            <Link
              to={caseAddress(before, { id, model: modelId })}
              className="text-xs text-muted underline"
              aria-label={`${id} before`}
            >
              before
            </Link>
            <span className="whitespace-nowrap tabular-nums">
              {formatScore(from)} → {formatScore(to)}
            </span>
            <span className="w-14 text-right font-medium tabular-nums">{formatDifference(to - from)}</span>
          </li>
        ))}
      </ul>
      {!areAllShown && cases.length > INITIAL_ROWS && (
        <Button kind="quiet" className="h-7 px-2 text-[13px]" onClick={() => setAllShown(true)}>
          Show all {formatCount(cases.length)}
        </Button>
      )}
      {areAllShown && count > cases.length && (
        <p className="text-xs text-muted">The {formatCount(cases.length)} cases that changed most.</p>
      )}
    </div>
  )
}

/** One model, before and after. */
export function ComparedModel({
  model,
  reach,
  before,
  after,
}: {
  model: RunsComparison['models'][number]
  reach: number
  before: string
  after: string
}) {
  const { modelId, meanA, meanB, comparison, sentence, better, worse, betterCount, worseCount, unchanged } = model
  const paired = comparison?.paired
  return (
    <Panel className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h2 className="max-w-full min-w-0 font-semibold">
          <ModelName id={modelId} />
        </h2>
        <span className="tabular-nums">
          {formatScore(meanA)} → {formatScore(meanB)}
        </span>
        <span className="text-muted tabular-nums">
          passed {formatPassed(model.passedA)} → {formatPassed(model.passedB)}
        </span>
      </div>
      <p className="break-words">{sentence}</p>
      {paired && (
        <div className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[minmax(10rem,22rem)_1fr]">
          <div>
            <DifferenceMark
              mean={paired.meanDiff}
              low={paired.confidence95[0]}
              high={paired.confidence95[1]}
              reach={reach}
              label={`${modelId}, B minus A: ${formatDifference(paired.meanDiff)}, 95 % interval ${describeInterval(paired.confidence95)}`}
            />
            <div className="flex justify-between text-[11px] text-muted" aria-hidden>
              <span>worse</span>
              <span>0</span>
              <span>better</span>
            </div>
          </div>
          <p className="text-[13px] text-muted tabular-nums">
            <span className="font-medium text-ink">{formatDifference(paired.meanDiff)}</span> points, 95 % interval{' '}
            {describeInterval(paired.confidence95)}; {describeEvidence(paired)}
          </p>
        </div>
      )}
      <div className="grid gap-4 lg:grid-cols-2">
        <ChangedCases title="Improved" cases={better} count={betterCount} {...{ modelId, before, after }} />
        <ChangedCases title="Got worse" cases={worse} count={worseCount} {...{ modelId, before, after }} />
      </div>
      <p className="text-xs text-muted">{formatCount(unchanged, 'case')} unchanged.</p>
    </Panel>
  )
}
