import type { ReactNode } from 'react'
import type { StateLook } from '../../report/words/index.ts'
import { classes } from './classes.ts'

export const toneFill: Record<StateLook['tone'], string> = {
  plain: 'bg-sunken text-muted',
  accent: 'bg-accent-soft text-accent-ink',
  warning: 'bg-warning-soft text-warning',
  failure: 'bg-fail-2 text-fail-ink',
  danger: 'bg-danger-soft text-danger',
}

export function Badge({
  kind = 'plain',
  children,
  title,
}: {
  kind?: StateLook['tone']
  children: ReactNode
  title?: string
}) {
  return (
    <span
      {...(title !== undefined && { title })}
      className={classes(
        'inline-flex items-center gap-1 rounded px-1.5 text-xs leading-5 whitespace-nowrap',
        toneFill[kind],
      )}
    >
      {children}
    </span>
  )
}
