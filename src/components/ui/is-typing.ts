/** Whether a key press belongs to a field, so that it is no command. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  )
}

export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog], [role=menu]') !== null
}
