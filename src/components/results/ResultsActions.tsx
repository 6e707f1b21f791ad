import { Loaded } from '../ui/Loaded.tsx'
import { useModels } from '../queries.ts'
import { isLive } from '../../contract/index.ts'
import { forRunners } from '../access/for-runners.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { Play, Plus, RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ResultsView } from '../../server/results/results-view.ts'
import { describeResume, describeRunAgain, formatCount } from '../../report/words/index.ts'
import { api } from '../api.ts'
import { readReply, problemsOf } from '../api-request.ts'
import { ModelPicker, noFilters } from '../arena/choices/ModelPicker.tsx'
import { useResume } from '../arena/live/use-resume.tsx'
import { Link, navigate, useAddress } from '../router.tsx'
import { useSingleMutation } from '../use-single-mutation.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Notice } from '../ui/Notice.tsx'
import { toast } from '../ui/toast.ts'
import { calibrateAddress, compareAddress, rateAddress, runAddress, viewAddress } from './addresses.ts'

/** The lists and results that a started run changes. */
function useRefresh(): () => void {
  const queries = useQueryClient()
  return () => {
    for (const key of ['runs', 'results', 'cases']) void queries.invalidateQueries({ queryKey: [key] })
  }
}

/** Finishes the run or retries its errors, and stays here: the page refreshes until it is done. */
function ResumeResults({
  resume: facts,
  view,
  kind = 'primary',
}: {
  resume: NonNullable<ResultsView['resume']>
  view: ResultsView
  kind?: 'primary' | 'plain'
}) {
  const refresh = useRefresh()
  const workedOnBy = view.runs.find((run) => run.workedOnBy)?.workedOnBy
  const { resume, isPending, dialogs } = useResume({
    runId: facts.runId,
    usedUpBudget: facts.usedUpBudget,
    workedOnBy,
    onResumed: refresh,
    onFailure: (error) => toast(`Not resumed: ${error.message}`),
  })
  return (
    <>
      <Button kind={kind} disabled={isPending} onClick={resume}>
        <RotateCcw size={14} aria-hidden />
        {isPending ? 'Resuming…' : workedOnBy ? 'Take over…' : describeResume(facts)}
      </Button>
      {dialogs}
    </>
  )
}

interface AgainProps {
  selection: string
  again: NonNullable<ResultsView['again']>
  /** The models that are shown. */
  models: string[]
  /** What the whole of it cost. */
  cost: string
  cells: number
}

/** Starts the stored request once more, as a new run; says first what that costs. */
function RunAgain({ selection, again, cost, cells }: AgainProps) {
  const [isAsking, setAsking] = useState(false)
  const refresh = useRefresh()
  const start = useSingleMutation({
    mutationFn: () => readReply(api.results[':selection'].again.$post({ param: { selection }, json: {} })),
    onSuccess: (started) => {
      refresh()
      navigate(runAddress(started))
    },
    onError: (error) => toast(`Not started: ${problemsOf(error).join(' ')}`),
  })
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Play size={14} aria-hidden /> Run again…
      </Button>
      <Dialog
        title="Run again?"
        description={describeRunAgain({ models: again.models.length, repeat: again.repeat, cells, cost })}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button kind="primary" disabled={start.isPending} onClick={() => start.mutate()}>
              {start.isPending ? 'Starting…' : 'Run again'}
            </Button>
          </>
        }
      >
        <p className="text-muted">This result stays as it is.</p>
      </Dialog>
    </>
  )
}

/** Runs other models on the same cases, as a part of this result. */
function AddModelDialog({ selection, again, models, onClose }: AgainProps & { onClose: () => void }) {
  const refresh = useRefresh()
  const [chosen, setChosen] = useState<string[]>([])
  const [filters, setFilters] = useState(noFilters)
  const list = useModels()
  const start = useSingleMutation({
    mutationFn: () =>
      readReply(api.results[':selection'].again.$post({ param: { selection }, json: { models: chosen } })),
    onSuccess: () => {
      refresh()
      onClose()
      toast('Started. The new results are part of this result, and appear here as they arrive.')
    },
  })
  const picker = useRef<HTMLDivElement>(null)
  // The dialog opened before there was a field to type in.
  useEffect(() => {
    if (list.isSuccess) picker.current?.querySelector('input')?.focus()
  }, [list.isSuccess])
  return (
    <Dialog
      title="Add a model"
      description={`The models you choose answer the same cases of the same version of the suite, with the same settings${again.repeat > 1 ? `, ${formatCount(again.repeat, 'time')}` : ''}. The models that are already here are not run again.`}
      isOpen
      onClose={onClose}
      width="wide"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={chosen.length === 0 || start.isPending} onClick={() => start.mutate()}>
            {start.isPending
              ? 'Starting…'
              : `Run ${chosen.length === 0 ? 'models' : formatCount(chosen.length, 'model')}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {start.error && (
          <Notice kind="error" title="Not started">
            {problemsOf(start.error).join(' ')}
          </Notice>
        )}
        <Loaded query={list} what="the models" rows={4}>
          {(loaded) => (
            <div ref={picker}>
              <ModelPicker
                label="Models"
                list={{ ...loaded, models: loaded.models.filter(({ id }) => !models.includes(id)) }}
                chosen={chosen}
                onChange={setChosen}
                filters={filters}
                onFilter={(changes) => setFilters((before) => ({ ...before, ...changes }))}
              />
            </div>
          )}
        </Loaded>
      </div>
    </Dialog>
  )
}

/** Run again and Add a model. */
function AgainActionsForRunners(props: AgainProps) {
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <RunAgain {...props} />
      <Button onClick={() => setAdding(true)}>
        <Plus size={14} aria-hidden /> Add a model…
      </Button>
      {isAdding && <AddModelDialog {...props} onClose={() => setAdding(false)} />}
    </>
  )
}

/** The control for the next step, if there is one. */
function NextActionForRunners({
  selection,
  view,
  suiteAddress,
}: {
  selection: string
  view: ResultsView
  suiteAddress: string | undefined
}) {
  const [address] = useAddress()
  const { next } = view.verdictCard
  const isBroken = next.kind === 'rescore' && view.verdictCard.state === 'broken'
  const resume = view.runs.some(isLive) ? undefined : view.resume
  if (resume && !isBroken) return <ResumeResults resume={resume} view={view} />
  if ((next.kind === 'add-cases' || isBroken) && suiteAddress !== undefined)
    return (
      <>
        <Link to={suiteAddress} className={buttonClass()}>
          Open the suite
        </Link>
        {resume && <ResumeResults resume={resume} view={view} kind="plain" />}
      </>
    )
  if (next.kind === 'choose-gap')
    return (
      <Link to={`${viewAddress(selection, 'statistics', { from: address })}#pair`} className={buttonClass()}>
        Choose the gap
      </Link>
    )
  if (next.kind === 'calibrate')
    return (
      <Link to={calibrateAddress(next.calibrate)} className={buttonClass()}>
        Calibrate
      </Link>
    )
  if (next.kind === 'vote') {
    const id = encodeURIComponent(view.runs.at(-1)!.id)
    return (
      <Link to={view.kind === 'page' ? `/code-arena/${id}` : `/vote/${id}`} className={buttonClass()}>
        Vote
      </Link>
    )
  }
  if (next.kind === 'add-model')
    return (
      <Link to={compareAddress('', selection)} className={buttonClass()}>
        Compare
      </Link>
    )
  if (next.kind === 'rate' || next.kind === 'score')
    return (
      <Link to={rateAddress(selection)} className={buttonClass()}>
        Rate answers
      </Link>
    )
  if (next.kind === 'read-reasons')
    return (
      <Link to={`${viewAddress(selection, 'statistics', { from: address })}#agreement`} className={buttonClass()}>
        See how far they agree
      </Link>
    )
  return null
}

export const AgainActions = forRunners(AgainActionsForRunners)

export const NextAction = forRunners(NextActionForRunners)
