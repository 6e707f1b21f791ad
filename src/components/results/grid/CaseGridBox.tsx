import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { CaseGridRow, ROW_HEIGHT } from './CaseGridRow.tsx'
import { usePageKeys } from '../keys.ts'
import { moveInGrid, type GridPlace } from './page-window.ts'
import type { CasePages } from './use-case-pages.ts'

const PAGE_KEY_ROWS = 18

interface CaseGridBoxProps {
  selection: string
  /** In pixels, the same for every row: a hundred thousand cells must not be measured. */
  rowHeight: number
  total: number
  models: string[]
  /** Passed in, so that it does not re-render while scrolling. */
  head: ReactNode
  template: string
  minWidth: string
  isBusy: boolean
  rowAt: CasePages['rowAt']
  /** The row to return to. */
  startRow: number | undefined
  onRange: (first: number, last: number) => void
  onOpen: (place: GridPlace) => void
  onLeave: (row: number) => void
}

/** The scrolling box with the visible rows. Scrolling re-renders only this component. */
export function CaseGridBox({
  selection,
  rowHeight,
  total,
  models,
  head,
  template,
  minWidth,
  isBusy,
  rowAt,
  startRow,
  onRange,
  onOpen,
  onLeave,
}: CaseGridBoxProps) {
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<GridPlace | undefined>(
    startRow === undefined ? undefined : { row: startRow, column: 0 },
  )
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    // The header covers the first row.
    scrollPaddingStart: ROW_HEIGHT,
    initialOffset: startRow !== undefined && startRow > 5 ? (startRow - 5) * rowHeight : 0,
    useFlushSync: false,
    onChange: ({ range }) => range && onRange(range.startIndex, range.endIndex),
  })

  const scrollToStart = useEffectEvent(() => {
    if (startRow === undefined) return
    box.current?.scrollIntoView({ block: 'center' })
    box.current?.focus({ preventScroll: true })
  })
  useEffect(() => scrollToStart(), [])

  const move = (key: string): boolean => {
    // The first key press only shows the current position.
    const from = active ?? { row: (virtual.range?.startIndex ?? 0) - (key === 'j' ? 1 : 0), column: 0 }
    const to = moveInGrid(key, from, { rows: total, columns: models.length, page: PAGE_KEY_ROWS })
    if (!to) return false
    setActive(to)
    virtual.scrollToIndex(to.row)
    return true
  }
  usePageKeys((key) => {
    if (!['j', 'k', 'h', 'l'].includes(key) || !move(key)) return false
    box.current?.focus({ preventScroll: active !== undefined })
    return true
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current || event.metaKey || event.ctrlKey || event.altKey) return
    if (event.key === 'Enter' && active) onOpen(active)
    else if (!move(event.key)) return
    event.preventDefault()
  }

  return (
    <div
      ref={box}
      role="grid"
      tabIndex={0}
      aria-label="Cases by model; j, k, h and l move, Enter opens"
      aria-rowcount={total + 1}
      aria-colcount={models.length + 1}
      aria-busy={isBusy}
      {...(active && { 'aria-activedescendant': `cell-${active.row}-${active.column}` })}
      onKeyDown={onKeyDown}
      className="scroll-fade relative max-h-[min(40rem,80dvh)] overflow-auto rounded-lg text-[13px]"
    >
      <div role="presentation" style={{ minWidth }}>
        {head}
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => (
            <CaseGridRow
              key={item.key}
              selection={selection}
              height={rowHeight}
              index={item.index}
              {...rowAt(item.index)}
              models={models}
              template={template}
              top={item.start}
              activeColumn={active?.row === item.index ? active.column : undefined}
              onLeave={onLeave}
            />
          ))}
        </div>
      </div>
    </div>
  )
}
