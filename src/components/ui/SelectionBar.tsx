import type { ReactNode } from 'react'
import { formatCount } from '../../report/words/index.ts'
import { Button } from './Button.tsx'

interface SelectionBarProps {
  /** `2 runs`. */
  selected: string
  /** How many rows there are to select. */
  shown: number
  onAll: () => void
  onClear: () => void
  /** What can be done with them together. */
  children: ReactNode
}

/** What can be done with the selected rows of a list. It stays in view. */
export function SelectionBar({ selected, shown, onAll, onClear, children }: SelectionBarProps) {
  return (
    <div className="sticky top-0 z-10 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-surface px-3 py-2 shadow-sm">
      <span role="status" className="font-medium tabular-nums">
        {selected} selected
      </span>
      {children}
      <Button kind="quiet" onClick={onAll}>
        Select all {formatCount(shown)} shown
      </Button>
      <Button kind="quiet" onClick={onClear}>
        Clear
      </Button>
    </div>
  )
}
