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
