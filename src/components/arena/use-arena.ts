import { useStore } from 'zustand'
import { createArenaStore, type ArenaState } from '../../stores/arenaStore.ts'

/** One store per page, so that the choices survive a visit to another screen. */
const arena = createArenaStore({
  getItem: (key) => window.localStorage.getItem(key),
  setItem: (key, value) => window.localStorage.setItem(key, value),
})

export function useArena<T>(select: (state: ArenaState) => T): T {
  return useStore(arena, select)
}
