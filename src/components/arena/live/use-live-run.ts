import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { LiveRunStore } from '../../../stores/liveRunStore.ts'
import { connectToRun, type ConnectionState, type LiveConnection } from './live-connection.ts'

/** The live state of a run, and how it is heard of. */
export function useLiveConnection(runId: string): { connection: LiveConnection; state: ConnectionState } {
  // Chosen once: when the series goes on, the connection is the next run's, and this page still has it.
  const [connection] = useState(() => connectToRun(runId))
  useEffect(() => connection.hold(), [connection])
  return { connection, state: useSyncExternalStore(connection.subscribe, connection.getState) }
}

/** A part of the run that changes with every beat. */
export function useLive<T>(store: LiveRunStore, read: (store: LiveRunStore) => T): T {
  return useSyncExternalStore(store.subscribe, () => read(store))
}

/** One cell: nothing else is drawn anew when it changes. */
export function useLiveCell(store: LiveRunStore, caseIndex: number, modelIndex: number) {
  const subscribe = useCallback(
    (listener: () => void) => store.subscribeCell(caseIndex, modelIndex, listener),
    [store, caseIndex, modelIndex],
  )
  return useSyncExternalStore(subscribe, () => store.getCell(caseIndex, modelIndex))
}

const SLOW_MS = 400
const MANY_CELLS = 20_000

/** Changes a few times a second at most: for figures made from all cells. */
export function useSlowVersion(store: LiveRunStore): number {
  const [version, setVersion] = useState(0)
  const facts = useLive(store, ({ getFacts }) => getFacts())
  const isHuge = (facts?.cases.length ?? 0) * (facts?.models.length ?? 0) > MANY_CELLS
  useEffect(() => {
    const timer = window.setInterval(() => setVersion(store.getVersion()), isHuge ? SLOW_MS * 5 : SLOW_MS)
    return () => window.clearInterval(timer)
  }, [store, isHuge])
  return version
}
