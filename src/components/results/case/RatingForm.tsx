import { forRunners } from '../../access/for-runners.tsx'
import type { AnswerDetail } from '../../../server/results/cases/case-detail.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { RateCellRequest } from '../../../contract/index.ts'
import { classes } from '../../ui/classes.ts'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { draftOf, ratingRequest, ratingSteps, readPoints, type RatingDraft } from './rating.ts'

interface RatingFormProps {
  selection: string
  testCaseId: string
  modelId: string
  answer: AnswerDetail
}

/** Is sent even if the page is being closed. */
function rateCell(runId: string, rating: RateCellRequest) {
  const init = { keepalive: true }
  return readReply(api.runs[':id'].rating.$put({ param: { id: runId }, json: rating }, { init }))
}

/** A person's rating of the answer. Saved automatically. */
function RatingFormForRunners({ selection, testCaseId, modelId, answer }: RatingFormProps) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState(() => draftOf(answer.rating))
  const [isWaiting, setWaiting] = useState(false)
  const timer = useRef<number>(undefined)
  /** Typed but not sent yet. */
  const pending = useRef<RatingDraft>(undefined)
  /** Sent or queued, but not confirmed yet. */
  const unconfirmed = useRef<RateCellRequest>(undefined)
  const save = useMutation({
    mutationFn: (request: RateCellRequest) => rateCell(answer.runId, request),
    // One at a time: the last change must win.
    scope: { id: `rating ${answer.runId} ${testCaseId} ${modelId}` },
    onSuccess: (_, request) => {
      if (unconfirmed.current === request) unconfirmed.current = undefined
      return Promise.all([
        queries.invalidateQueries({ queryKey: ['caseDetail', selection, testCaseId] }),
        queries.invalidateQueries({ queryKey: ['cases', selection] }),
      ])
    },
  })
  const isInvalid = readPoints(draft.points) === 'invalid'

  const takePending = () => {
    window.clearTimeout(timer.current)
    const request = pending.current && ratingRequest(pending.current, { testCaseId, modelId })
    pending.current = undefined
    if (request) unconfirmed.current = request
    return request
  }
  const saveNow = () => {
    const request = takePending()
    setWaiting(false)
    if (request) save.mutate(request)
  }
  /** Does not wait for the previous save, because the page will be gone before it is confirmed. */
  const saveOnLeave = () => {
    takePending()
    if (unconfirmed.current) void rateCell(answer.runId, unconfirmed.current)
  }
  const change = (changes: Partial<RatingDraft>, delay: number) => {
    const next = { ...draft, ...changes }
    setDraft(next)
    pending.current = next
    setWaiting(true)
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(saveNow, delay)
  }
  // Leaving the case or the page during the delay must not lose anything typed.
  const latest = useRef({ saveNow, saveOnLeave })
  useEffect(() => {
    latest.current = { saveNow, saveOnLeave }
  })
  useEffect(() => {
    const leavePage = () => latest.current.saveOnLeave()
    window.addEventListener('pagehide', leavePage)
    return () => {
      window.removeEventListener('pagehide', leavePage)
      latest.current.saveNow()
    }
  }, [])

  const state =
    save.isPending || (isWaiting && !isInvalid)
      ? 'Saving…'
      : save.isError
        ? `Not saved: ${save.error.message}`
        : save.isSuccess && !isInvalid
          ? 'Saved'
          : ''
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="text-[13px] font-medium">Your rating</legend>
      <div className="flex flex-wrap items-center gap-1">
        {ratingSteps.map((step) => {
          const isChosen = draft.points === String(step)
          return (
            <button
              key={step}
              type="button"
              aria-pressed={isChosen}
              aria-label={`Rate ${step} of 100`}
              onClick={() => change({ points: isChosen ? '' : String(step) }, 0)}
              className={classes(
                'h-8 min-w-9 rounded-md border px-1.5 tabular-nums',
                isChosen
                  ? 'border-accent bg-accent-soft font-semibold text-accent-ink'
                  : 'border-line bg-surface hover:bg-hover',
              )}
            >
              {step}
            </button>
          )
        })}
        <TextField
          label="Rating, 0 to 100"
          isLabelHidden
          inputMode="decimal"
          placeholder="0–100"
          className="w-20"
          value={draft.points}
          error={isInvalid ? 'Enter a number from 0 to 100' : undefined}
          onChange={(event) => change({ points: event.target.value }, 600)}
          onBlur={saveNow}
        />
        <span
          role="status"
          className={classes('inline-flex items-center gap-1 text-xs', save.isError ? 'text-danger' : 'text-muted')}
        >
          {state === 'Saved' && <Check size={14} aria-hidden />}
          {state}
        </span>
      </div>
      <TextArea
        label="Note"
        rows={2}
        value={draft.note}
        onChange={(event) => change({ note: event.target.value }, 600)}
        onBlur={saveNow}
      />
    </fieldset>
  )
}

export const RatingForm = forRunners(RatingFormForRunners)
