import { useEffect, useEffectEvent } from 'react'

/** True if a key press goes to a text field, and so must not act as a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  )
}

const WITHOUT_TEXT = new Set(['checkbox', 'radio', 'button', 'submit', 'file', 'range', 'color'])

/** True if the browser itself undoes what was typed there. A checkbox or a list has no undo of its own. */
export function hasOwnUndo(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.has(target.type)
  return target.isContentEditable || target.tagName === 'TEXTAREA'
}

export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog], [role=menu]') !== null
}

export function hasModifier({ metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  return metaKey || ctrlKey || altKey
}

/** Handles every key that is pressed anywhere; `handle` returns true if it used the key. */
export function useAllKeys(handle: (event: KeyboardEvent) => boolean): void {
  const listen = useEffectEvent((event: KeyboardEvent) => {
    if (handle(event)) event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

/** Handles keys on the whole page, except those for a text field, a dialog or a menu. */
export function usePageKeys(handle: (key: string) => boolean): void {
  useAllKeys((event) => {
    const { target } = event
    const isInDialog = target instanceof HTMLElement && target.closest('[role=dialog],[role=menu]') !== null
    return !event.defaultPrevented && !hasModifier(event) && !isTyping(target) && !isInDialog && handle(event.key)
  })
}

/** j goes to the next one, k to the one before. */
export function useStepKeys(step: (by: 1 | -1) => void): void {
  usePageKeys((key) => {
    if (key !== 'j' && key !== 'k') return false
    step(key === 'j' ? 1 : -1)
    return true
  })
}

/** j and k move the focus between the links that match; Enter opens the focused one. */
export function useRowKeys(selector: string): void {
  useStepKeys((by) => {
    const links = [...document.querySelectorAll<HTMLElement>(selector)]
    const at = links.findIndex((link) => link === document.activeElement)
    links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus()
  })
}

/** Ctrl+Enter (or ⌘+Enter) runs what is on the screen, also while typing. */
export function useRunKey(run: () => void): void {
  useAllKeys((event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return false
    if (!isDialogOpen()) run()
    return true
  })
}
