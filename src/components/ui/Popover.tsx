import { Popover as Parts } from 'radix-ui'
import type { ReactNode } from 'react'

interface PopoverProps {
  /** For screen readers. */
  label: string
  /** One button element. */
  trigger: ReactNode
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  children: ReactNode
  /** Stays visible below what scrolls. */
  footer?: ReactNode
}

/** What a button opens below itself, where something is chosen. Esc closes it and gives the focus back. */
export function Popover({ label, trigger, isOpen, onOpen, children, footer }: PopoverProps) {
  return (
    <Parts.Root open={isOpen} onOpenChange={onOpen}>
      <Parts.Trigger asChild>{trigger}</Parts.Trigger>
      <Parts.Portal>
        <Parts.Content
          aria-label={label}
          align="start"
          sideOffset={6}
          collisionPadding={12}
          className="z-40 flex max-h-(--radix-popover-content-available-height) w-[min(720px,calc(100vw-24px))] flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-xl"
        >
          <div className="min-h-0 flex-1 overflow-auto p-3">{children}</div>
          {footer !== undefined && (
            <div className="flex flex-wrap items-center gap-3 border-t border-line bg-sunken px-3 py-2">{footer}</div>
          )}
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  )
}
