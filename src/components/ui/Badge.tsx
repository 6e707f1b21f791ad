import type { ReactNode } from 'react'
import { classes } from './classes.ts'

const styles = {
  plain: 'bg-sunken text-muted',
  accent: 'bg-accent-soft text-accent-ink',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
}

export function Badge({
  kind = 'plain',
  children,
  title,
}: {
  kind?: keyof typeof styles
  children: ReactNode
  title?: string
}) {
  return (
    <span
      {...(title !== undefined && { title })}
      className={classes(
        'inline-flex items-center gap-1 rounded px-1.5 text-xs leading-5 whitespace-nowrap',
        styles[kind],
      )}
    >
      {children}
    </span>
  )
}
