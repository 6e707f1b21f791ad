import { X } from 'lucide-react'
import { Dialog as Parts } from 'radix-ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { classes } from './classes.ts'

const FIELDS = 'input:not([type=hidden]), textarea, select, [contenteditable=true]'

function canFocus(element: HTMLElement): boolean {
  return !element.matches(':disabled') && element.tabIndex >= 0
}

/**
 * Where typing should start: the first field of the body, else the main action. That is the last button, unless it
 * destroys something: Enter must not delete what a slip of the mouse opened.
 */
function focusFirst(dialog: HTMLElement): void {
  const [body, actions] = ['body', 'actions'].map((part) => dialog.querySelector(`[data-dialog=${part}]`))
  const field = [...(body?.querySelectorAll<HTMLElement>(FIELDS) ?? [])].find(canFocus)
  const buttons = [...(actions?.querySelectorAll<HTMLElement>('button, a') ?? [])].filter(canFocus)
  const main = buttons.findLast((button) => button.dataset['kind'] !== 'danger')
  const target = field ?? main ?? dialog
  target.focus()
}

/** What opened the dialog. A menu is gone by the time that the dialog closes, its button is not. */
function findOpener(active: Element | null): HTMLElement | undefined {
  const menu = active?.closest('[role=menu]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  return opener instanceof HTMLElement && opener !== document.body ? opener : undefined
}

/** Of a field that a slip could lose. What is searched for, ticked or chosen is done again at once. */
function textIn(target: EventTarget): string {
  if (target instanceof HTMLTextAreaElement) return target.value
  if (target instanceof HTMLInputElement)
    return /^(search|checkbox|radio|range|file)$/.test(target.type) ? '' : target.value
  return target instanceof HTMLElement && target.isContentEditable ? target.innerText : ''
}

const WATCH_MS = 5_000

/**
 * A row that the dialog deleted takes its button along, at once or when the list has been loaded again: the focus then
 * goes to the screen, not to the top of the page.
 */
function giveBackFocus(opener: HTMLElement | undefined): void {
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

interface DialogProps {
  title: string
  /** The purpose, in one sentence. */
  description?: ReactNode
  isOpen: boolean
  onClose: () => void
  children: ReactNode
  /** Buttons, the main action last. */
  actions?: ReactNode
  width?: 'narrow' | 'wide'
  /** What is typed is there again when the dialog is opened again: then Esc and Close do not ask. */
  keepsTyped?: boolean
}

/** Can be focused if it scrolls, because a keyboard cannot scroll it otherwise. */
function Body({ children }: { children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null)
  const [doesScroll, setScrolls] = useState(false)
  useEffect(() => {
    const element = body.current
    if (!element) return undefined
    const look = () => setScrolls(element.scrollHeight > element.clientHeight)
    const resizing = new ResizeObserver(look)
    resizing.observe(element)
    // What it contains can grow without it, up to the height of the window.
    const changing = new MutationObserver(look)
    changing.observe(element, { childList: true, subtree: true, attributes: true, characterData: true })
    return () => {
      resizing.disconnect()
      changing.disconnect()
    }
  }, [])
  return (
    <div
      ref={body}
      data-dialog="body"
      className="min-h-0 flex-1 overflow-auto px-4 py-3"
      {...(doesScroll && { tabIndex: 0 })}
    >
      {children}
    </div>
  )
}

/** Opens at its first field or main action, and gives the focus back to what opened it. */
export function Dialog({
  title,
  description,
  isOpen,
  onClose,
  children,
  actions,
  width = 'narrow',
  keepsTyped = false,
}: DialogProps) {
  const opener = useRef<HTMLElement>(undefined)
  const content = useRef<HTMLDivElement>(null)
  const hasTyped = useRef(false)
  const typedInto = useRef(new Set<EventTarget>())
  const [asksFor, setAsking] = useState<'Esc' | 'Close'>()
  const [isKept, setKept] = useState(false)
  const askOnce = (event: Pick<Event, 'preventDefault'>, by: 'Esc' | 'Close') => {
    if (keepsTyped || asksFor || ![...typedInto.current].some((field) => textIn(field) !== '')) return
    event.preventDefault()
    setAsking(by)
  }
  return (
    <Parts.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Parts.Portal>
        <Parts.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Parts.Content
          ref={content}
          onInput={({ target }) => {
            hasTyped.current = true
            typedInto.current.add(target)
            setAsking(undefined)
            setKept(keepsTyped && textIn(target) !== '')
          }}
          // A slip of the mouse or of a finger must not lose what was typed.
          onPointerDownOutside={(event) => hasTyped.current && event.preventDefault()}
          onEscapeKeyDown={(event) => askOnce(event, 'Esc')}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            hasTyped.current = false
            typedInto.current.clear()
            setAsking(undefined)
            setKept(false)
            opener.current = findOpener(document.activeElement)
            if (content.current) focusFirst(content.current)
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            giveBackFocus(opener.current)
          }}
          {...(description === undefined && { 'aria-describedby': undefined })}
          className={classes(
            'fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[calc(100vw-24px)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-lg border border-line bg-surface shadow-xl',
            width === 'wide' ? 'max-w-4xl' : 'max-w-lg',
          )}
        >
          <div className="flex items-start gap-3 border-b border-line px-4 py-3">
            <div className="min-w-0 flex-1">
              <Parts.Title className="text-base font-semibold break-words">{title}</Parts.Title>
              {description !== undefined && <Parts.Description className="text-muted">{description}</Parts.Description>}
            </div>
            <Parts.Close
              aria-label="Close"
              onClick={(event) => askOnce(event, 'Close')}
              className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover"
            >
              <X size={16} aria-hidden />
            </Parts.Close>
          </div>
          <Body>{children}</Body>
          <p
            role="status"
            className={classes('px-4 text-[13px]', asksFor ? 'pb-3 text-warning' : isKept && 'pb-3 text-muted')}
          >
            {asksFor
              ? `Not saved yet. Press ${asksFor} again to discard what you typed.`
              : isKept && 'Closing this keeps what you typed.'}
          </p>
          {actions !== undefined && (
            <div data-dialog="actions" className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">
              {actions}
            </div>
          )}
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  )
}
