import type { ArenaRunSummary } from '../../../server/code-arena/arena-list.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { useArenaRuns } from '../history/use-arena-runs.ts'
import { Link, navigate } from '../../router.tsx'
import { useEffect, type ReactNode } from 'react'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Page.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { disambiguateTimes, nameApart } from '../history/tell-runs-apart.ts'
import { useRunsWithSeenNames, arenaRunAddress } from './voter.ts'
import { countOpenPairs, isWaitingForVote } from './ballot.ts'

function Waiting({ all, older }: { all: ArenaRunSummary[]; older: ReactNode }) {
  const seen = useRunsWithSeenNames()
  const waiting = all.filter((run) => isWaitingForVote(run, seen))
  const [newest] = waiting
  if (!newest)
    return (
      <EmptyState
        title={all.length === 0 ? 'There is nothing to vote on yet.' : 'No run is waiting for your vote.'}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {older}
            <Link to="/code-arena" className={buttonClass('primary')}>
              Start a run
            </Link>
          </div>
        }
      >
        A vote needs at least two pages that work, and is blind only before you have seen the names.
      </EmptyState>
    )
  const names = nameApart(waiting)
  const times = disambiguateTimes(waiting, ({ runId: id }) => names.get(id)!)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Link to={arenaRunAddress(newest.runId)} className={buttonClass('primary')}>
          Vote on the newest
        </Link>
        <span className="text-muted">{formatCount(waiting.length, 'run')} without your vote</span>
      </div>
      <Panel>
        <ul aria-label="Runs to vote on" className="divide-y divide-line">
          {waiting.map((run) => (
            <li key={run.runId} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-3 py-1.5 hover:bg-hover">
              <Link
                to={arenaRunAddress(run.runId)}
                title={run.prompt.slice(0, 500)}
                className="min-w-0 flex-1 basis-60 truncate font-medium hover:underline"
              >
                {names.get(run.runId)}
              </Link>
              <span className="text-muted tabular-nums">
                {formatCount(run.models.length, 'page')} · {formatCount(countOpenPairs(run), 'pair')}
              </span>
              <span className="text-[13px] whitespace-nowrap text-muted tabular-nums">{times.get(run.runId)}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}

/** The runs that this person can still vote on blind, newest first. */
export function VoteQueue({ runId }: { runId: string | undefined }) {
  const runs = useArenaRuns()
  useEffect(() => {
    // An address of an earlier version.
    if (runId !== undefined) navigate(arenaRunAddress(runId), { replace: true })
  }, [runId])
  const older = runs.hasNextPage && (
    <Button disabled={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
      Look at older runs
    </Button>
  )
  return (
    <Loaded query={runs} what="the runs" rows={4}>
      {({ pages }) => runId === undefined && <Waiting all={pages.flatMap((page) => page.runs)} older={older} />}
    </Loaded>
  )
}
