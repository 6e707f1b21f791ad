import { useMemo, useSyncExternalStore } from 'react'
import { ArenaConnection, type ArenaConnectionState } from './arena-connection.ts'

/** A Code Arena run, live or stored. */
export function useArenaRun(runId: string): ArenaConnectionState & { reopen: () => void } {
  const connection = useMemo(() => new ArenaConnection(runId), [runId])
  const state = useSyncExternalStore(connection.subscribe, connection.getState)
  return { ...state, reopen: connection.reopen }
}
