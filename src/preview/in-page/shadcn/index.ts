/** shadcn's components (`@/components/ui/*`) and `@/lib/utils`, on Radix. */
export * from './basics.tsx'
export * from './command.tsx'
export * from './controls.tsx'
export * from './overlays.tsx'
export { cn } from './part.tsx'
export * from './toasts.tsx'
