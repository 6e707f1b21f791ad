import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw, Square } from 'lucide-react'
import type { ArenaView } from '../../server/api-code-arena.ts'
import { api } from '../api-client.ts'
import { Link, navigate } from '../router.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import { canResume, countDone } from './arena-words.ts'
import { chooseAgain } from './code-arena-choices.ts'

interface ArenaRunActionsProps {
  view: ArenaView
  onResumed: () => void
  onFailure: (failure: unknown) => void
}

/** Stop, resume, vote, and the same once more. */
export function ArenaRunActions({ view, onResumed, onFailure }: ArenaRunActionsProps) {
  const queries = useQueryClient()
  const refresh = () => void queries.invalidateQueries({ queryKey: ['code-arena'] })
  const stop = useMutation({
    mutationFn: () => api.stopRun(view.runId),
    onSuccess: () => {
      refresh()
      toast('Stopped. What is done is kept; Resume goes on from there.')
    },
    onError: onFailure,
  })
  const resume = useMutation({
    mutationFn: () => api.resumeRun(view.runId),
    onSuccess: ({ runId }) => {
      refresh()
      if (runId === view.runId) onResumed()
      else navigate(`/code-arena/${encodeURIComponent(runId)}`, { replace: true })
    },
    onError: onFailure,
  })
  const models = view.panels.map(({ modelId }) => modelId)
  const canVote = !view.isLive && models.length > 1
  return (
    <>
      {view.isLive && (
        <Button onClick={() => stop.mutate()} disabled={stop.isPending} title="What is done is kept">
          <Square size={12} aria-hidden />
          {stop.isPending ? 'Stopping …' : 'Stop'}
        </Button>
      )}
      {canResume(view, countDone(view).errors) && (
        <Button onClick={() => resume.mutate()} disabled={resume.isPending} title="Asks what is open, and what ended in an error again">
          <RotateCcw size={14} aria-hidden />
          {resume.isPending ? 'Resuming …' : 'Resume'}
        </Button>
      )}
      <Button
        kind="quiet"
        onClick={() => {
          chooseAgain({ prompt: view.prompt, isQuickJudge: view.isQuickJudge, models })
          navigate('/code-arena')
        }}
        title="Puts the prompt and the models into the form"
      >
        Use as a start
      </Button>
      {view.seriesId !== undefined && (
        <Link to={`/results/${encodeURIComponent(`series:${view.seriesId}`)}`} className={buttonClass()}>
          Results of the series
        </Link>
      )}
      {canVote && (
        <Link to={`/code-arena?tab=vote&run=${encodeURIComponent(view.runId)}`} className={buttonClass('primary')}>
          Vote blind
        </Link>
      )}
    </>
  )
}
