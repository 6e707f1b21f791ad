import { Plus, X } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { CutName } from '../../ui/names/ModelName.tsx'
import { classes } from '../../ui/classes.ts'

/** A chosen model with the button that removes it. */
export function ModelChip({ id, note, onRemove }: { id: string; note?: ReactNode; onRemove: () => void }) {
  return (
    <li className="flex h-8 max-w-full min-w-0 items-center rounded-md border border-line bg-surface pl-2.5 text-[13px] max-md:h-9">
      <CutName name={id} className="max-w-72 font-medium" />
      {note !== undefined && <span className="ml-2 shrink-0 text-xs text-muted tabular-nums">{note}</span>}
      <button
        type="button"
        aria-label={`Remove ${id}`}
        title={`Remove ${id}`}
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:text-ink"
        onClick={onRemove}
      >
        <X size={14} aria-hidden />
      </button>
    </li>
  )
}

/** Opens the picker that adds to the chips. */
export function AddButton({ children, className, ...rest }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(
        'inline-flex h-8 items-center gap-1.5 rounded-md border border-dashed border-line-strong px-3 text-[13px] font-medium text-accent-ink hover:bg-hover disabled:opacity-50 data-[state=open]:border-solid data-[state=open]:border-accent data-[state=open]:bg-accent-soft max-md:h-9',
        className,
      )}
    >
      <Plus size={14} aria-hidden />
      {children}
    </button>
  )
}

/** One line of the Arena: what is chosen, under its name. */
export function ComposerRow({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1.5 border-b border-line px-4 py-4 md:grid-cols-[88px_minmax(0,1fr)_auto] md:px-5"
    >
      <h2 className="flex min-h-8 items-center self-start text-[13px] text-muted max-md:min-h-0">{title}</h2>
      <div className="flex min-w-0 flex-wrap items-center gap-2 max-md:col-span-2">{children}</div>
      {aside !== undefined && (
        <div className="flex items-start justify-end max-md:col-start-2 max-md:row-start-1">{aside}</div>
      )}
    </section>
  )
}
