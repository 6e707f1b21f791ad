import { X } from 'lucide-react'
import { Dialog as Parts } from 'radix-ui'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { classes } from './classes.ts'
import { findOpener, focusFirst, giveBackFocus } from './dialog-focus.ts'

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
export function Dialog({ title, description, isOpen, onClose, children, actions, width = 'narrow' }: DialogProps) {
  const opener = useRef<HTMLElement>(undefined)
  const content = useRef<HTMLDivElement>(null)
  return (
    <Parts.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Parts.Portal>
        <Parts.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Parts.Content
          ref={content}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
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
              className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover"
            >
              <X size={16} aria-hidden />
            </Parts.Close>
          </div>
          <Body>{children}</Body>
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
