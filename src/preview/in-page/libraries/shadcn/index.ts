/** shadcn's components (`@/components/ui/*`) and `@/lib/utils`, on Radix. */
export * from './basics.tsx'
export * from './command.tsx'
export * from './controls.tsx'
export * from './overlays.tsx'
export { cn } from './part.tsx'
export * from './toasts.tsx'
export { BreadcrumbEllipsis as PaginationEllipsis } from './basics.tsx'
export {
  DialogHeader as AlertDialogHeader,
  DialogFooter as AlertDialogFooter,
  Dialog as Sheet,
  DialogTrigger as SheetTrigger,
  DialogClose as SheetClose,
  DialogDescription as SheetDescription,
  Dialog as Drawer,
  DialogTrigger as DrawerTrigger,
  DialogClose as DrawerClose,
  SheetHeader as DrawerHeader,
  SheetFooter as DrawerFooter,
  SheetTitle as DrawerTitle,
  DialogDescription as DrawerDescription,
  DropdownMenuShortcut as ContextMenuShortcut,
  DropdownMenuShortcut as MenubarShortcut,
  DropdownMenuShortcut as CommandShortcut,
} from './overlays.tsx'
