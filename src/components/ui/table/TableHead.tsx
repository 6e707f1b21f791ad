import type { ReactNode } from 'react'
import { classes } from '../classes.ts'

interface Column {
  /** Needed if the title is not a text, or not the only one of its kind. */
  key?: string
  title: ReactNode
  className?: string
}

/** The column titles of a table; with a line below them for tables whose rows are entries of a list. */
export function TableHead({ columns, isRuled = false }: { columns: readonly Column[]; isRuled?: boolean }) {
  return (
    <thead className={classes('text-xs text-muted', isRuled && 'border-b border-line')}>
      <tr>
        {columns.map(({ key, title, className }) => (
          <th
            key={key ?? String(title)}
            scope="col"
            className={classes(isRuled ? 'font-medium' : 'font-normal', className)}
          >
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
}
