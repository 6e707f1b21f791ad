import { useStore } from 'zustand'
import { createArenaStore, type ArenaState } from '../../stores/arenaStore.ts'

/** One for the page: the choices outlive a visit to another screen. */
const arena = createArenaStore({
  getItem: (key) => window.localStorage.getItem(key),
  setItem: (key, value) => window.localStorage.setItem(key, value),
})

export function useArena<T>(select: (state: ArenaState) => T): T {
  return useStore(arena, select)
}
