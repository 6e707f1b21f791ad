import type { SuiteDocument } from '../../server/suites/suite-documents.ts'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { toast } from '../ui/toast.ts'
import { blankSuite, textOf, type Fields } from './suite-draft.ts'
import { recordEdit, redo, startHistory, undo, type SuiteHistory } from './suite-history.ts'
import { dropDraft, isSame, storeDraft, readDraft, type UnsavedDraft } from './unsaved-draft.ts'

export const NEW_SUITE = 'new'

interface DraftState {
  history: SuiteHistory
  /** Increases when the suite changes other than by typing: text fields with a state of their own start anew. */
  revision: number
  /** As last saved or loaded. */
  base: Fields
  /** The version the changes are based on; absent before the first save. */
  after: number | undefined
}

export interface SuiteDraft extends Omit<DraftState, 'history'> {
  suite: Fields
  isDirty: boolean
  canUndo: boolean
  canRedo: boolean
  /** Returns the suite as it is now; the same one if there is nothing to undo. */
  undo: () => Fields
  redo: () => Fields
  /** Unsaved changes from an earlier visit, for the user to restore or discard. */
  recovered: UnsavedDraft | undefined
  /** False if the browser could not store the changes, so that a reload would lose them. */
  isStored: boolean
  edit: (change: (suite: Fields) => Fields) => void
  restore: () => void
  discardRecovered: () => void
  /** Marks this version as saved. */
  settle: (saved: { suite: Fields; version: number }) => void
  replace: (document: SuiteDocument) => void
  /** Removes the stored draft for good, e.g. when a new suite gets its id. */
  abandon: () => void
}

function findRecovered(id: string, base: Fields): UnsavedDraft | undefined {
  const found = readDraft(window.localStorage, id)
  return found && !isSame(found.suite, base) ? found : undefined
}

/** False if the browser could not store the draft. */
function storeOrDrop(id: string, { history: { present: suite }, base, after }: DraftState): boolean {
  if (!isSame(suite, base))
    return storeDraft(window.localStorage, id, { suite, keptAt: Date.now(), ...(after !== undefined && { after }) })
  dropDraft(window.localStorage, id)
  return true
}

/** A suite being edited; the browser stores unsaved changes. */
export function useSuiteDraft(id: string, document: SuiteDocument | undefined): SuiteDraft {
  const [state, setState] = useState<DraftState>(() => {
    const base = document?.suite ?? blankSuite()
    return { history: startHistory(base), revision: 0, base, after: document?.version }
  })
  const [recovered, setRecovered] = useState(() => findRecovered(id, state.base))
  const [isStored, setStored] = useState(true)
  const isAbandoned = useRef(false)
  const { history, ...others } = state
  const suite = history.present
  const isDirty = useMemo(() => !isSame(suite, state.base), [suite, state.base])

  const storeNow = useEffectEvent((current: DraftState) => {
    if (!recovered && !isAbandoned.current) setStored(storeOrDrop(id, current))
  })
  useEffect(() => {
    const timer = window.setTimeout(() => storeNow(state), 500)
    return () => window.clearTimeout(timer)
  }, [state])

  const storeOnLeave = useEffectEvent(() => storeNow(state))
  const warnOnLeave = useEffectEvent(() => {
    if (isDirty && !recovered && !isAbandoned.current)
      toast(`${textOf(suite['name']) || 'The suite'} has unsaved changes. This browser keeps them; Suites lists them.`)
  })
  useEffect(() => {
    const listen = () => storeOnLeave()
    window.addEventListener('pagehide', listen)
    return () => {
      window.removeEventListener('pagehide', listen)
      storeOnLeave()
      warnOnLeave()
    }
  }, [])
  const travel = (step: typeof undo) => {
    const moved = step(history)
    setState((before) => ({ ...before, history: moved, revision: before.revision + 1 }))
    return moved.present
  }

  return {
    ...others,
    suite,
    isDirty,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => travel(undo),
    redo: () => travel(redo),
    recovered,
    isStored,
    edit: (change) =>
      setState((before) => {
        const next = recordEdit(before.history, change(before.history.present), Date.now())
        return next === before.history ? before : { ...before, history: next }
      }),
    restore: () => {
      if (recovered)
        setState((before) => ({
          ...before,
          history: recordEdit(before.history, recovered.suite, Date.now()),
          revision: before.revision + 1,
          after: recovered.after ?? before.after,
        }))
      setRecovered(undefined)
    },
    discardRecovered: () => {
      dropDraft(window.localStorage, id)
      setRecovered(undefined)
    },
    settle: (saved) => setState((before) => ({ ...before, base: saved.suite, after: saved.version })),
    replace: (saved) =>
      setState((before) => ({
        history: startHistory(saved.suite),
        revision: before.revision + 1,
        base: saved.suite,
        after: saved.version,
      })),
    abandon: () => {
      isAbandoned.current = true
      dropDraft(window.localStorage, id)
    },
  }
}
