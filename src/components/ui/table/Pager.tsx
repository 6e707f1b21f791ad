import { formatCount } from '../../../report/words/index.ts'
import { Button } from '../Button.tsx'
import { classes } from '../classes.ts'

interface PagerProps {
  offset: number
  /** How many are on this page, and on a full one. */
  count: number
  size: number
  total: number
  /** By time, the buttons say so. */
  isByTime?: boolean
  className?: string
  onOffset: (offset: number) => void
}

/** Which part of a long list is shown, and the way to the others. */
export function Pager({ offset, count, size, total, isByTime = false, className, onOffset }: PagerProps) {
  return (
    <div className={classes('flex items-center gap-2', className)}>
      <Button disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - size))}>
        {isByTime ? 'Newer' : 'Previous'}
      </Button>
      <span className="text-muted tabular-nums">
        {total === 0 ? '0' : `${formatCount(offset + 1)}–${formatCount(offset + count)}`} of {formatCount(total)}
      </span>
      <Button disabled={offset + count >= total} onClick={() => onOffset(offset + size)}>
        {isByTime ? 'Older' : 'Next'}
      </Button>
    </div>
  )
}
