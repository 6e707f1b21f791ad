import { ChevronDown, ChevronRight, Ellipsis } from 'lucide-react'
import { useRef, useState } from 'react'
import { isInProgress, isLive, type RunLabel } from '../../../contract/index.ts'
import { Link, navigate } from '../../router.tsx'
import { RunStateBadge } from '../../ui/RunStateBadge.tsx'
import { classes } from '../../ui/classes.ts'
import {
  describeOpenCells,
  explainStop,
  formatCost,
  formatCount,
  formatLeastCost,
  formatScore,
} from '../../../report/words/index.ts'
import { nameBriefly } from '../../../report/words/names.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { resultsAddress } from '../addresses.ts'
import { LabelEditor } from './LabelEditor.tsx'
import { Tags } from './LabelParts.tsx'
import { type RunGroup, resumable } from './run-groups.ts'
import { CutName } from '../../ui/names/ModelName.tsx'
import { RunnersOnly } from '../../access/for-runners.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { useResume } from '../../arena/live/use-resume.tsx'
import { markNamesOfRunsSeen } from '../../code-arena/vote/voter.ts'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/Menu.tsx'
import { toast } from '../../ui/toast.ts'
import { ExportLinks } from '../ExportMenu.tsx'
import { watchAddress } from '../addresses.ts'
import { DeleteRunsDialog } from './DeleteRunsDialog.tsx'

function RunMenu({ group, onLabel }: { group: RunGroup; onLabel: () => void }) {
  const isLabelling = useRef(false)
  const queries = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const [isRescoring, setRescoring] = useState(false)
  const open = resumable(group)
  const isRunning = isInProgress(group.state)
  const { resume, isPending, dialogs } = useResume({
    runId: open?.id ?? '',
    usedUpBudget: open?.usedUpBudget,
    workedOnBy: open?.workedOnBy,
    onResumed: (runId) => navigate(watchAddress({ ...group, id: runId })),
    onFailure: (error) => toast(`Not resumed: ${error.message}`),
  })
  const rescore = useSingleMutation({
    mutationFn: async () => {
      for (const { id } of group.runs) await readReply(api.runs[':id'].rescore.$post({ param: { id } }))
    },
    onSuccess() {
      setRescoring(false)
      toast('Rescoring the stored answers.')
    },
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <>
      <Menu
        onClosed={(event) => {
          if (!isLabelling.current) return
          isLabelling.current = false
          // The form takes the focus.
          event.preventDefault()
          onLabel()
        }}
        trigger={
          <IconButton
            label={`Actions for ${group.label?.name ?? group.suiteName}, ${formatLocalTime(group.startedAt)}`}
          >
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => navigate(resultsAddress(group.selection))}>Open</MenuItem>
        <RunnersOnly>
          <MenuItem onSelect={() => (isLabelling.current = true)}>Name, tags, note…</MenuItem>
          <MenuItem disabled={!open || isPending} onSelect={resume}>
            {open?.workedOnBy ? 'Take over…' : 'Resume'}
          </MenuItem>
          <MenuItem disabled={isRunning || rescore.isPending} onSelect={() => setRescoring(true)}>
            Rescore…
          </MenuItem>
        </RunnersOnly>
        <MenuLine />
        <ExportLinks
          selection={group.selection}
          onExport={() =>
            markNamesOfRunsSeen(
              group.kind,
              group.runs.map(({ id }) => id),
            )
          }
        />
        <RunnersOnly>
          <MenuLine />
          <MenuItem isDanger disabled={isRunning} onSelect={() => setDeleting(true)}>
            Delete…
          </MenuItem>
        </RunnersOnly>
      </Menu>
      {dialogs}
      <Dialog
        title="Rescore?"
        description="The stored answers are scored with the suite as it is now. Nothing is sent to the models; judges are paid again."
        isOpen={isRescoring}
        onClose={() => setRescoring(false)}
        actions={
          <>
            <Button onClick={() => setRescoring(false)}>Cancel</Button>
            <Button kind="primary" disabled={rescore.isPending} onClick={() => rescore.mutate()}>
              {rescore.isPending ? 'Starting…' : 'Rescore'}
            </Button>
          </>
        }
      >
        <p className="text-muted">If the suite has changed, the scores go to a new result and this one stays.</p>
        <FailureNotice failure={rescore.error} title="Not rescored" />
      </Dialog>
      <DeleteRunsDialog
        title={`Delete ${group.isSeries ? `this series of ${formatCount(group.runs.length, 'run')}` : 'this run'}?`}
        ids={group.runs.map(({ id }) => id)}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
      >
        {group.suiteName}, {formatLocalTime(group.startedAt)}: its {formatCount(group.cells, 'cell')}, with answers,
        scores, ratings and notes, will be permanently deleted. The suite will be kept.
      </DeleteRunsDialog>
    </>
  )
}

/** The best of them: the row stays one line, and its result has the others. */
const MAX_MODELS = 2
const MAX_NAME_LENGTH = 22

/** Columns in a wide window; in a narrow one the parts of a row wrap. */
export const rowLayout =
  'flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 xl:grid xl:grid-cols-[1.75rem_1.5rem_minmax(9rem,3fr)_9.5rem_minmax(9rem,5fr)_7.5rem_6.5rem_4.5rem_2rem] xl:py-1.5'

interface RunRowProps {
  group: RunGroup
  /** For a run in an expanded series: `Run 2 of 3`. */
  place?: string
  index: number
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  isOpen: boolean
  onToggle?: (() => void) | undefined
  isLabelling: boolean
  onLabel: (isLabelling: boolean) => void
}

function Models({ group: { models, means } }: { group: RunGroup }) {
  const nameOf = nameBriefly(models, MAX_NAME_LENGTH)
  const more = models.slice(MAX_MODELS)
  return (
    <ul className="flex min-w-0 gap-x-3 text-[13px] tabular-nums max-xl:flex-wrap">
      {models.slice(0, MAX_MODELS).map((model) => (
        <li key={model} title={model} className="flex max-w-full min-w-0 gap-1.5">
          <CutName name={nameOf(model)} className="max-w-60 text-muted" />
          <span className="font-medium">{formatScore(means.get(model))}</span>
        </li>
      ))}
      {more.length > 0 && (
        <li className="whitespace-nowrap text-muted" title={more.join(', ')}>
          +{formatCount(more.length)}
        </li>
      )}
    </ul>
  )
}

/** What the first line does not show: the suite of a named run, tags, the beginning of the note. */
function LabelLine({ label: { name, tags, note }, suiteName }: { label: RunLabel; suiteName: string }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 text-xs text-muted">
      {name !== undefined && <span className="max-w-full truncate">{suiteName}</span>}
      {tags && <Tags tags={tags} />}
      {note !== undefined && (
        <bdi className="min-w-0 flex-1 basis-24 truncate" title={note}>
          {note.split('\n')[0]}
        </bdi>
      )}
    </span>
  )
}

function State({ group }: { group: RunGroup }) {
  const { state, runs } = group
  const live = runs.find(isLive)
  const shown = live ?? runs.find((run) => run.state === state)!
  const stop = explainStop(shown)
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <RunStateBadge run={shown} />
      {live && (
        <Link to={watchAddress(live)} className="text-accent-ink underline">
          watch
        </Link>
      )}
      {shown.waiting !== undefined && (
        <span className="line-clamp-3 text-xs break-words text-muted">{shown.waiting}</span>
      )}
      {stop && <span className="text-xs text-muted">{stop.short}</span>}
    </span>
  )
}

function OpenCells({ group }: { group: RunGroup }) {
  const open = describeOpenCells({ ...group, isLive: isInProgress(group.state) })
  if (open === '')
    return (
      <span className="text-muted">
        <span className="max-xl:hidden">none of {formatCount(group.cells)}</span>
        <span className="xl:hidden">{formatCount(group.cells, 'cell')}, all scored</span>
      </span>
    )
  return <span className={isInProgress(group.state) ? 'text-muted' : 'text-warning'}>{open}</span>
}

/** One run or one series. */
export function RunRow(props: RunRowProps) {
  const { group, place, index, isChosen, onChoose, isOpen, onToggle, isLabelling, onLabel } = props
  const { selection, suiteName, label, startedAt, isSeries, runs, notStarted, cost, unknownCosts } = group
  const spent = formatLeastCost(cost, unknownCosts)
  const name = `${label?.name ?? suiteName}, ${place ?? formatLocalTime(startedAt)}`
  const menu = useRef<HTMLSpanElement>(null)
  const close = () => {
    onLabel(false)
    window.requestAnimationFrame(() => menu.current?.querySelector('button')?.focus())
  }
  return (
    <div
      role="row"
      className={classes(rowLayout, 'border-b border-line hover:bg-hover', place !== undefined && 'bg-sunken')}
    >
      <span role="cell" className="flex size-6 items-center justify-center">
        <input
          type="checkbox"
          className="size-4 accent-(--accent)"
          aria-label={`Select ${name}`}
          checked={isChosen}
          onChange={(event) => onChoose(event.target.checked)}
        />
      </span>
      <span role="cell" className={classes(!isSeries && 'max-xl:hidden')}>
        {isSeries && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={isOpen ? `Collapse the series ${name}` : `Expand the series ${name}`}
            onClick={onToggle}
            className="flex size-6 items-center justify-center rounded hover:bg-sunken"
          >
            {isOpen ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
          </button>
        )}
      </span>
      <span role="cell" className="min-w-0 flex-1 basis-40 sm:max-xl:basis-7/10">
        <Link
          to={resultsAddress(selection)}
          data-row={index}
          className="flex gap-1.5 py-0.5 font-medium hover:underline"
          title={label?.name === undefined ? suiteName : `${label.name} · ${suiteName}`}
        >
          <span className="line-clamp-3 min-w-0 break-words">
            <bdi>{place ?? label?.name ?? suiteName}</bdi>
          </span>
          {isSeries && (
            <span className="font-normal whitespace-nowrap text-muted">
              · {notStarted > 0 && `${formatCount(runs.length)} of `}
              {formatCount(runs.length + notStarted, 'run')}
            </span>
          )}
        </Link>
        {place === undefined && label && <LabelLine label={label} suiteName={suiteName} />}
      </span>
      <span role="cell" className="text-[13px] whitespace-nowrap text-muted tabular-nums max-xl:order-2">
        {formatLocalTime(startedAt)}
        {runs[0]?.startedBy && (
          <span className="block max-w-44 truncate" title={`Started by ${runs[0].startedBy.name}`}>
            {runs[0].startedBy.name}
          </span>
        )}
      </span>
      <span role="cell" className="min-w-0 max-xl:order-last max-xl:w-full">
        <Models group={group} />
      </span>
      <span role="cell" className="max-xl:order-2">
        <State group={group} />
      </span>
      <span role="cell" className="text-[13px] tabular-nums max-xl:order-2">
        <OpenCells group={group} />
      </span>
      <span
        role="cell"
        className="text-[13px] tabular-nums max-xl:order-2 xl:text-right"
        title={formatCost(cost, unknownCosts)}
      >
        {/* A wide list has a heading for it. */}
        {spent === 'unknown' && <span className="xl:hidden">cost </span>}
        {spent}
      </span>
      <span role="cell" ref={menu} className="max-xl:order-1">
        <RunMenu group={group} onLabel={() => onLabel(true)} />
      </span>
      {isLabelling && (
        <div role="cell" className="order-last w-full py-2 xl:col-span-7 xl:col-start-3">
          <LabelEditor runId={runs[0]!.id} isSeries={isSeries} onClose={close} />
        </div>
      )}
    </div>
  )
}
