import { Loaded } from '../../ui/Loaded.tsx'
import type { ResultsView } from '../../../server/results/results-view.ts'
import {
  useCallback,
  useMemo,
  useState,
  useEffect,
  useEffectEvent,
  useRef,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { navigate, useAddress } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Panel, Section } from '../../ui/Page.tsx'
import { caseAddress } from '../addresses.ts'
import { CaseFilters } from './CaseFilters.tsx'
import { ColumnsMenu, useHiddenColumns } from '../ColumnsMenu.tsx'
import { chooseColumns } from '../hidden-columns.ts'
import {
  ariaSort,
  type CaseQuery,
  listFilters,
  isFiltered,
  nextColumnSort,
  noFilters,
  readCaseQuery,
} from './case-query.ts'
import { ANSWER_ROW_HEIGHT, ROW_HEIGHT, CaseGridRow } from './CaseGridRow.tsx'
import { rememberResults } from '../last-results.ts'
import { type GridPlace, moveInGrid } from './page-window.ts'
import { PAGE_SIZE, useCasePages, type CasePages } from './use-case-pages.ts'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { CutName } from '../../ui/names/ModelName.tsx'
import { useVirtualizer } from '@tanstack/react-virtual'
import { usePageKeys } from '../../ui/keys.ts'
import { describeShown } from '../../../report/words/cases.ts'

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
function CaseGridBox({
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

interface CaseGridHeadProps {
  models: string[]
  template: string
  query: CaseQuery
  onSort: (sort: string) => void
}

function SortButton({
  label,
  sort,
  query,
  onSort,
  isRight,
}: {
  label: string
  sort: string
  query: CaseQuery
  onSort: (sort: string) => void
  isRight?: boolean
}) {
  const direction = ariaSort(sort, query)
  return (
    <button
      type="button"
      title={`Sort by ${label}`}
      onClick={() => onSort(sort)}
      className={`flex h-full w-full min-w-0 items-center gap-1 px-2 hover:bg-hover ${isRight ? 'justify-end' : 'px-3'}`}
    >
      <CutName name={label} />
      {direction === 'ascending' && <ArrowUp size={12} aria-hidden className="shrink-0" />}
      {direction === 'descending' && <ArrowDown size={12} aria-hidden className="shrink-0" />}
    </button>
  )
}

/** The sticky header; clicking a column sorts by it. */
function CaseGridHead({ models, template, query, onSort }: CaseGridHeadProps) {
  return (
    <div role="rowgroup" className="sticky top-0 z-3">
      <div
        role="row"
        aria-rowindex={1}
        className="grid border-b border-line bg-surface text-xs font-medium"
        style={{ gridTemplateColumns: template, height: ROW_HEIGHT }}
      >
        <div
          role="columnheader"
          aria-sort={ariaSort('id', query)}
          className="sticky left-0 z-2 border-r border-line bg-surface"
        >
          <SortButton label="Case" sort="id" query={query} onSort={onSort} />
        </div>
        {models.map((model) => (
          <div key={model} role="columnheader" aria-sort={ariaSort(`model:${model}`, query)} className="min-w-0">
            <SortButton label={model} sort={`model:${model}`} query={query} onSort={onSort} isRight />
          </div>
        ))}
      </div>
    </div>
  )
}

interface CaseGridProps {
  selection: string
  view: ResultsView
  refreshMs: number | false
}

/** The number of rows loaded before and after the visible ones. */
const AHEAD = 60

function readRow(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** Cases × models, each cell with a colour and a number. Rows are loaded by page while scrolling. */
export function CaseGrid({ selection, view, refreshMs }: CaseGridProps) {
  const [address, changeQuery] = useAddress()
  const query = readCaseQuery(address)
  const startRow = readRow(address.get('row'))
  const allModels = useMemo(() => view.rows.map(({ modelId }) => modelId), [view.rows])
  const [hidden, changeHidden] = useHiddenColumns('models')
  const models = useMemo(() => chooseColumns(allModels, hidden, (model) => model), [allModels, hidden])
  const withAnswers = query.answers === '1'
  const [range, setRange] = useState({ first: startRow ?? 0, last: (startRow ?? 0) + AHEAD })
  const pages = useCasePages({ selection, query, refreshMs }, range)
  const total = pages.query.data

  // The state changes only with the pages needed, so that scrolling does not re-render the rest.
  const updateRange = useCallback((first: number, last: number) => {
    const [from, to] = [Math.max(0, first - AHEAD), last + AHEAD]
    const pageOf = (row: number) => Math.floor(row / PAGE_SIZE)
    setRange((before) =>
      pageOf(before.first) === pageOf(from) && pageOf(before.last) === pageOf(to) ? before : { first: from, last: to },
    )
  }, [])
  // Puts the row in the address, so that going back returns to it.
  const leave = useCallback(
    (row: number) => {
      const next = new URLSearchParams(window.location.search)
      next.set('row', String(row))
      navigate(`${window.location.pathname}?${next.toString()}`, { replace: true })
      rememberResults(selection, `?${next.toString()}`)
    },
    [selection],
  )
  const open = ({ row, column }: GridPlace) => {
    const found = pages.rowAt(row)
    if (!found) return
    leave(row)
    navigate(caseAddress(selection, { id: found.row.id, model: models[column]! }))
  }
  const showAll = () => changeQuery({ ...noFilters, group: undefined, row: undefined })

  // With many models the first column gets narrower, so that each model has room for a number and a label.
  const share = withAnswers ? Math.max(14, 30 - models.length * 4) : Math.max(18, 46 - models.length * 4)
  const modelWidth = withAnswers ? 16 : 7
  const template = `minmax(8.5rem, ${share}%) repeat(${models.length}, minmax(${modelWidth}rem, 1fr))`
  return (
    <Section
      title="Cases"
      id="cases"
      aside={
        <span className="flex flex-wrap items-center gap-x-3">
          <span aria-live="polite">
            {total === undefined ? 'loading…' : describeShown(total, view.suite?.cases ?? total, listFilters(query))}
          </span>
          <ColumnsMenu label="Models in the grid" columns={allModels} shown={models} onChange={changeHidden} />
          <Switch
            label="Answers"
            checked={withAnswers}
            onChange={(isOn) => changeQuery({ answers: isOn ? '1' : undefined, row: undefined })}
          />
        </span>
      }
    >
      <CaseFilters view={view} query={query} changeQuery={(changes) => changeQuery({ ...changes, row: undefined })} />
      <Loaded
        query={pages.query}
        what="the cases"
        isEmpty={(rows) => rows === 0}
        empty={
          <EmptyState
            title="No matching cases."
            action={isFiltered(query) && <Button onClick={showAll}>Show all cases</Button>}
          />
        }
      >
        {(rows) => (
          <Panel className={pages.isOutdated ? 'opacity-60' : ''}>
            <CaseGridBox
              key={query.answers}
              selection={selection}
              rowHeight={withAnswers ? ANSWER_ROW_HEIGHT : ROW_HEIGHT}
              total={rows}
              models={models}
              head={
                <CaseGridHead
                  models={models}
                  template={template}
                  query={query}
                  onSort={(sort) => changeQuery({ ...nextColumnSort(sort, query), row: undefined })}
                />
              }
              template={template}
              minWidth={`${8.5 + models.length * modelWidth}rem`}
              isBusy={pages.isOutdated}
              rowAt={pages.rowAt}
              startRow={startRow}
              onRange={updateRange}
              onOpen={open}
              onLeave={leave}
            />
          </Panel>
        )}
      </Loaded>
    </Section>
  )
}
