const FIELDS = 'input:not([type=hidden]), textarea, select, [contenteditable=true]'

function canFocus(element: HTMLElement): boolean {
  return !element.matches(':disabled') && element.tabIndex >= 0
}

/**
 * Where typing should start: the first field of the body, else the main action. That is the last button, unless it
 * destroys something: Enter must not delete what a slip of the mouse opened.
 */
export function focusFirst(dialog: HTMLElement): void {
  const [body, actions] = ['body', 'actions'].map((part) => dialog.querySelector(`[data-dialog=${part}]`))
  const field = [...(body?.querySelectorAll<HTMLElement>(FIELDS) ?? [])].find(canFocus)
  const buttons = [...(actions?.querySelectorAll<HTMLElement>('button, a') ?? [])].filter(canFocus)
  const main = buttons.findLast((button) => button.dataset['kind'] !== 'danger')
  const target = field ?? main ?? dialog
  target.focus()
}

/** What opened the dialog. A menu is gone by the time that the dialog closes, its button is not. */
export function findOpener(active: Element | null): HTMLElement | undefined {
  const menu = active?.closest('[role=menu]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  return opener instanceof HTMLElement && opener !== document.body ? opener : undefined
}

const WATCH_MS = 5_000

/**
 * A row that the dialog deleted takes its button along, at once or when the list has been loaded again: the focus then
 * goes to the screen, not to the top of the page.
 */
export function giveBackFocus(opener: HTMLElement | undefined): void {
  const focusScreen = () => document.getElementById('main')?.focus()
  if (!opener?.isConnected || opener.matches(':disabled')) return focusScreen()
  opener.focus()
  const observer = new MutationObserver(() => {
    if (opener.isConnected) return
    observer.disconnect()
    if (document.activeElement === document.body) focusScreen()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  window.setTimeout(() => observer.disconnect(), WATCH_MS)
}
