import { useEffect, useEffectEvent } from 'react'

const FIELDS = new Set(['INPUT', 'TEXTAREA', 'SELECT'])

/** In a field letters are text; in an open dialog or menu they are its own. */
function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || FIELDS.has(target.tagName) || target.closest('[role=dialog],[role=menu]') !== null
}

/** Listens on the whole page; `handle` says whether the key was its own. */
export function usePageKeys(handle: (key: string) => boolean): void {
  const listen = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isElsewhere(event.target)) return
    if (handle(event.key)) event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
