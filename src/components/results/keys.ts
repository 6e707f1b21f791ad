import { useEffect, useEffectEvent } from 'react'

const FIELDS = new Set(['INPUT', 'TEXTAREA', 'SELECT'])

/** True if the key belongs to a text field, a dialog or a menu. */
function isHandledElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || FIELDS.has(target.tagName) || target.closest('[role=dialog],[role=menu]') !== null
}

/** Handles keys on the whole page; `handle` returns true if it used the key. */
export function usePageKeys(handle: (key: string) => boolean): void {
  const listen = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isHandledElsewhere(event.target))
      return
    if (handle(event.key)) event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
