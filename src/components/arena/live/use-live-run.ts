import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { LiveRunStore } from '../../../stores/liveRunStore.ts'
import { connectToRun, type ConnectionState, type LiveConnection } from './live-connection.ts'

/** The connection to a run and its state. */
export function useLiveConnection(
  runId: string,
  { areNamesShown = true }: { areNamesShown?: boolean } = {},
): { connection: LiveConnection; state: ConnectionState } {
  // Chosen once: when the series moves on, this same connection follows the next run.
  const [connection] = useState(() => connectToRun(runId, { areNamesShown }))
  useEffect(() => connection.showNames(areNamesShown), [connection, areNamesShown])
  useEffect(() => connection.hold(), [connection])
  return { connection, state: useSyncExternalStore(connection.subscribe, connection.getState) }
}

/** A value of the live run; re-renders with every update. */
export function useLive<T>(store: LiveRunStore, read: (store: LiveRunStore) => T): T {
  return useSyncExternalStore(store.subscribe, () => read(store))
}

/** One cell; re-renders only when it changes. */
export function useLiveCell(store: LiveRunStore, caseIndex: number, modelIndex: number) {
  const subscribe = useCallback(
    (listener: () => void) => store.subscribeCell(caseIndex, modelIndex, listener),
    [store, caseIndex, modelIndex],
  )
  return useSyncExternalStore(subscribe, () => store.getCell(caseIndex, modelIndex))
}

const SLOW_MS = 400
const MANY_CELLS = 20_000

/** Changes at most a few times a second, for figures computed from all cells. */
export function useSlowVersion(store: LiveRunStore): number {
  const [version, setVersion] = useState(0)
  const facts = useLive(store, ({ getFacts }) => getFacts())
  const isLarge = (facts?.cases.length ?? 0) * (facts?.models.length ?? 0) > MANY_CELLS
  useEffect(() => {
    const timer = window.setInterval(() => setVersion(store.getVersion()), isLarge ? SLOW_MS * 5 : SLOW_MS)
    return () => window.clearInterval(timer)
  }, [store, isLarge])
  return version
}
