import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { findShownState, type LiveProgress, type RunState } from '../../../contract/index.ts'
import type { LiveRunFacts, LiveRunStore } from '../../../stores/liveRunStore.ts'
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

const noListener = () => () => undefined

/** One cell; re-renders only when it changes. Undefined without a live run, and while nothing happens to the cell. */
export function useLiveCell(store: LiveRunStore | undefined, caseId: string, modelId: string) {
  const subscribe = useCallback(
    (listener: () => void) => store?.subscribeCell(caseId, modelId, listener) ?? noListener(),
    [store, caseId, modelId],
  )
  return useSyncExternalStore(subscribe, () => store?.getCell(caseId, modelId))
}

/** What a screen shows of a run in progress. */
export interface LiveView {
  connection: LiveConnection
  facts: LiveRunFacts
  progress: LiveProgress
  state: RunState
  /** No more updates will arrive. */
  hasEnded: boolean
  isLost: boolean
}

/** Undefined until the first snapshot. */
export function readLive(connection: LiveConnection): LiveView | undefined {
  const { store } = connection
  const [facts, progress, hasEnded] = [store.getFacts(), store.getProgress(), store.hasEnded()]
  if (!facts || !progress) return undefined
  const state = findShownState(progress, { hasEnded, isLastRun: facts.runNumber >= facts.runsPlanned })
  return { connection, facts, progress, state, hasEnded, isLost: connection.getState().kind === 'lost' }
}

/** Figures that change more often cannot be read. */
const FIGURES_MS = 1000

/**
 * The run in progress with this id, then as it ended, and again if it is resumed elsewhere. Changes once a second, and
 * at once if its state does.
 */
export function useLiveView(given: string | undefined): LiveView | undefined {
  const [runId, follow] = useState(given)
  const [shown, setShown] = useState<LiveView>()
  if (given !== undefined && given !== runId) follow(given)
  useEffect(() => {
    if (runId === undefined) return undefined
    const connection = connectToRun(runId, { areNamesShown: true })
    const release = connection.hold()
    let timer: number | undefined
    let last: LiveView | undefined
    const show = () => {
      window.clearTimeout(timer)
      timer = undefined
      last = readLive(connection)
      setShown(last)
    }
    const listen = () => {
      const now = readLive(connection)
      const isSame = now?.facts === last?.facts && now?.state === last?.state && now?.hasEnded === last?.hasEnded
      if (isSame) timer ??= window.setTimeout(show, FIGURES_MS)
      else show()
    }
    show()
    const unsubscribe = [connection.store.subscribe(listen), connection.subscribe(show)]
    return () => {
      window.clearTimeout(timer)
      for (const stop of unsubscribe) stop()
      release()
    }
  }, [runId])
  return shown
}
