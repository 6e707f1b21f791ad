import { memo } from 'react'
import type { CellState } from '../../../contract/index.ts'
import type { LiveRunStore } from '../../../stores/liveRunStore.ts'
import type { ShownCell } from '../../../stores/live-standings.ts'
import { classes } from '../../ui/classes.ts'
import { cellStates, formatScore, formatScoreTick } from '../../../report/words/index.ts'
import { toneText } from '../../ui/Badge.tsx'
import { scoreStyle } from '../../ui/charts/score-colour.ts'
import { useLiveCell } from './use-live-run.ts'

/** `error: timeout`, `streaming` */
function describeState({ state, step, message }: Pick<ShownCell, 'state' | 'step' | 'message'>): string {
  const words = step ?? cellStates[state].word
  return message === undefined ? words : `${words}: ${message}`
}

/** The cell as text: its score or its state. */
function describeCell(cell: ShownCell): string {
  if (cell.state !== 'scored') return describeState(cell)
  return `${cell.isRounded ? 'about ' : ''}${formatScore(cell.score)}, ${cell.hasPassed ? 'passed' : 'failed'}${cell.outcome && cell.outcome !== 'ok' ? `, ${cell.outcome}` : ''}`
}

function CellContent({ cell }: { cell: ShownCell }) {
  if (cell.state === 'scored')
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
  if (cell.tail !== undefined && cell.tail !== '' && cell.step !== 'sent')
    return (
      <>
        <span className="mr-1.5 shrink-0 text-xs text-muted">{cell.step}</span>
        <span className="flex min-w-0 flex-1 justify-end overflow-hidden font-mono text-xs whitespace-pre">
          <span>{cell.tail.slice(-60).replaceAll(/\s+/g, ' ')}</span>
        </span>
      </>
    )
  return <span className={classes('truncate', toneText[cellStates[cell.state].tone])}>{describeState(cell)}</span>
}

/** One cell of the live grid; it re-renders only when it changes. */
export const LiveCellView = memo(function LiveCellView({
  store,
  row,
  column,
  isActive,
  unsent,
}: {
  store: LiveRunStore
  row: number
  column: number
  isActive: boolean
  /** The state of a cell that no request was sent for. */
  unsent: CellState
}) {
  const cell = useLiveCell(store, row, column) ?? { case: row, model: column, state: unsent }
  return (
    <span
      title={describeCell(cell)}
      className={classes(
        'flex h-full w-full items-center overflow-hidden px-2',
        isActive && 'outline-accent -outline-offset-2 group-focus-visible:outline-2',
      )}
      style={cell.state === 'scored' ? scoreStyle(cell.score) : {}}
    >
      <CellContent cell={cell} />
    </span>
  )
})
