import { useInfiniteQuery } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, navigate, useQuery } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { EmptyState, FailureNotice, Loading } from '../../ui/Notice.tsx'
import { Page, Panel } from '../../ui/Page.tsx'
import { compareAddress } from '../addresses.ts'
import { usePageKeys } from '../keys.ts'
import { groupOfRun, groupRuns, matchesSearch, type RunGroup } from './run-groups.ts'
import { RunRow, rowLayout } from './RunRow.tsx'

/** A small first page, so that the list appears at once; later pages have the maximum size. */
const FIRST_PAGE = 50
const LATER_PAGE = 200
const columns = ['Suite', 'When', 'Models, mean score', 'State', 'Gaps', 'Cost']

interface Row {
  key: string
  group: RunGroup
  place?: string
}

function expand(groups: RunGroup[], isOpen: (selection: string) => boolean): Row[] {
  return groups.flatMap((group): Row[] => {
    const head = { key: group.selection, group }
    if (!group.isSeries || !isOpen(group.selection)) return [head]
    const runs = group.runs.map((run, index) => ({
      key: `${group.selection}/${run.id}`,
      group: groupOfRun(run),
      place: `Run ${index + 1} of ${group.runs.length}`,
    }))
    return [head, ...runs]
  })
}

function useRuns(isSearching: boolean) {
  const runs = useInfiniteQuery({
    queryKey: ['runs', 'list'],
    queryFn: ({ pageParam }) =>
      readReply(
        api.runs.$get({
          query: { offset: String(pageParam), limit: String(pageParam === 0 ? FIRST_PAGE : LATER_PAGE) },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page.runs.length, 0)
      return last.runs.length > 0 && loaded < last.total ? loaded : undefined
    },
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.runs.some((run) => run.isLive)) ? 2000 : false,
  })
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = runs
  // The server cannot search runs, so all of them must be loaded.
  useEffect(() => {
    if (isSearching && hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage()
  }, [isSearching, hasNextPage, isFetchingNextPage, isError, fetchNextPage])
  return runs
}

export function RunList() {
  const [address, changeQuery] = useQuery()
  const search = address.get('search') ?? ''
  const expanded = new Set((address.get('open') ?? '').split(',').filter((part) => part !== ''))
  const [chosen, setChosen] = useState<string[]>([])
  const runs = useRuns(search !== '')
  const groups = useMemo(() => groupRuns(runs.data?.pages.flatMap((page) => page.runs) ?? []), [runs.data])
  const found = groups.filter((group) => matchesSearch(group, search))
  const rows = expand(found, (selection) => expanded.has(selection))
  const total = runs.data?.pages.at(-1)?.total ?? 0

  const toggle = (selection: string) => {
    const next = new Set(expanded)
    if (!next.delete(selection)) next.add(selection)
    changeQuery({ open: [...next].join(',') })
  }
  const choose = (selection: string, isChosen: boolean) =>
    setChosen((before) => (isChosen ? [...before, selection] : before.filter((other) => other !== selection)))

  return (
    <Page
      title="Results"
      subtitle={runs.data ? `${formatCount(total, 'run')}, newest first` : undefined}
      actions={
        <>
          <span role="status" className="text-muted">
            {chosen.length === 1 ? 'Select one more to compare' : ''}
          </span>
          <Button
            disabled={chosen.length !== 2}
            onClick={() => navigate(compareAddress(...olderFirst(chosen, groups)))}
          >
            Compare
          </Button>
        </>
      }
    >
      <TextField
        type="search"
        label="Search runs"
        isLabelHidden
        placeholder="Search by suite, model, state or id"
        className="max-w-sm"
        value={search}
        onChange={(event) => changeQuery({ search: event.target.value })}
      />
      {runs.isPending && <Loading label="Loading runs…" />}
      {runs.isError && (
        <FailureNotice
          failure={runs.error}
          title="The list of runs could not be loaded"
          action={<Button onClick={() => void runs.refetch()}>Try again</Button>}
        />
      )}
      {runs.data && groups.length === 0 && (
        <EmptyState
          title="No runs yet."
          action={
            <Link to="/arena" className={buttonClass('primary')}>
              Go to the Arena
            </Link>
          }
        >
          Runs appear here as soon as they start.
        </EmptyState>
      )}
      {groups.length > 0 && found.length === 0 && !runs.isFetchingNextPage && (
        <EmptyState
          title={`No runs match “${search}”.`}
          action={<Button onClick={() => changeQuery({ search: undefined })}>Clear search</Button>}
        />
      )}
      {rows.length > 0 && (
        <RunTable
          rows={rows}
          chosen={chosen}
          isOpen={(selection) => expanded.has(selection)}
          onChoose={choose}
          onToggle={toggle}
          onEnd={() => runs.hasNextPage && !runs.isFetchingNextPage && void runs.fetchNextPage()}
        />
      )}
      {runs.isFetchingNextPage && (
        <div role="status" className="text-muted">
          Loading more runs…
        </div>
      )}
    </Page>
  )
}

/** The older one is A, the newer one B. */
function olderFirst(chosen: string[], groups: RunGroup[]): [string, string] {
  const startOf = (selection: string) =>
    groups.flatMap((group) => [group, ...group.runs.map(groupOfRun)]).find((group) => group.selection === selection)
      ?.startedAt ?? 0
  const [a = '', b = ''] = chosen.toSorted((x, y) => startOf(x) - startOf(y))
  return [a, b]
}

interface RunTableProps {
  rows: Row[]
  chosen: string[]
  isOpen: (selection: string) => boolean
  onChoose: (selection: string, isChosen: boolean) => void
  onToggle: (selection: string) => void
  onEnd: () => void
}

function RunTable({ rows, chosen, isOpen, onChoose, onToggle, onEnd }: RunTableProps) {
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 41,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => rows[index]?.key ?? index,
  })
  const items = virtual.getVirtualItems()
  const isAtEnd = (items.at(-1)?.index ?? 0) >= rows.length - 20
  useEffect(() => {
    if (isAtEnd) onEnd()
  }, [isAtEnd, onEnd])

  const focusRow = (index: number) => {
    virtual.scrollToIndex(index)
    window.requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-row="${index}"]`)?.focus())
  }
  usePageKeys((key) => {
    if (key !== 'j' && key !== 'k') return false
    const row = document.activeElement?.closest('[role=row]')?.querySelector<HTMLElement>('[data-row]')?.dataset['row']
    const at = row === undefined ? -1 : Number(row)
    focusRow(Math.max(0, Math.min(rows.length - 1, at + (key === 'j' ? 1 : -1))))
    return true
  })

  return (
    <Panel>
      <div role="table" aria-label="Runs" aria-rowcount={rows.length + 1}>
        <div role="row" className={`${rowLayout} border-b border-line text-xs text-muted max-lg:hidden`}>
          <span role="columnheader">
            <span className="sr-only">Compare</span>
          </span>
          <span role="columnheader">
            <span className="sr-only">Expand</span>
          </span>
          {columns.map((title) => (
            <span key={title} role="columnheader" className={title === 'Cost' ? 'text-right' : ''}>
              {title}
            </span>
          ))}
          <span role="columnheader">
            <span className="sr-only">More</span>
          </span>
        </div>
        <div role="rowgroup" ref={list} className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index]!
            const { selection } = row.group
            return (
              <div
                key={item.key}
                role="presentation"
                data-index={item.index}
                ref={virtual.measureElement}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${item.start - top}px)` }}
              >
                <RunRow
                  group={row.group}
                  {...(row.place !== undefined && { place: row.place })}
                  index={item.index}
                  isChosen={chosen.includes(selection)}
                  isLimitReached={chosen.length >= 2}
                  onChoose={(isChosen) => onChoose(selection, isChosen)}
                  isOpen={isOpen(selection)}
                  onToggle={() => onToggle(selection)}
                />
              </div>
            )
          })}
        </div>
      </div>
    </Panel>
  )
}
