import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { classes } from './classes.ts'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'

const styles: Record<Kind, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover font-medium',
  plain: 'border border-line bg-surface hover:bg-hover',
  quiet: 'hover:bg-hover text-muted hover:text-ink',
  danger: 'border border-line bg-surface text-danger hover:bg-danger-soft',
}

export function buttonClass(kind: Kind = 'plain', className?: string): string {
  return classes(
    'inline-flex h-8 items-center justify-center gap-1.5 rounded-md px-3 whitespace-nowrap select-none disabled:opacity-50 disabled:pointer-events-none',
    styles[kind],
    className,
  )
}

/** Use `primary` once per screen, for its main action. */
export function Button({
  kind = 'plain',
  className,
  ...rest
}: { kind?: Kind } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" data-kind={kind} {...rest} className={buttonClass(kind, className)} />
}

/** A button with only an icon: screen readers and tooltips need the label. */
export function IconButton({
  label,
  className,
  children,
  ...rest
}: { label: string; children: ReactNode; ref?: Ref<HTMLButtonElement> } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={classes(
        'inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink disabled:opacity-50',
        className,
      )}
    >
      {children}
    </button>
  )
}
