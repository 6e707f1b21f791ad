import { canResume, isInProgress } from '../../../contract/index.ts'
import { RunnersOnly } from '../../access/for-runners.tsx'
import type { ArenaRunSummary } from '../../../server/code-arena/arena-list.ts'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { Link, navigate } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { explainStop, formatCount, formatScore } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/Menu.tsx'
import { toast } from '../../ui/toast.ts'
import { DeleteRunsDialog } from '../../results/runs/DeleteRunsDialog.tsx'
import { useResume } from '../../arena/live/use-resume.tsx'
import { RunStateBadge } from '../../ui/RunStateBadge.tsx'
import { nameOfPrompt } from '../arena-words.ts'
import { PagePictures } from '../share/PagePictures.tsx'
import { drawOrder } from '../vote/draw-order.ts'
import { getVoter, useRunsWithSeenNames } from '../vote/voter.ts'
import { isWaitingForVote } from '../vote/waiting-runs.ts'
import { CutName } from '../../ui/names/ModelName.tsx'

/** Columns in a wide window; in a narrow one the parts of a row wrap. */
export const historyLayout =
  'flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 lg:grid lg:grid-cols-[minmax(12rem,3fr)_minmax(14rem,3fr)_3rem_7rem_10.5rem_2rem]'

const addressOf = (runId: string) => `/code-arena/${encodeURIComponent(runId)}`

function RowMenu({ run }: { run: ArenaRunSummary }) {
  const [isDeleting, setDeleting] = useState(false)
  const namesSeen = useRunsWithSeenNames()
  const { resume, isPending, dialogs } = useResume({
    runId: run.runId,
    usedUpBudget: run.usedUpBudget,
    workedOnBy: run.workedOnBy,
    onResumed: (runId) => navigate(addressOf(runId)),
    onFailure: (error) => toast(`Not resumed: ${error.message}`),
  })
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${nameOfPrompt(run.prompt, 40)}, ${formatLocalTime(run.startedAt)}`}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => navigate(addressOf(run.runId))}>Open</MenuItem>
        <RunnersOnly>
          <MenuItem disabled={!canResume(run) || isPending} onSelect={resume}>
            {run.workedOnBy ? 'Take over…' : 'Resume'}
          </MenuItem>
          <MenuItem disabled={!isWaitingForVote(run, namesSeen)} onSelect={() => navigate(addressOf(run.runId))}>
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
        “{nameOfPrompt(run.prompt)}”, {formatLocalTime(run.startedAt)}: its {formatCount(run.models.length, 'page')}{' '}
        with scores and screenshots will be permanently deleted.
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

export function ArenaHistoryRow({ run, name, time }: ArenaHistoryRowProps) {
  const { runId, prompt, models, scores, votes, seriesId } = run
  const stop = explainStop(run)
  // Beside the names, the pictures must not tell who wrote which page.
  const isBlind = isWaitingForVote(run, useRunsWithSeenNames())
  return (
    <div role="row" className={`${historyLayout} border-b border-line last:border-b-0 hover:bg-hover`}>
      <span role="cell" className="min-w-0 flex-1 basis-3/4 lg:basis-auto">
        <Link
          to={addressOf(runId)}
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
