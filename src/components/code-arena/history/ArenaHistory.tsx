import { Loaded } from '../../ui/Loaded.tsx'
import { RunnersOnly } from '../../access/for-runners.tsx'
import { useState } from 'react'
import { useRowKeys } from '../../ui/keys.ts'
import { Link, useAddress, navigate } from '../../router.tsx'
import { Button, buttonClass, IconButton } from '../../ui/Button.tsx'
import { TextField } from '../../ui/form/Field.tsx'
import { excerpt, formatCount, explainStop, formatScore } from '../../../report/words/index.ts'
import { EmptyState } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Page.tsx'
import { disambiguateTimes, nameApart } from './tell-runs-apart.ts'
import { useArenaRuns } from './use-arena-runs.ts'
import { canResume, isInProgress } from '../../../contract/index.ts'
import type { ArenaRunSummary } from '../../../server/code-arena/arena-list.ts'
import { Ellipsis } from 'lucide-react'
import { Badge } from '../../ui/Badge.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/Menu.tsx'
import { toast } from '../../ui/toast.ts'
import { DeleteRunsDialog } from '../../results/runs/DeleteRunsDialog.tsx'
import { useResume } from '../../arena/live/use-resume.tsx'
import { RunStateBadge } from '../../ui/RunStateBadge.tsx'
import { PagePictures } from '../share/PagePictures.tsx'
import { getVoter, useRunsWithSeenNames, arenaRunAddress } from '../vote/voter.ts'
import { CutName } from '../../ui/names/ModelName.tsx'
import { drawOrder, isWaitingForVote } from '../vote/ballot.ts'

/** Columns in a wide window; in a narrow one the parts of a row wrap. */
const historyLayout =
  'flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 lg:grid lg:grid-cols-[minmax(12rem,3fr)_minmax(14rem,3fr)_3rem_7rem_10.5rem_2rem]'

function RowMenu({ run }: { run: ArenaRunSummary }) {
  const [isDeleting, setDeleting] = useState(false)
  const namesSeen = useRunsWithSeenNames()
  const { resume, isPending, dialogs } = useResume({
    runId: run.runId,
    usedUpBudget: run.usedUpBudget,
    workedOnBy: run.workedOnBy,
    onResumed: (runId) => navigate(arenaRunAddress(runId)),
    onFailure: (error) => toast(`Not resumed: ${error.message}`),
  })
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${excerpt(run.prompt, 40)}, ${formatLocalTime(run.startedAt)}`}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => navigate(arenaRunAddress(run.runId))}>Open</MenuItem>
        <RunnersOnly>
          <MenuItem disabled={!canResume(run) || isPending} onSelect={resume}>
            {run.workedOnBy ? 'Take over…' : 'Resume'}
          </MenuItem>
          <MenuItem disabled={!isWaitingForVote(run, namesSeen)} onSelect={() => navigate(arenaRunAddress(run.runId))}>
            Vote blind
          </MenuItem>
          <MenuLine />
          <MenuItem isDanger disabled={isInProgress(run.state)} onSelect={() => setDeleting(true)}>
            Delete…
          </MenuItem>
        </RunnersOnly>
      </Menu>
      {dialogs}
      <DeleteRunsDialog
        title="Delete this run?"
        ids={[run.runId]}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
      >
        “{excerpt(run.prompt, 90)}”, {formatLocalTime(run.startedAt)}: its {formatCount(run.models.length, 'page')} with
        scores and screenshots will be permanently deleted.
      </DeleteRunsDialog>
    </>
  )
}

interface ArenaHistoryRowProps {
  run: ArenaRunSummary
  /** These tell the run apart from others that begin alike. */
  name: string
  time: string
}

function ArenaHistoryRow({ run, name, time }: ArenaHistoryRowProps) {
  const { runId, prompt, models, scores, votes, seriesId } = run
  const stop = explainStop(run)
  // Beside the names, the pictures must not tell who wrote which page.
  const isBlind = isWaitingForVote(run, useRunsWithSeenNames())
  return (
    <div role="row" className={`${historyLayout} border-b border-line last:border-b-0 hover:bg-hover`}>
      <span role="cell" className="min-w-0 flex-1 basis-3/4 lg:basis-auto">
        <Link
          to={arenaRunAddress(runId)}
          data-row
          className="flex min-w-0 items-center gap-1.5 py-0.5 font-medium hover:underline"
          title={prompt.slice(0, 500)}
        >
          <span className="truncate">{name}</span>
          {run.turn > 1 && <Badge>turn {run.turn}</Badge>}
          {seriesId !== undefined && <Badge>series</Badge>}
        </Link>
      </span>
      <span role="cell" className="min-w-0 max-lg:order-2 max-lg:w-full">
        <PagePictures
          models={isBlind ? drawOrder(models, { runId, voter: getVoter() }) : models}
          pictures={run.pictures}
          {...(isBlind && { nameOf: () => 'a model' })}
        />
        <span className="flex min-w-0 flex-wrap gap-x-3 text-[13px] tabular-nums">
          {models.map((model) => (
            <span key={model} className="flex max-w-full min-w-0 gap-1.5">
              <CutName name={model} className="max-w-60 text-muted" />
              <span className="font-medium">{formatScore(scores[model])}</span>
            </span>
          ))}
        </span>
      </span>
      <span role="cell" className="tabular-nums max-lg:order-3 lg:text-right">
        {votes}
        <span className="lg:hidden"> {votes === 1 ? 'vote' : 'votes'}</span>
      </span>
      <span role="cell" className="max-lg:order-3">
        <RunStateBadge run={run} />
        {stop && <div className="text-xs text-muted">{stop.short}</div>}
      </span>
      <span role="cell" className="text-[13px] whitespace-nowrap text-muted tabular-nums max-lg:order-3">
        {time}
      </span>
      <span role="cell" className="max-lg:order-1">
        <RowMenu run={run} />
      </span>
    </div>
  )
}

/** All Code Arena runs, newest first. */
export function ArenaHistory() {
  const [query, changeQuery] = useAddress()
  const runs = useArenaRuns()
  const search = query.get('search') ?? ''
  const all = runs.data?.pages.flatMap((page) => page.runs) ?? []
  const searchText = search.trim().toLowerCase()
  const found =
    searchText === ''
      ? all
      : all.filter(({ prompt, models, runId }) =>
          [prompt, ...models, runId].some((text) => text.toLowerCase().includes(searchText)),
        )
  useRowKeys('[data-row]')
  const names = nameApart(found)
  const times = disambiguateTimes(found, ({ runId, models }) => [names.get(runId), ...models].join('\n'))
  return (
    <Loaded
      query={runs}
      what="the runs"
      isEmpty={() => all.length === 0}
      empty={
        <EmptyState
          title="No runs yet."
          action={
            <RunnersOnly>
              <Link to="/code-arena" className={buttonClass('primary')}>
                Start a run
              </Link>
            </RunnersOnly>
          }
        >
          Runs appear here as soon as they start.
        </EmptyState>
      }
    >
      {({ pages }) => (
        <div className="flex flex-col gap-3">
          <TextField
            type="search"
            label="Search runs"
            isLabelHidden
            placeholder="Search by prompt or model"
            className="max-w-sm"
            value={search}
            onChange={(text) => changeQuery({ search: text })}
          />
          {found.length === 0 && (
            <EmptyState
              title={`No loaded runs match “${search}”.`}
              action={<Button onClick={() => changeQuery({ search: '' })}>Clear search</Button>}
            />
          )}
          {found.length > 0 && (
            <Panel>
              <div role="table" aria-label="Code Arena runs">
                <div role="row" className={`${historyLayout} border-b border-line text-xs text-muted max-lg:hidden`}>
                  <span role="columnheader">Prompt</span>
                  <span role="columnheader">Models and scores</span>
                  <span role="columnheader" className="text-right">
                    Votes
                  </span>
                  <span role="columnheader">State</span>
                  <span role="columnheader">When</span>
                  <span role="columnheader">
                    <span className="sr-only">More</span>
                  </span>
                </div>
                {found.map((run) => (
                  <ArenaHistoryRow
                    key={run.runId}
                    run={run}
                    name={names.get(run.runId)!}
                    time={times.get(run.runId)!}
                  />
                ))}
              </div>
            </Panel>
          )}
          <div className="flex items-center gap-3 text-muted">
            {formatCount(pages.at(-1)?.total ?? all.length, 'run')}
            {runs.hasNextPage && (
              <Button disabled={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
                {runs.isFetchingNextPage ? 'Loading…' : 'Show older runs'}
              </Button>
            )}
          </div>
        </div>
      )}
    </Loaded>
  )
}
