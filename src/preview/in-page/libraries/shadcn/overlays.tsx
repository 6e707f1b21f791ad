/** Components that open above the page. */
import {
  AlertDialog as Alerts,
  ContextMenu as Contexts,
  Dialog as Dialogs,
  DropdownMenu as Menus,
  HoverCard as Hovers,
  Menubar as Bars,
  Popover as Popovers,
  Tooltip as Tips,
} from 'radix-ui'
import type { ElementType, ReactNode } from 'react'
import { buttonVariants } from './basics.tsx'
import { CheckMark, ChevronRight, Cross, cn, part, plain, type PartProps } from './part.tsx'

const shade = 'fixed inset-0 z-50 bg-black/50'
const box =
  'bg-background fixed top-[50%] left-[50%] z-50 grid w-full max-w-[calc(100%-2rem)] translate-x-[-50%] translate-y-[-50%] gap-4 rounded-lg border p-6 shadow-lg sm:max-w-lg'
const floating = 'bg-popover text-popover-foreground z-50 rounded-md border shadow-md outline-hidden'

function Close(): ReactNode {
  return (
    <Dialogs.Close className="absolute top-4 right-4 rounded-xs opacity-70 transition-opacity hover:opacity-100 cursor-pointer">
      <Cross />
      <span className="sr-only">Close</span>
    </Dialogs.Close>
  )
}

export const Dialog = plain(Dialogs.Root, 'dialog')
export const DialogTrigger = plain(Dialogs.Trigger, 'dialog-trigger')
export const DialogPortal = plain(Dialogs.Portal, 'dialog-portal')
export const DialogClose = plain(Dialogs.Close, 'dialog-close')
export const DialogOverlay = part(Dialogs.Overlay, 'dialog-overlay', shade)
export function DialogContent({ className, children, showCloseButton = true, ...props }: PartProps): ReactNode {
  return (
    <Dialogs.Portal>
      <DialogOverlay />
      <Dialogs.Content data-slot="dialog-content" {...props} className={cn(box, className)}>
        {children}
        {showCloseButton === true && <Close />}
      </Dialogs.Content>
    </Dialogs.Portal>
  )
}
export const DialogHeader = part('div', 'dialog-header', 'flex flex-col gap-2 text-center sm:text-left')
export const DialogFooter = part('div', 'dialog-footer', 'flex flex-col-reverse gap-2 sm:flex-row sm:justify-end')
export const DialogTitle = part(Dialogs.Title, 'dialog-title', 'text-lg leading-none font-semibold')
export const DialogDescription = part(Dialogs.Description, 'dialog-description', 'text-muted-foreground text-sm')

export const AlertDialog = plain(Alerts.Root, 'alert-dialog')
export const AlertDialogTrigger = plain(Alerts.Trigger, 'alert-dialog-trigger')
export function AlertDialogContent({ className, ...props }: PartProps): ReactNode {
  return (
    <Alerts.Portal>
      <Alerts.Overlay className={shade} />
      <Alerts.Content data-slot="alert-dialog-content" {...props} className={cn(box, className)} />
    </Alerts.Portal>
  )
}
export const AlertDialogTitle = part(Alerts.Title, 'alert-dialog-title', 'text-lg font-semibold')
export const AlertDialogDescription = part(
  Alerts.Description,
  'alert-dialog-description',
  'text-muted-foreground text-sm',
)
export const AlertDialogAction = part(Alerts.Action, 'alert-dialog-action', buttonVariants())
export const AlertDialogCancel = part(Alerts.Cancel, 'alert-dialog-cancel', buttonVariants({ variant: 'outline' }))

const sides: Record<string, string> = {
  right: 'inset-y-0 right-0 h-full w-3/4 border-l sm:max-w-sm',
  left: 'inset-y-0 left-0 h-full w-3/4 border-r sm:max-w-sm',
  top: 'inset-x-0 top-0 h-auto border-b',
  bottom: 'inset-x-0 bottom-0 h-auto border-t',
}
function panel(usual: string) {
  return ({ className, children, side = usual, ...props }: PartProps): ReactNode => (
    <Dialogs.Portal>
      <DialogOverlay />
      <Dialogs.Content
        data-slot="sheet-content"
        {...props}
        className={cn('bg-background fixed z-50 flex flex-col gap-4 shadow-lg', sides[String(side)], className)}
      >
        {children}
        <Close />
      </Dialogs.Content>
    </Dialogs.Portal>
  )
}
export const SheetContent = panel('right')
export const SheetHeader = part('div', 'sheet-header', 'flex flex-col gap-1.5 p-4')
export const SheetFooter = part('div', 'sheet-footer', 'mt-auto flex flex-col gap-2 p-4')
export const SheetTitle = part(Dialogs.Title, 'sheet-title', 'text-foreground font-semibold')
export const DrawerContent = panel('bottom')

export const Popover = plain(Popovers.Root, 'popover')
export const PopoverTrigger = plain(Popovers.Trigger, 'popover-trigger')
export const PopoverAnchor = plain(Popovers.Anchor, 'popover-anchor')
export function PopoverContent({ className, ...props }: PartProps): ReactNode {
  return (
    <Popovers.Portal>
      <Popovers.Content align="center" sideOffset={4} {...props} className={cn(floating, 'w-72 p-4', className)} />
    </Popovers.Portal>
  )
}
export const HoverCard = plain(Hovers.Root, 'hover-card')
export const HoverCardTrigger = plain(Hovers.Trigger, 'hover-card-trigger')
export function HoverCardContent({ className, ...props }: PartProps): ReactNode {
  return (
    <Hovers.Portal>
      <Hovers.Content align="center" sideOffset={4} {...props} className={cn(floating, 'w-64 p-4', className)} />
    </Hovers.Portal>
  )
}

export const TooltipProvider = plain(Tips.Provider, 'tooltip-provider')
/** Works with and without a provider around it. */
export function Tooltip(props: PartProps): ReactNode {
  return (
    <Tips.Provider delayDuration={0}>
      <Tips.Root {...props} />
    </Tips.Provider>
  )
}
export const TooltipTrigger = plain(Tips.Trigger, 'tooltip-trigger')
export function TooltipContent({ className, children, ...props }: PartProps): ReactNode {
  return (
    <Tips.Portal>
      <Tips.Content
        sideOffset={4}
        {...props}
        className={cn('bg-primary text-primary-foreground z-50 w-fit rounded-md px-3 py-1.5 text-xs', className)}
      >
        {children}
      </Tips.Content>
    </Tips.Portal>
  )
}

interface MenuKind {
  Portal: ElementType
  Content: ElementType
  Item: ElementType
  CheckboxItem: ElementType
  RadioItem: ElementType
  ItemIndicator: ElementType
  Label: ElementType
  Separator: ElementType
  SubTrigger: ElementType
  SubContent: ElementType
}

const item =
  'focus:bg-accent focus:text-accent-foreground relative flex cursor-default items-center gap-2 rounded-sm px-2 py-1.5 text-sm outline-hidden select-none data-[disabled]:pointer-events-none data-[disabled]:opacity-50 data-[inset]:pl-8 data-[variant=destructive]:text-destructive [&_svg]:pointer-events-none [&_svg]:shrink-0 [&_svg:not([class*="size-"]):not([class*="w-"])]:size-4'

function menu(kind: MenuKind, slot: string, defaults: object = {}) {
  const { Portal, ItemIndicator, CheckboxItem, RadioItem, SubTrigger } = kind
  const menuBox = `${floating} min-w-[8rem] overflow-x-hidden overflow-y-auto p-1`
  const Box = part(kind.Content, `${slot}-content`, menuBox, defaults)
  const checkable =
    (Tag: ElementType) =>
    ({ className, children, ...props }: PartProps): ReactNode => (
      <Tag {...props} className={cn(item, 'pl-8', className)}>
        <span className="absolute left-2 flex size-3.5 items-center justify-center">
          <ItemIndicator>
            <CheckMark />
          </ItemIndicator>
        </span>
        {children}
      </Tag>
    )
  return {
    Content: (props: PartProps): ReactNode => (
      <Portal>
        <Box {...props} />
      </Portal>
    ),
    Item: ({ inset, variant, ...props }: PartProps): ReactNode => {
      const Line = itemParts.get(kind) ?? part(kind.Item, `${slot}-item`, item)
      itemParts.set(kind, Line)
      return <Line data-inset={inset === true ? '' : undefined} data-variant={variant} {...props} />
    },
    CheckboxItem: checkable(CheckboxItem),
    RadioItem: checkable(RadioItem),
    Label: part(kind.Label, `${slot}-label`, 'px-2 py-1.5 text-sm font-medium'),
    Separator: part(kind.Separator, `${slot}-separator`, 'bg-border -mx-1 my-1 h-px'),
    SubTrigger: ({ className, children, ...props }: PartProps): ReactNode => (
      <SubTrigger {...props} className={cn(item, className)}>
        {children}
        <ChevronRight className="ml-auto size-4" />
      </SubTrigger>
    ),
    SubContent: part(kind.SubContent, `${slot}-sub-content`, menuBox),
  }
}
const itemParts = new Map<MenuKind, ReturnType<typeof part>>()

const dropdown = menu(Menus, 'dropdown-menu', { sideOffset: 4 })
export const DropdownMenu = plain(Menus.Root, 'dropdown-menu')
export const DropdownMenuTrigger = plain(Menus.Trigger, 'dropdown-menu-trigger')
export const DropdownMenuPortal = plain(Menus.Portal, 'dropdown-menu-portal')
export const DropdownMenuGroup = plain(Menus.Group, 'dropdown-menu-group')
export const DropdownMenuRadioGroup = plain(Menus.RadioGroup, 'dropdown-menu-radio-group')
export const DropdownMenuSub = plain(Menus.Sub, 'dropdown-menu-sub')
export const DropdownMenuContent = dropdown.Content
export const DropdownMenuItem = dropdown.Item
export const DropdownMenuCheckboxItem = dropdown.CheckboxItem
export const DropdownMenuRadioItem = dropdown.RadioItem
export const DropdownMenuLabel = dropdown.Label
export const DropdownMenuSeparator = dropdown.Separator
export const DropdownMenuSubTrigger = dropdown.SubTrigger
export const DropdownMenuSubContent = dropdown.SubContent
export const DropdownMenuShortcut = part('span', 'shortcut', 'text-muted-foreground ml-auto text-xs tracking-widest')

const context = menu(Contexts, 'context-menu')
export const ContextMenu = plain(Contexts.Root, 'context-menu')
export const ContextMenuTrigger = plain(Contexts.Trigger, 'context-menu-trigger')
export const ContextMenuContent = context.Content
export const ContextMenuItem = context.Item
export const ContextMenuCheckboxItem = context.CheckboxItem
export const ContextMenuLabel = context.Label
export const ContextMenuSeparator = context.Separator

const bar = menu(Bars, 'menubar', { align: 'start', sideOffset: 8 })
export const Menubar = part(
  Bars.Root,
  'menubar',
  'bg-background flex h-9 items-center gap-1 rounded-md border p-1 shadow-xs',
)
export const MenubarMenu = plain(Bars.Menu, 'menubar-menu')
export const MenubarTrigger = part(
  Bars.Trigger,
  'menubar-trigger',
  'focus:bg-accent data-[state=open]:bg-accent flex items-center rounded-sm px-2 py-1 text-sm font-medium outline-hidden select-none',
)
export const MenubarContent = bar.Content
export const MenubarItem = bar.Item
export const MenubarCheckboxItem = bar.CheckboxItem
export const MenubarLabel = bar.Label
export const MenubarSeparator = bar.Separator
