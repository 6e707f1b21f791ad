import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw, Square } from 'lucide-react'
import type { LiveProgress } from '../../server/api.ts'
import type { LiveRunFacts } from '../../stores/liveRunStore.ts'
import { api } from '../api-client.ts'
import { Link, navigate } from '../router.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { countOf } from '../ui/format.ts'
import { toast } from '../ui/toast.ts'
import type { RunPhase } from './run-words.ts'

/** A series is looked at as a whole. */
function resultsAddress({ runId, seriesId }: { runId: string; seriesId?: string | undefined }): string {
  return `/results/${encodeURIComponent(seriesId === undefined ? runId : `series:${seriesId}`)}`
}

interface LiveActionsProps {
  facts: LiveRunFacts
  progress: LiveProgress
  phase: RunPhase
  onResumed: () => void
  onFailure: (failure: unknown) => void
}

/** Stop, resume, see results. Stopping asks nothing: what is done stays, and a resume goes on from there. */
export function LiveActions({ facts, progress, phase, onResumed, onFailure }: LiveActionsProps) {
  const queries = useQueryClient()
  const refresh = () => void queries.invalidateQueries({ queryKey: ['runs'] })
  const stop = useMutation({
    mutationFn: () => api.stopRun(facts.runId),
    onSuccess: () => {
      refresh()
      toast(`Stopped. What is done is kept; Resume goes on from there.`)
    },
    onError: onFailure,
  })
  const resume = useMutation({
    mutationFn: () => api.resumeRun(facts.runId),
    onSuccess: ({ runId }) => {
      refresh()
      if (runId === facts.runId) onResumed()
      else navigate(`/arena/run/${encodeURIComponent(runId)}`, { replace: true })
    },
    onError: onFailure,
  })
  const isGoing = phase === 'running' || phase === 'between'
  const open = progress.total - progress.done
  const canResume = phase === 'stopped' || phase === 'interrupted' || phase === 'failed' || (phase === 'completed' && progress.errors > 0)
  return (
    <>
      {isGoing && (
        <Button onClick={() => stop.mutate()} disabled={stop.isPending} title="What is done is kept">
          <Square size={12} aria-hidden />
          {stop.isPending ? 'Stopping …' : 'Stop'}
        </Button>
      )}
      {canResume && (
        <Button
          onClick={() => resume.mutate()}
          disabled={resume.isPending}
          title={open > 0 ? `Asks the ${countOf(open, 'cell')} that are open, and those that ended in error again` : 'Asks those that ended in error again'}
        >
          <RotateCcw size={14} aria-hidden />
          {resume.isPending ? 'Resuming …' : 'Resume'}
        </Button>
      )}
      <Link to={resultsAddress(facts)} className={buttonClass(isGoing ? 'plain' : 'primary')}>
        See results
      </Link>
    </>
  )
}
