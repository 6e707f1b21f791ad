import { Check } from 'lucide-react'
import { DropdownMenu as Parts } from 'radix-ui'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

/** `trigger` is one button element. */
export function Menu({
  trigger,
  children,
  align = 'end',
  onClosed,
}: {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
  /** Before the focus returns to the trigger; preventing the default leaves it where it is. */
  onClosed?: (event: Event) => void
}) {
  // Not modal: that would hide the page from screen readers while its elements can still be focused.
  return (
    <Parts.Root modal={false}>
      <Parts.Trigger asChild>{trigger}</Parts.Trigger>
      <Parts.Portal>
        <Parts.Content
          align={align}
          sideOffset={4}
          {...(onClosed && { onCloseAutoFocus: onClosed })}
          className="z-50 max-h-[70dvh] max-w-[calc(100vw-16px)] min-w-44 overflow-y-auto rounded-md border border-line bg-surface p-1 shadow-lg"
        >
          {children}
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  )
}

const item =
  'flex w-full items-center gap-2 rounded px-2 py-1.5 outline-none data-[highlighted]:bg-hover data-[disabled]:opacity-50'

export function MenuItem({
  children,
  onSelect,
  isDanger,
  disabled,
}: {
  children: ReactNode
  onSelect: () => void
  isDanger?: boolean
  disabled?: boolean
}) {
  return (
    <Parts.Item
      className={classes(item, isDanger && 'text-danger')}
      onSelect={onSelect}
      {...(disabled !== undefined && { disabled })}
    >
      {children}
    </Parts.Item>
  )
}

/** An item that is on or off; the menu stays open, so that several can be changed. */
export function MenuCheck({
  children,
  isChecked,
  onChange,
  disabled,
}: {
  children: ReactNode
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  disabled?: boolean
}) {
  return (
    <Parts.CheckboxItem
      className={item}
      checked={isChecked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      {...(disabled !== undefined && { disabled })}
    >
      <span className="flex size-4 shrink-0 items-center justify-center">
        <Parts.ItemIndicator>
          <Check size={14} aria-hidden />
        </Parts.ItemIndicator>
      </span>
      {children}
    </Parts.CheckboxItem>
  )
}

/** A download or a link to another page. */
interface MenuLinkProps {
  children: ReactNode
  href: string
  download?: boolean
  onSelect?: (() => void) | undefined
}

export function MenuLink({ children, href, download, onSelect }: MenuLinkProps) {
  return (
    <Parts.Item asChild className={item} onSelect={onSelect}>
      <a href={href} {...(download && { download: '' })}>
        {children}
      </a>
    </Parts.Item>
  )
}

export function MenuLine() {
  return <Parts.Separator className="my-1 h-px bg-line" />
}
