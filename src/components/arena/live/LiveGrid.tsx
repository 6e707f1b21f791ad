import type { CellState } from '../../../contract/index.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useId, useState, type KeyboardEvent, memo } from 'react'
import type { LiveRunFacts, LiveRunStore } from '../../../stores/liveRunStore.ts'
import { caseAddress } from '../../results/addresses.ts'
import { Link, navigate } from '../../router.tsx'
import { classes } from '../../ui/classes.ts'
import { CutName, ModelName } from '../../ui/names/ModelName.tsx'
import type { ShownCell } from '../../../stores/live-standings.ts'
import { cellStates, formatScore, formatScoreTick } from '../../../report/words/index.ts'
import { toneText } from '../../ui/Badge.tsx'
import { scoreStyle } from '../../ui/charts/score-colour.ts'
import { useLiveCell } from './use-live-run.ts'
import { describeLiveState, describeLiveCell } from '../../../report/words/runs/outcomes.ts'

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
  return <span className={classes('truncate', toneText[cellStates[cell.state].tone])}>{describeLiveState(cell)}</span>
}

/** One cell of the live grid; it re-renders only when it changes. */
const LiveCellView = memo(function LiveCellView({
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
      title={describeLiveCell(cell)}
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

const ROW_HEIGHT = 30
const HEADER_HEIGHT = 32
const MIN_COLUMN_WIDTH = 130
/** A score with its mark, and most states. */
const MIN_NARROW_COLUMN_WIDTH = 92

interface LiveGridProps {
  store: LiveRunStore
  facts: LiveRunFacts
  /** Indexes of the cases to show. */
  rows: number[]
  /** The state of a cell that no request was sent for. */
  unsent: CellState
}

/** The case, with the answer or error of one model first. */
function cellAddress({ runId, cases, models }: LiveRunFacts, row: number, column?: number): string {
  const model = column === undefined ? undefined : models[column]
  return caseAddress(runId, { id: cases[row]!.id, ...(model !== undefined && { model }) })
}

/** The width of the box, which the columns share. */
function useWidth(): [ref: (node: HTMLElement | null) => void, width: number, node: HTMLElement | null] {
  const [node, setNode] = useState<HTMLElement | null>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!node) return undefined
    const observer = new ResizeObserver(() => setWidth(node.clientWidth))
    observer.observe(node)
    return () => observer.disconnect()
  }, [node])
  return [setNode, width, node]
}

/** Cases × models, live. One tab stop: arrows or h j k l move, Enter opens the case. Renders only visible cells. */
export function LiveGrid({ store, facts, rows, unsent }: LiveGridProps) {
  const id = useId()
  const [setBox, width, box] = useWidth()
  const [active, setActive] = useState({ row: 0, column: 0 })
  const isNarrow = width < 500
  const caseColumnWidth = isNarrow ? 156 : Math.min(380, Math.max(200, width * 0.3))
  const columnWidth = Math.max(
    isNarrow ? MIN_NARROW_COLUMN_WIDTH : MIN_COLUMN_WIDTH,
    Math.floor((width - caseColumnWidth) / facts.models.length),
  )
  // oxlint-disable-next-line react/incompatible-library
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    scrollPaddingStart: HEADER_HEIGHT,
    paddingStart: HEADER_HEIGHT,
  })
  const columns = useVirtualizer({
    count: facts.models.length,
    horizontal: true,
    getScrollElement: () => box,
    estimateSize: () => columnWidth,
    overscan: 2,
    paddingStart: caseColumnWidth,
    scrollPaddingStart: caseColumnWidth,
  })
  useEffect(() => columns.measure(), [columns, columnWidth, caseColumnWidth])
  const current = {
    row: Math.min(active.row, rows.length - 1),
    column: Math.min(active.column, facts.models.length - 1),
  }

  const moveTo = (row: number, to: number) => {
    const next = {
      row: Math.max(0, Math.min(rows.length - 1, row)),
      column: Math.max(0, Math.min(facts.models.length - 1, to)),
    }
    setActive(next)
    lines.scrollToIndex(next.row)
    columns.scrollToIndex(next.column)
  }
  const listen = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || rows.length === 0) return
    const page = Math.max(1, Math.floor((box?.clientHeight ?? ROW_HEIGHT) / ROW_HEIGHT) - 2)
    const steps: Record<string, [rows: number, columns: number]> = {
      ArrowDown: [1, 0],
      j: [1, 0],
      ArrowUp: [-1, 0],
      k: [-1, 0],
      ArrowRight: [0, 1],
      l: [0, 1],
      ArrowLeft: [0, -1],
      h: [0, -1],
      PageDown: [page, 0],
      PageUp: [-page, 0],
      Home: [-rows.length, 0],
      End: [rows.length, 0],
    }
    const step = steps[event.key]
    if (step) moveTo(current.row + step[0], current.column + step[1])
    else if (event.key === 'Enter') navigate(cellAddress(facts, rows[current.row]!, current.column))
    else return
    event.preventDefault()
  }

  const totalWidth = Math.max(columns.getTotalSize(), width)
  const shownColumns = columns.getVirtualItems()
  const stickyCell = 'sticky left-0 z-10 flex shrink-0 items-center gap-2 border-r border-line px-2'
  return (
    <div
      ref={setBox}
      role="grid"
      aria-label="Answers as they arrive"
      aria-rowcount={rows.length + 1}
      aria-colcount={facts.models.length + 1}
      tabIndex={0}
      {...(rows.length > 0 && { 'aria-activedescendant': `${id}-${current.row}-${current.column}` })}
      onKeyDown={listen}
      className="group scroll-fade relative max-h-[calc(100dvh-9rem)] min-h-40 overflow-auto rounded-md border border-line bg-surface"
    >
      <div role="presentation" className="relative" style={{ height: lines.getTotalSize(), width: totalWidth }}>
        <div
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-20 flex border-b border-line bg-sunken text-xs font-medium"
          style={{ height: HEADER_HEIGHT, width: totalWidth }}
        >
          <div
            role="columnheader"
            aria-colindex={1}
            className={classes(stickyCell, 'bg-sunken')}
            style={{ width: caseColumnWidth }}
          >
            Case
          </div>
          {shownColumns.map(({ index, start, size }) => (
            <div
              key={index}
              role="columnheader"
              aria-colindex={index + 2}
              className="absolute top-0 flex h-full items-center overflow-hidden border-r border-line px-2"
              style={{ left: start, width: size }}
            >
              <ModelName id={facts.models[index]!} withBadge={false} />
            </div>
          ))}
        </div>
        {lines.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]!
          const { id: caseId, title } = facts.cases[row]!
          return (
            <div
              key={row}
              role="row"
              aria-rowindex={index + 2}
              className="absolute left-0 flex border-b border-line"
              style={{ top: start, height: ROW_HEIGHT, width: totalWidth }}
            >
              <div
                role="rowheader"
                aria-colindex={1}
                title={`${caseId}: ${title}`}
                className={classes(stickyCell, 'h-full bg-surface')}
                style={{ width: caseColumnWidth }}
              >
                <Link
                  to={cellAddress(facts, row)}
                  tabIndex={-1}
                  className="flex min-w-0 items-center gap-2 hover:underline"
                >
                  <CutName name={caseId} className="sm:max-w-40 sm:shrink-0" />
                  <span className="hidden truncate text-xs text-muted sm:inline">{title}</span>
                </Link>
              </div>
              {shownColumns.map(({ index: at, start: left, size }) => (
                <div
                  key={at}
                  id={`${id}-${index}-${at}`}
                  role="gridcell"
                  aria-colindex={at + 2}
                  className="absolute top-0 h-full border-r border-line"
                  style={{ left, width: size }}
                >
                  <Link
                    to={cellAddress(facts, row, at)}
                    tabIndex={-1}
                    className="block h-full"
                    onClick={() => setActive({ row: index, column: at })}
                  >
                    <LiveCellView
                      store={store}
                      row={row}
                      column={at}
                      unsent={unsent}
                      isActive={index === current.row && at === current.column}
                    />
                  </Link>
                </div>
              ))}
            </div>
          )
        })}
      </div>
      {rows.length === 0 && <div className="p-3 text-muted">No matching cases. Clear the filter.</div>}
    </div>
  )
}
