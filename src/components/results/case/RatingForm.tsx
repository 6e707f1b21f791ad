import { forRunners } from '../../access/for-runners.tsx'
import { Check } from 'lucide-react'
import { classes } from '../../ui/classes.ts'
import { TextArea, TextField } from '../../ui/form/Field.tsx'
import { draftOf, ratingChange, type RatingDraft, ratingSteps, readPoints, withoutSaved } from './rating.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { AnswerDetail } from '../../../server/results/cases/case-detail.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'

interface RatedAnswer {
  selection: string
  testCaseId: string
  modelId: string
  answer: AnswerDetail
}

/** What is stored, with what the user changed on top. Changes are saved automatically, and only they are sent. */
function useRating({ selection, testCaseId, modelId, answer }: RatedAnswer) {
  const queries = useQueryClient()
  const [edits, setEdits] = useState<Partial<RatingDraft>>({})
  const [isWaiting, setWaiting] = useState(false)
  const timer = useRef<number>(undefined)
  const focused = useRef<keyof RatingDraft>(undefined)
  /** Changed, but not confirmed by the server yet. */
  const unsaved = useRef<Partial<RatingDraft>>({})

  /** Is sent even if the page is being closed. */
  const send = (changed: Partial<RatingDraft>) => {
    const json = { testCaseId, modelId, ...ratingChange(changed) }
    const init = { keepalive: true }
    return readReply(api.runs[':id'].rating.$put({ param: { id: answer.runId }, json }, { init }))
  }
  /** Shows what is stored, except where the user still types or the server does not have it yet. */
  const showStored = () =>
    setEdits((current) => {
      const { points, note } = current
      const keeps = (field: keyof RatingDraft) => focused.current === field || unsaved.current[field] !== undefined
      return {
        ...(points !== undefined && keeps('points') && { points }),
        ...(note !== undefined && keeps('note') && { note }),
      }
    })
  const save = useMutation({
    mutationFn: send,
    // One at a time: the last change must win.
    scope: { id: `rating ${answer.runId} ${testCaseId} ${modelId}` },
    onSuccess: async (_, sent) => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['caseDetail', selection, testCaseId] }),
        queries.invalidateQueries({ queryKey: ['cases', selection] }),
      ])
      unsaved.current = withoutSaved(unsaved.current, sent)
      showStored()
    },
  })
  const hasUnsaved = () => Object.keys(ratingChange(unsaved.current)).length > 0
  const saveNow = () => {
    if (timer.current === undefined) return
    window.clearTimeout(timer.current)
    timer.current = undefined
    setWaiting(false)
    if (hasUnsaved()) save.mutate(unsaved.current)
  }
  /** Does not wait for the previous save, because the page will be gone before it is confirmed. */
  const saveOnLeave = () => {
    if (hasUnsaved()) void send(unsaved.current)
  }
  const change = (changes: Partial<RatingDraft>, delay: number) => {
    setEdits((current) => ({ ...current, ...changes }))
    unsaved.current = { ...unsaved.current, ...changes }
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

  return {
    draft: { ...draftOf(answer.rating), ...edits },
    change,
    save,
    isWaiting,
    /** For the text field of a part of the rating. */
    handlersOf: (field: keyof RatingDraft) => ({
      onFocus: () => {
        focused.current = field
      },
      onBlur: () => {
        focused.current = undefined
        saveNow()
        showStored()
      },
    }),
  }
}

/** A person's rating of the answer. Saved automatically. */
function RatingFormForRunners(rated: RatedAnswer) {
  const { draft, change, save, isWaiting, handlersOf } = useRating(rated)
  const isInvalid = readPoints(draft.points) === 'invalid'
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
          onChange={(text) => change({ points: text }, 600)}
          {...handlersOf('points')}
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
        onChange={(text) => change({ note: text }, 600)}
        {...handlersOf('note')}
      />
    </fieldset>
  )
}

export const RatingForm = forRunners(RatingFormForRunners)
