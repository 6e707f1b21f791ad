/** The command list: a search field that filters its items by their text. */
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'
import { Dialog, DialogContent, DialogTitle } from './overlays.tsx'
import { Lens, cn, part, type PartProps } from './part.tsx'

const Search = createContext({ text: '', change: (_text: string) => undefined as void })

function nodeText(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(nodeText).join(' ')
  if (typeof node === 'object' && node !== null && 'props' in node) {
    const { props } = node
    return typeof props === 'object' && props !== null && 'children' in props
      ? nodeText(props.children as ReactNode)
      : ''
  }
  return ''
}

export function Command({ className, ...props }: PartProps): ReactNode {
  const [text, change] = useState('')
  const search = useMemo(() => ({ text, change }), [text])
  return (
    <Search value={search}>
      <div
        {...props}
        className={cn('bg-popover text-popover-foreground flex w-full flex-col overflow-hidden rounded-md', className)}
      />
    </Search>
  )
}
export function CommandDialog({ open, onOpenChange, children }: PartProps): ReactNode {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent className="overflow-hidden p-0">
        <DialogTitle className="sr-only">Command</DialogTitle>
        <Command>{children}</Command>
      </DialogContent>
    </Dialog>
  )
}
export function CommandInput({ className, placeholder }: PartProps): ReactNode {
  const { text, change } = useContext(Search)
  return (
    <div className="flex h-9 items-center gap-2 border-b px-3">
      <Lens className="size-4 shrink-0 opacity-50" />
      <input
        value={text}
        onChange={(event) => change(event.target.value)}
        placeholder={typeof placeholder === 'string' ? placeholder : undefined}
        className={cn(
          'placeholder:text-muted-foreground flex h-10 w-full bg-transparent py-3 text-sm outline-hidden',
          className,
        )}
      />
    </div>
  )
}
export const CommandList = part('div', 'command-list', 'max-h-[300px] overflow-x-hidden overflow-y-auto')
export function CommandEmpty(_props: PartProps): ReactNode {
  return null
}
export function CommandGroup({ heading, children, className }: PartProps): ReactNode {
  return (
    <div className={cn('overflow-hidden p-1', className)}>
      {heading !== undefined && (
        <div className="text-muted-foreground px-2 py-1.5 text-xs font-medium">{heading as ReactNode}</div>
      )}
      {children}
    </div>
  )
}
export function CommandItem({ className, children, value, onSelect, ...props }: PartProps): ReactNode {
  const { text } = useContext(Search)
  const words = `${typeof value === 'string' ? value : ''} ${nodeText(children)}`
  const choose = () => typeof onSelect === 'function' && onSelect(value ?? words.trim())
  if (!words.toLowerCase().includes(text.toLowerCase())) return null
  return (
    <div
      role="option"
      aria-selected="false"
      tabIndex={0}
      onClick={choose}
      onKeyDown={({ key }) => key === 'Enter' && choose()}
      {...props}
      className={cn(
        'hover:bg-accent flex cursor-default items-center gap-2 rounded-sm px-2 py-1.5 text-sm [&_svg:not([class*="size-"])]:size-4',
        className,
      )}
    >
      {children}
    </div>
  )
}
export const CommandSeparator = part('div', 'command-separator', 'bg-border -mx-1 h-px')
