/** True if a key press goes to a text field, and so must not act as a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  )
}

export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog], [role=menu]') !== null
}
