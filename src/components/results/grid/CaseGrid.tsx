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
import type { LiveRunStore } from '../../../stores/liveRunStore.ts'
import { useAddress } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { failureFill, failureLevels } from '../../ui/charts/failure-colour.ts'
import { Keys } from '../../ui/Keys.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import { CasePanel } from '../case/CasePanel.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Page.tsx'
import { viewAddress } from '../addresses.ts'
import { CaseToolbar } from './CaseToolbar.tsx'
import { ColumnsMenu, useHiddenColumns } from '../ColumnsMenu.tsx'
import { chooseColumns } from '../hidden-columns.ts'
import {
  ariaSort,
  addressOfFilters,
  type CaseQuery,
  listFilters,
  isFiltered,
  nextColumnSort,
  noFilters,
  readCaseQuery,
} from './case-query.ts'
import { ROW_HEIGHT, CaseGridRow } from './CaseGridRow.tsx'
import { type GridPlace, moveInGrid } from './page-window.ts'
import { PAGE_SIZE, useCasePages, type CasePages } from './use-case-pages.ts'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { CutName } from '../../ui/names/ModelName.tsx'
import { useVirtualizer } from '@tanstack/react-virtual'
import { usePageKeys } from '../../ui/keys.ts'
import { describeShown } from '../../../report/words/cases.ts'
import { nameBriefly } from '../../../report/words/names.ts'

const PAGE_KEY_ROWS = 14

/** Two lines of a name. */
const HEAD_HEIGHT = 44
const MAX_NAME_LENGTH = 40

interface CaseGridBoxProps {
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
  live: LiveRunStore | undefined
  addressOf: (id: string, model?: string) => string
  /** The case beside the grid; moving to another row then opens that. */
  openId: string | undefined
  onOpen: (place: GridPlace) => void
}

/** The scrolling box with the visible rows. Scrolling re-renders only this component. */
function CaseGridBox({
  total,
  models,
  head,
  template,
  minWidth,
  isBusy,
  rowAt,
  startRow,
  onRange,
  live,
  addressOf,
  openId,
  onOpen,
}: CaseGridBoxProps) {
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<GridPlace | undefined>(
    startRow === undefined ? undefined : { row: startRow, column: 0 },
  )
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    // The header covers the first row.
    scrollPaddingStart: HEAD_HEIGHT,
    initialOffset: startRow !== undefined && startRow > 5 ? (startRow - 5) * ROW_HEIGHT : 0,
    useFlushSync: false,
    onChange: ({ range }) => range && onRange(range.startIndex, range.endIndex),
  })

  const scrollToStart = useEffectEvent(() => {
    if (startRow === undefined) return
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
    if (openId !== undefined) onOpen(to)
    return true
  }
  const open = (place: GridPlace) => {
    setActive(place)
    onOpen(place)
  }
  usePageKeys((key) => {
    if (!['j', 'k', 'h', 'l'].includes(key) || !move(key)) return false
    box.current?.focus({ preventScroll: active !== undefined })
    return true
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current || event.metaKey || event.ctrlKey || event.altKey) return
    if (event.key === 'Enter' && active) open(active)
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
      aria-colcount={models.length + 2}
      aria-busy={isBusy}
      {...(active && { 'aria-activedescendant': `cell-${active.row}-${active.column}` })}
      onKeyDown={onKeyDown}
      className="scroll-fade relative max-h-[max(24rem,calc(100dvh-18rem))] overflow-auto rounded-lg text-[13px]"
    >
      <div role="presentation" style={{ minWidth }}>
        {head}
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => (
            <CaseGridRow
              key={item.key}
              height={ROW_HEIGHT}
              index={item.index}
              {...rowAt(item.index)}
              isOpen={openId !== undefined && rowAt(item.index)?.row.id === openId}
              models={models}
              template={template}
              top={item.start}
              live={live}
              activeColumn={active?.row === item.index ? active.column : undefined}
              addressOf={addressOf}
              onOpen={open}
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

/** The vendor's part is in the full name, where a column has no room for it. */
function SortButton({
  label,
  short,
  sort,
  query,
  onSort,
  isRight,
}: {
  label: string
  /** Where there is room for two short lines. */
  short?: string | undefined
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
      {short === undefined ? (
        <CutName name={label} />
      ) : (
        <span className="line-clamp-2 min-w-0 text-right break-words" title={label}>
          <span className="sr-only">{label}</span>
          <span aria-hidden>{short}</span>
        </span>
      )}
      {direction === 'ascending' && <ArrowUp size={12} aria-hidden className="shrink-0" />}
      {direction === 'descending' && <ArrowDown size={12} aria-hidden className="shrink-0" />}
    </button>
  )
}

/** The sticky header; clicking a column sorts by it. */
function CaseGridHead({ models, template, query, onSort }: CaseGridHeadProps) {
  const nameOf = nameBriefly(models, MAX_NAME_LENGTH)
  return (
    <div role="rowgroup" className="sticky top-0 z-3">
      <div
        role="row"
        aria-rowindex={1}
        className="grid border-b border-line bg-surface text-xs font-medium"
        style={{ gridTemplateColumns: template, height: HEAD_HEIGHT }}
      >
        <div
          role="columnheader"
          aria-sort={ariaSort('id', query)}
          className="sticky left-0 z-2 border-r border-line bg-surface"
        >
          <SortButton label="Case" sort="id" query={query} onSort={onSort} />
        </div>
        {query.answers === '1' && (
          <div role="columnheader" className="flex items-center border-r border-line bg-surface px-2 text-muted">
            Expected
          </div>
        )}
        {models.map((model) => (
          <div key={model} role="columnheader" aria-sort={ariaSort(`model:${model}`, query)} className="min-w-0">
            <SortButton
              label={model}
              sort={`model:${model}`}
              query={query}
              onSort={onSort}
              short={nameOf(model)}
              isRight={query.answers === ''}
            />
          </div>
        ))}
        {query.answers === '' && (
          <div role="columnheader" aria-sort={ariaSort('worst', query)}>
            <SortButton label="Mean" sort="worst" query={query} onSort={onSort} isRight />
          </div>
        )}
      </div>
    </div>
  )
}

interface CaseGridProps {
  selection: string
  view: ResultsView
  /** Of a run in progress. */
  live: LiveRunStore | undefined
  refreshMs: number | false
}

/** The number of rows loaded before and after the visible ones. */
const AHEAD = 60

function readRow(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** What the colours mean, and the keys. */
function GridFoot({ withAnswers }: { withAnswers: boolean }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-3 py-2 text-xs text-muted">
      {withAnswers ? (
        <span>Passed: plain. Failed: coloured; stronger is worse.</span>
      ) : (
        <>
          {failureLevels.map(({ level, from, to }) => (
            <span key={level} className="flex items-center gap-1.5 tabular-nums">
              <span aria-hidden className={classes('h-3 w-4 rounded-xs', failureFill[level])} />
              {from}–{to}
            </span>
          ))}
          <span>1/3: flaky</span>
        </>
      )}
      <span className="ml-auto flex gap-3 max-lg:hidden">
        <Keys keys={['j', 'k']} what="row" />
        <Keys keys={['Enter']} what="open" />
        <Keys keys={['a']} what={withAnswers ? 'scores' : 'answers'} />
      </span>
    </div>
  )
}

/** Cases × models: failures have the colour. Rows are loaded by page while scrolling; a case opens beside them. */
export function CaseGrid({ selection, view, live, refreshMs }: CaseGridProps) {
  const [address, changeQuery] = useAddress()
  const query = readCaseQuery(address)
  const startRow = readRow(address.get('row'))
  const openId = address.get('case') ?? undefined
  const isNarrow = useNarrow('many columns')
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
  const open = ({ row, column }: GridPlace) => {
    const id = pages.rowAt(row)?.row.id
    if (id !== undefined) changeQuery({ case: id, model: models[column], row: String(row), run: undefined })
  }
  const close = () => changeQuery({ case: undefined, model: undefined, run: undefined })
  usePageKeys((key) => {
    if (key !== 'a') return false
    changeQuery({ answers: withAnswers ? undefined : '1' })
    return true
  })
  const filters = addressOfFilters(address)
  const addressOf = (id: string, model?: string) =>
    viewAddress(selection, 'cases', { ...Object.fromEntries(new URLSearchParams(filters)), case: id, model })
  const change = (changes: Record<string, string | undefined>) => changeQuery({ ...changes, row: undefined })
  const showAll = () => change({ ...noFilters, group: undefined })

  const isBeside = openId !== undefined && !isNarrow
  // With many models the first column gets narrower, so that each model has room for a number and a label.
  const share = withAnswers ? 22 : Math.max(18, 46 - models.length * 4)
  const modelWidth = withAnswers ? 9 : isBeside ? 4.75 : 5.5
  const rest = withAnswers ? 'minmax(8rem, 1fr) ' : ''
  const template = `minmax(8.5rem, ${share}%) ${rest}repeat(${models.length}, minmax(${modelWidth}rem, 1fr))${withAnswers ? '' : ' 4rem'}`
  return (
    <section aria-label="Cases" className="flex min-w-0 flex-col gap-3">
      <CaseToolbar view={view} query={query} counts={pages.counts} changeQuery={change} />
      <div className="flex min-w-0 items-start gap-4">
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <div className="flex min-h-6 flex-wrap items-center gap-x-3 text-xs text-muted">
            <span aria-live="polite">
              {total === undefined ? 'loading…' : describeShown(total, view.suite?.cases ?? total, listFilters(query))}
            </span>
            <span className="ml-auto">
              <ColumnsMenu
                label="Models in the grid"
                isSmall
                columns={allModels}
                shown={models}
                onChange={changeHidden}
              />
            </span>
          </div>
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
                  total={rows}
                  models={models}
                  head={
                    <CaseGridHead
                      models={models}
                      template={template}
                      query={query}
                      onSort={(sort) => change(nextColumnSort(sort, query))}
                    />
                  }
                  template={template}
                  minWidth={`${(withAnswers ? 16.5 : 12.5) + models.length * modelWidth}rem`}
                  isBusy={pages.isOutdated}
                  rowAt={pages.rowAt}
                  startRow={startRow}
                  onRange={updateRange}
                  live={live}
                  addressOf={addressOf}
                  openId={openId}
                  onOpen={open}
                />
                <GridFoot withAnswers={withAnswers} />
              </Panel>
            )}
          </Loaded>
        </div>
        {openId !== undefined && (
          <CasePanel
            selection={selection}
            id={openId}
            query={query}
            refreshMs={refreshMs}
            isSheet={isNarrow}
            suiteId={view.kind === 'suite' ? view.suite?.id : undefined}
            onClose={close}
          />
        )}
      </div>
    </section>
  )
}
