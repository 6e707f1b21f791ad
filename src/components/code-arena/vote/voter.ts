import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { RunKind } from '../../../contract/index.ts'
import { NAMES_SEEN_KEY, readRunsWithSeenNames, writeRunsWithSeenNames } from '../../names-seen.ts'

const VOTER_KEY = 'benchmaker-code-arena-voter'

function readFromBrowser(key: string): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch {
    // Storage is disabled: everything applies until the page is closed.
    return null
  }
}

function keepInBrowser(key: string, text: string): void {
  try {
    window.localStorage.setItem(key, text)
  } catch {
    // Full or disabled, see above.
  }
}

let known: string | undefined

/** Who votes: this browser. Nobody signs in with a name. */
export function getVoter(): string {
  known ??= readFromBrowser(VOTER_KEY) ?? undefined
  if (known === undefined) {
    known = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    )
    keepInBrowser(VOTER_KEY, known)
  }
  return known
}

/** The runs of which this person knows who wrote which page. */
const seen = createStore(() => ({ runIds: new Set(readRunsWithSeenNames()) }))

// Names that another tab shows are known in this one too.
window.addEventListener('storage', ({ key }) => {
  if (key === NAMES_SEEN_KEY) seen.setState({ runIds: new Set(readRunsWithSeenNames()) })
})

export function useHasSeenNames(runId: string): boolean {
  return useStore(seen, ({ runIds }) => runIds.has(runId))
}

export function useRunsWithSeenNames(): ReadonlySet<string> {
  return useStore(seen, ({ runIds }) => runIds)
}

export function markNamesSeen(runId: string): void {
  // From storage, because another tab may have added some.
  const runIds = new Set([...seen.getState().runIds, ...readRunsWithSeenNames()])
  if (seen.getState().runIds.has(runId)) return
  runIds.add(runId)
  writeRunsWithSeenNames([...runIds])
  seen.setState({ runIds })
}

/** Runs of any suite; those that are not of the Code Arena are ignored. */
export function markNamesOfRunsSeen(kind: RunKind | undefined, runIds: readonly string[]): void {
  if (kind === 'page') for (const runId of runIds) markNamesSeen(runId)
}

/** For screens that show which model wrote which page: later votes on these runs are not blind. */
export function useNamesShown(kind: RunKind | undefined, runIds: readonly string[] = []): void {
  const ids = runIds.join(' ')
  useEffect(() => {
    if (ids !== '') markNamesOfRunsSeen(kind, ids.split(' '))
  }, [kind, ids])
}

export function arenaRunAddress(runId: string): string {
  return `/code-arena/${encodeURIComponent(runId)}`
}
