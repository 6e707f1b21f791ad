import type { SuiteDocument } from '../../server/suites/suite-documents.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { blankSuite, type Fields } from './suite-draft.ts'
import { dropDraft, isSame, storeDraft, readDraft, type UnsavedDraft } from './unsaved-draft.ts'

export const NEW_SUITE = 'new'

interface DraftState {
  suite: Fields
  /** As last saved or loaded. */
  base: Fields
  /** The version the changes are based on; absent before the first save. */
  after: number | undefined
}

export interface SuiteDraft extends DraftState {
  isDirty: boolean
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
function storeOrDrop(id: string, { suite, base, after }: DraftState): boolean {
  if (suite !== base)
    return storeDraft(window.localStorage, id, { suite, keptAt: Date.now(), ...(after !== undefined && { after }) })
  dropDraft(window.localStorage, id)
  return true
}

/** A suite being edited; the browser stores unsaved changes. */
export function useSuiteDraft(id: string, document: SuiteDocument | undefined): SuiteDraft {
  const [state, setState] = useState<DraftState>(() => {
    const base = document?.suite ?? blankSuite()
    return { suite: base, base, after: document?.version }
  })
  const [recovered, setRecovered] = useState(() => findRecovered(id, state.base))
  const [isStored, setStored] = useState(true)
  const isAbandoned = useRef(false)
  const isDirty = state.suite !== state.base

  const storeNow = useEffectEvent((current: DraftState) => {
    if (!recovered && !isAbandoned.current) setStored(storeOrDrop(id, current))
  })
  useEffect(() => {
    const timer = window.setTimeout(() => storeNow(state), 500)
    return () => window.clearTimeout(timer)
  }, [state])

  const storeOnLeave = useEffectEvent(() => storeNow(state))
  useEffect(() => {
    // Leaving the screen within the app needs no warning: the changes are stored and offered on return.
    const listen = () => storeOnLeave()
    window.addEventListener('pagehide', listen)
    return () => {
      window.removeEventListener('pagehide', listen)
      storeOnLeave()
    }
  }, [])

  return {
    ...state,
    isDirty,
    recovered,
    isStored,
    edit: (change) =>
      setState((before) => {
        const suite = change(before.suite)
        if (isSame(suite, before.suite)) return before
        return { ...before, suite: isSame(suite, before.base) ? before.base : suite }
      }),
    restore: () => {
      if (recovered)
        setState((before) => ({ ...before, suite: recovered.suite, after: recovered.after ?? before.after }))
      setRecovered(undefined)
    },
    discardRecovered: () => {
      dropDraft(window.localStorage, id)
      setRecovered(undefined)
    },
    settle: ({ suite, version }) => setState((before) => ({ ...before, base: suite, after: version })),
    replace: ({ suite, version }) => setState({ suite, base: suite, after: version }),
    abandon: () => {
      isAbandoned.current = true
      dropDraft(window.localStorage, id)
    },
  }
}
