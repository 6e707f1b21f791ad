import { useEffect, useSyncExternalStore } from 'react'

/**
 * The app's text field that has the keyboard. A page in a frame can take the focus at any time, and no attribute of the frame
 * prevents it (tried in Chromium 153: `inert`, `allow`, hiding it); to notice it afterwards is too late for a letter or two. So there
 * are no frames while someone types.
 */
let field: HTMLElement | undefined
const listeners = new Set<() => void>()

const NOT_TEXT = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit'])

/**
 * The editor of a page's own code: its page stays while one types, to be seen. The keys it could take are its own code; the editor takes
 * the focus back.
 */
export const besideLivePreview = { 'data-beside-live-preview': '' }

function isTextField(element: unknown): element is HTMLElement {
  if (element instanceof HTMLElement && element.closest('[data-beside-live-preview]')) return false
  if (element instanceof HTMLInputElement) return !NOT_TEXT.has(element.type)
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && element.isContentEditable)
}

/** `document.activeElement` and not the event: a window in the background keeps its field. */
function look(): void {
  const { activeElement } = document
  const next = isTextField(activeElement) ? activeElement : undefined
  if (next === field) return
  field = next
  for (const listener of listeners) listener()
}

const lookSoon = () => void window.setTimeout(look)

function watchTyping(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) {
    document.addEventListener('focusin', look, true)
    document.addEventListener('focusout', lookSoon, true)
    look()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    document.removeEventListener('focusin', look, true)
    document.removeEventListener('focusout', lookSoon, true)
    field = undefined
  }
}

/** True while a text field of the app has the focus. */
export function useIsTyping(): boolean {
  const typedInto = useSyncExternalStore(watchTyping, () => field)
  useEffect(() => {
    // A page may have taken the focus before its frame was gone.
    if (typedInto && document.activeElement !== typedInto) typedInto.focus()
  }, [typedInto])
  return typedInto !== undefined
}
