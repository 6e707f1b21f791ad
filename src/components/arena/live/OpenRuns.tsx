import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isInProgress, isLive, nameOwner } from '../../../contract/index.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, navigate } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { describeRunState, formatCount } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { FailureNotice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Page.tsx'
import { groupRuns, type RunGroup } from '../../results/runs/run-groups.ts'
import { watchAddress } from '../../results/addresses.ts'
import { useResume } from './use-resume.tsx'

const MAX_SHOWN = 4

function OpenRun({ group, onFailure }: { group: RunGroup; onFailure: (failure: Error | undefined) => void }) {
  const run = group.runs.findLast(({ state }) => state === group.state)!
  const address = watchAddress(run)
  const { resume, isPending, dialogs } = useResume({
    runId: run.id,
    workedOnBy: run.workedOnBy,
    onResumed: (runId) => navigate(watchAddress({ ...run, id: runId })),
    onFailure,
  })
  const name = group.suiteName
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
      <div className="min-w-0 flex-1 basis-64 break-words">
        <span className="font-medium">{name}</span>
        <span className="text-muted">
          {' '}
          {run.state === 'interrupted' ? 'was' : 'is'} {describeRunState(run)}:{' '}
          {formatCount(group.cells - group.notRun)} of {formatCount(group.cells, 'answer')},{' '}
          {formatCount(run.models.length, 'model')}, started {formatLocalTime(group.startedAt)}
          {run.workedOnBy && `, by ${nameOwner(run.workedOnBy)}`}
          {run.waiting !== undefined && `. ${run.waiting}`}
        </span>
      </div>
      {isLive(run) ? (
        <Link to={address} className={buttonClass()}>
          Watch
        </Link>
      ) : (
        <>
          <Link to={address} className={buttonClass('quiet')}>
            Open
          </Link>
          <Button
            onClick={() => {
              onFailure(undefined)
              resume()
            }}
            disabled={isPending}
            aria-label={`${run.workedOnBy ? 'Take over' : 'Resume'} the run of ${name}`}
          >
            {isPending ? 'Resuming…' : run.workedOnBy ? 'Take over…' : 'Resume'}
          </Button>
          {dialogs}
        </>
      )}
    </li>
  )
}

/** Runs in progress, including those started from the command line, and interrupted runs that can be resumed. */
export function OpenRuns() {
  const [failure, setFailure] = useState<Error>()
  const runs = useQuery({
    queryKey: ['runs', { limit: 50 }],
    queryFn: () => readReply(api.runs.$get({ query: { limit: '50' } })),
    refetchInterval: ({ state: { data } }) => (data?.runs.some(({ state }) => isInProgress(state)) ? 2_000 : false),
  })
  const open = groupRuns(runs.data?.runs ?? []).filter(({ state }) => isInProgress(state) || state === 'interrupted')
  if (open.length === 0) return null
  return (
    <section aria-label="Runs in progress" className="flex flex-col gap-2">
      <Panel>
        <ul className="divide-y divide-line">
          {open.slice(0, MAX_SHOWN).map((group) => (
            <OpenRun key={group.selection} group={group} onFailure={setFailure} />
          ))}
          {open.length > MAX_SHOWN && (
            <li className="px-3 py-1.5 text-muted">
              and {formatCount(open.length - MAX_SHOWN, 'more run')} in{' '}
              <Link to="/results" className="underline decoration-dotted hover:text-ink">
                Results
              </Link>
            </li>
          )}
        </ul>
      </Panel>
      {failure && (
        <FailureNotice title="The run could not be resumed. Its finished cells are saved." failure={failure} />
      )}
    </section>
  )
}
