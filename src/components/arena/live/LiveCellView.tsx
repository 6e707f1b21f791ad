import { memo } from 'react'
import type { LiveRunStore } from '../../../stores/liveRunStore.ts'
import type { ShownCell } from '../../../stores/live-standings.ts'
import { classes } from '../../ui/classes.ts'
import { formatScore, formatScoreTick } from '../../../report/words/index.ts'
import { scoreStyle } from '../../ui/charts/score-colour.ts'
import { useLiveCell } from './use-live-run.ts'

/** The cell as text: its score or its state. */
function describeCell(cell: ShownCell | undefined, unasked: string): string {
  if (!cell || cell.state === 'waiting') return unasked
  if (cell.state === 'scored')
    return `${cell.isRounded ? 'about ' : ''}${formatScore(cell.score)}, ${cell.hasPassed ? 'passed' : 'failed'}${cell.outcome && cell.outcome !== 'ok' ? `, ${cell.outcome}` : ''}`
  const reason = cell.message === undefined ? '' : `: ${cell.message}`
  if (cell.state === 'error' || cell.state === 'unscored' || cell.state === 'asking') return `${cell.state}${reason}`
  return cell.state
}

function CellContent({ cell, unasked }: { cell: ShownCell | undefined; unasked: string }) {
  const state = cell?.state ?? 'waiting'
  if (cell && state === 'scored')
    return (
      <span className="flex w-full items-center justify-end gap-1.5">
        {cell.outcome && cell.outcome !== 'ok' && <span className="truncate text-xs">{cell.outcome}</span>}
        <span className="tabular-nums">
          {cell.isRounded && '≈ '}
          {cell.isRounded ? formatScoreTick(cell.score ?? 0) : formatScore(cell.score)}
        </span>
        <span className="text-[11px]" aria-label={cell.hasPassed ? 'passed' : 'failed'} role="img">
          {cell.hasPassed ? '✓' : '✗'}
        </span>
      </span>
    )
  if (cell && (state === 'error' || state === 'unscored'))
    return (
      <span className={classes('truncate', state === 'error' ? 'text-danger' : 'text-warning')}>
        {state}
        {cell.message !== undefined && `: ${cell.message}`}
      </span>
    )
  if (cell?.tail !== undefined && cell.tail !== '' && (state === 'streaming' || state === 'scoring'))
    return (
      <>
        <span className="mr-1.5 shrink-0 text-xs text-muted">{state}</span>
        <span className="flex min-w-0 flex-1 justify-end overflow-hidden font-mono text-xs whitespace-pre">
          <span>{cell.tail.slice(-60).replaceAll(/\s+/g, ' ')}</span>
        </span>
      </>
    )
  return (
    <span className={classes('truncate', state === 'waiting' ? 'text-muted' : 'text-accent-ink')}>
      {state === 'waiting' ? unasked : state}
      {cell?.message !== undefined && `: ${cell.message}`}
    </span>
  )
}

/** One cell of the live grid; it re-renders only when it changes. */
export const LiveCellView = memo(function LiveCellView({
  store,
  row,
  column,
  isActive,
  unasked,
}: {
  store: LiveRunStore
  row: number
  column: number
  isActive: boolean
  /** The word for a cell that no request was sent for. */
  unasked: string
}) {
  const cell = useLiveCell(store, row, column)
  return (
    <span
      title={describeCell(cell, unasked)}
      className={classes(
        'flex h-full w-full items-center overflow-hidden px-2',
        isActive && 'outline-accent -outline-offset-2 group-focus-visible:outline-2',
      )}
      style={cell?.state === 'scored' ? scoreStyle(cell.score) : {}}
    >
      <CellContent cell={cell} unasked={unasked} />
    </span>
  )
})
