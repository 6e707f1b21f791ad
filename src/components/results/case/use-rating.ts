import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { AnswerDetail } from '../../../server/results/cases/case-detail.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { draftOf, ratingChange, withoutSaved, type RatingDraft } from './rating.ts'

export interface RatedAnswer {
  selection: string
  testCaseId: string
  modelId: string
  answer: AnswerDetail
}

/** What is stored, with what the user changed on top. Changes are saved automatically, and only they are sent. */
export function useRating({ selection, testCaseId, modelId, answer }: RatedAnswer) {
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
