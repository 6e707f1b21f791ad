import { memo } from 'react'
import type { RunState } from '../../../contract/index.ts'
import type { LiveStanding } from '../../../stores/live-standings.ts'
import type { LiveRunStore } from '../../../stores/liveRunStore.ts'
import {
  describeInterval,
  describeOwnMean,
  describeSharedSoFar,
  formatCount,
  formatPassed,
  formatScore,
} from '../../../report/words/index.ts'
import { classes } from '../../ui/classes.ts'
import { IntervalMark } from '../../ui/charts/IntervalMark.tsx'
import { ModelName } from '../../ui/names/ModelName.tsx'
import { Section } from '../../ui/Page.tsx'
import { addSoFar } from '../../../report/words/runs/progress.ts'
import { useSlowVersion } from './use-live-run.ts'

/** In a narrow window the name has a line of its own. */
const narrowRow = 'max-sm:grid max-sm:grid-cols-[1fr_4rem_4.5rem] max-sm:items-center'

function StandingRow({ standing, state }: { standing: LiveStanding; state: RunState }) {
  const { modelId, mean, interval, n, passed, missing, isRounded, own } = standing
  const prefix = isRounded ? '≈ ' : ''
  return (
    <tr className={classes(narrowRow, 'border-t border-line')}>
      <th scope="row" className="px-2 py-1 text-left font-normal max-sm:col-span-3 max-sm:pb-0 sm:max-w-0">
        <ModelName id={modelId} withBadge={false} />
        {own && <span className="block text-xs text-muted">own mean {describeOwnMean({ own })}</span>}
      </th>
      <td className="px-3 py-1">
        {mean !== undefined && interval ? (
          <IntervalMark
            mean={mean}
            low={interval.low}
            high={interval.high}
            label={`${modelId}: ${addSoFar(formatScore(mean), state)}, 95 % CI ${describeInterval(interval)}, ${interval.method}`}
          />
        ) : (
          <span className="text-xs text-muted">{n === 0 ? 'nothing scored yet' : 'needs more than one score'}</span>
        )}
      </td>
      <td className="px-2 py-1 text-right font-medium">{mean === undefined ? '–' : `${prefix}${formatScore(mean)}`}</td>
      <td
        className="hidden px-2 py-1 text-right whitespace-nowrap text-muted lg:table-cell"
        title={interval && `95 % CI over cases, by ${interval.method}`}
      >
        {interval ? describeInterval(interval) : '–'}
      </td>
      <td className="px-2 py-1 text-right">{formatPassed({ passed, count: n })}</td>
      <td className="hidden px-2 py-1 text-right sm:table-cell">
        {missing > 0 ? <span className="text-danger">{formatCount(missing)}</span> : 0}
      </td>
    </tr>
  )
}

/** Means so far with their intervals, which show how uncertain the early ones are. */
export const LiveLeaderboard = memo(function LiveLeaderboard({
  store,
  state,
}: {
  store: LiveRunStore
  state: RunState
}) {
  useSlowVersion(store)
  const standings = store.getStandings()
  const basis = describeSharedSoFar(standings)
  const isRounded = standings.some((standing) => standing.isRounded)
  return (
    <Section
      title={addSoFar('Leaderboard', state)}
      aside={
        isRounded &&
        'cells finished before this page was opened are rounded to the nearest ten points; Results shows the exact scores'
      }
    >
      <div
        className="max-h-72 overflow-auto rounded-md border border-line bg-surface"
        tabIndex={0}
        role="group"
        aria-label="Standings"
      >
        <table className="w-full">
          <thead className="text-xs text-muted">
            <tr className={narrowRow}>
              <th scope="col" className="w-[46%] px-2 py-1 text-left font-medium max-sm:sr-only">
                Model
              </th>
              <th scope="col" className="min-w-32 px-3 py-1 text-left font-medium">
                <span className="flex justify-between">
                  <span>0</span>
                  <span>50</span>
                  <span>100</span>
                </span>
              </th>
              <th scope="col" className="w-16 px-2 py-1 text-right font-medium">
                Score
              </th>
              <th scope="col" className="hidden w-32 px-2 py-1 text-right font-medium lg:table-cell">
                95 % CI
              </th>
              <th scope="col" className="w-16 px-2 py-1 text-right font-medium" title="Passed of scored cells">
                Passed
              </th>
              <th scope="col" className="hidden w-16 px-2 py-1 text-right font-medium sm:table-cell">
                Unscored
              </th>
            </tr>
          </thead>
          <tbody>
            {standings.map((standing) => (
              <StandingRow key={standing.modelId} standing={standing} state={state} />
            ))}
          </tbody>
        </table>
      </div>
      {basis !== undefined && <p className="text-[13px] break-words">{basis}</p>}
    </Section>
  )
})
