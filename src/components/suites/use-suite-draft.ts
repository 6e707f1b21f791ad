import type { SuiteDocument } from '../../server/suites/suite-documents.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { blankSuite, type Fields } from './suite-draft.ts'
import { dropDraft, isSame, keepDraft, readDraft, type UnsavedDraft } from './unsaved-draft.ts'

export const NEW_SUITE = 'new'

interface DraftState {
  suite: Fields
  /** As it was last saved or loaded. */
  base: Fields
  /** The version it was made from; absent before the first save. */
  after: number | undefined
}

export interface SuiteDraft extends DraftState {
  isDirty: boolean
  /** Changes from before a reload, waiting for a yes or no. */
  offered: UnsavedDraft | undefined
  /** The browser has no room for them: only saving keeps them. */
  isKept: boolean
  edit: (change: (suite: Fields) => Fields) => void
  takeOffered: () => void
  discardOffered: () => void
  /** The server has this now. */
  settle: (saved: { suite: Fields; version: number }) => void
  replace: (document: SuiteDocument) => void
  /** The suite lives under another id from now on, or nowhere: nothing of it is kept here. */
  abandon: () => void
}

function findOffered(id: string, base: Fields): UnsavedDraft | undefined {
  const found = readDraft(window.localStorage, id)
  return found && !isSame(found.suite, base) ? found : undefined
}

/** False when the browser did not take it. */
function keepOrDrop(id: string, { suite, base, after }: DraftState): boolean {
  if (suite !== base)
    return keepDraft(window.localStorage, id, { suite, keptAt: Date.now(), ...(after !== undefined && { after }) })
  dropDraft(window.localStorage, id)
  return true
}

/** A suite being edited, kept by the browser until it is saved. */
export function useSuiteDraft(id: string, document: SuiteDocument | undefined): SuiteDraft {
  const [state, setState] = useState<DraftState>(() => {
    const base = document?.suite ?? blankSuite()
    return { suite: base, base, after: document?.version }
  })
  const [offered, setOffered] = useState(() => findOffered(id, state.base))
  const [isKept, setKept] = useState(true)
  const isAbandoned = useRef(false)
  const isDirty = state.suite !== state.base

  const keep = useEffectEvent((current: DraftState) => {
    if (!offered && !isAbandoned.current) setKept(keepOrDrop(id, current))
  })
  useEffect(() => {
    const timer = window.setTimeout(() => keep(state), 500)
    return () => window.clearTimeout(timer)
  }, [state])

  const leave = useEffectEvent(() => keep(state))
  useEffect(() => {
    // Leaving the screen inside the app asks nothing: the changes are kept and offered on return.
    const listen = () => leave()
    window.addEventListener('pagehide', listen)
    return () => {
      window.removeEventListener('pagehide', listen)
      leave()
    }
  }, [])

  return {
    ...state,
    isDirty,
    offered,
    isKept,
    edit: (change) =>
      setState((before) => {
        const suite = change(before.suite)
        if (isSame(suite, before.suite)) return before
        return { ...before, suite: isSame(suite, before.base) ? before.base : suite }
      }),
    takeOffered: () => {
      if (offered) setState((before) => ({ ...before, suite: offered.suite, after: offered.after ?? before.after }))
      setOffered(undefined)
    },
    discardOffered: () => {
      dropDraft(window.localStorage, id)
      setOffered(undefined)
    },
    settle: ({ suite, version }) => setState((before) => ({ ...before, base: suite, after: version })),
    replace: ({ suite, version }) => setState({ suite, base: suite, after: version }),
    abandon: () => {
      isAbandoned.current = true
      dropDraft(window.localStorage, id)
    },
  }
}
