import { useSyncExternalStore } from 'react'

/** The narrowest windows that are not a phone's, and those with room for a table of many columns beside the navigation. */
const windows = { phone: '(max-width: 639px)', 'many columns': '(max-width: 1023px)' }

const watch = (query: string) => (listener: () => void) => {
  const media = window.matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

const watchers = { phone: watch(windows.phone), 'many columns': watch(windows['many columns']) }

/** True in a window as narrow as a phone's, or in one without room for many columns. */
export function useNarrow(than: keyof typeof windows = 'phone'): boolean {
  return useSyncExternalStore(
    watchers[than],
    () => window.matchMedia(windows[than]).matches,
    () => false,
  )
}
