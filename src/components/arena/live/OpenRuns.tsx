import type { ListedRun } from '../../../server/runs/listed-runs.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, navigate } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { FailureNotice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Page.tsx'

const MAX_SHOWN = 4

function describeFinished({ cells }: ListedRun): string {
  return `${formatCount(cells.total - cells.pending)} of ${formatCount(cells.total, 'cell')}`
}

function OpenRun({ run, onResume, isResuming }: { run: ListedRun; onResume: () => void; isResuming: boolean }) {
  const address = `/arena/run/${encodeURIComponent(run.id)}`
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
      <div className="min-w-0 flex-1 basis-64 break-words">
        <Badge kind={run.isLive ? 'accent' : 'warning'}>{run.isLive ? 'running' : 'interrupted'}</Badge>{' '}
        <span className="font-medium">{run.testSuiteName ?? run.id}</span>
        <span className="text-muted">
          {' '}
          {run.isLive ? 'is running' : 'was interrupted'}: {describeFinished(run)},{' '}
          {formatCount(run.models.length, 'model')}, started {formatLocalTime(run.startedAt)}
        </span>
      </div>
      {run.isLive ? (
        <Link to={address} className={buttonClass()}>
          Watch
        </Link>
      ) : (
        <>
          <Link to={address} className={buttonClass('quiet')}>
            Open
          </Link>
          <Button
            onClick={onResume}
            disabled={isResuming}
            aria-label={`Resume the run of ${run.testSuiteName ?? run.id}`}
          >
            {isResuming ? 'Resuming…' : 'Resume'}
          </Button>
        </>
      )}
    </li>
  )
}

/** Runs in progress, including those started from the command line, and interrupted runs that can be resumed. */
export function OpenRuns() {
  const queries = useQueryClient()
  const runs = useQuery({
    queryKey: ['runs', { limit: 50 }],
    queryFn: () => readReply(api.runs.$get({ query: { limit: '50' } })),
    refetchInterval: ({ state }) => (state.data?.runs.some(({ isLive }) => isLive) ? 2_000 : false),
  })
  const resume = useMutation({
    mutationFn: (id: string) => readReply(api.runs[':id'].resume.$post({ param: { id }, json: {} })),
    onSuccess: ({ runId }) => {
      void queries.invalidateQueries({ queryKey: ['runs'] })
      navigate(`/arena/run/${encodeURIComponent(runId)}`)
    },
  })
  const open = runs.data?.runs.filter(({ isLive, isInterrupted }) => isLive || isInterrupted) ?? []
  if (open.length === 0) return null
  return (
    <section aria-label="Runs in progress" className="flex flex-col gap-2">
      <Panel>
        <ul className="divide-y divide-line">
          {open.slice(0, MAX_SHOWN).map((run) => (
            <OpenRun
              key={run.id}
              run={run}
              onResume={() => resume.mutate(run.id)}
              isResuming={resume.isPending && resume.variables === run.id}
            />
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
      {resume.error && (
        <FailureNotice title="The run could not be resumed. Its finished cells are saved." failure={resume.error} />
      )}
    </section>
  )
}
