import { isLive, runKindSchema } from '../../../contract/index.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { RunnersOnly } from '../../access/for-runners.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { FileUp, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { RunList as ListedRuns } from '../../../server/runs/routes.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, navigate, useAddress } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { EmptyState } from '../../ui/Notice.tsx'
import { Page, Panel } from '../../ui/Page.tsx'
import { FileDrop, useFileDrop } from '../../ui/files/FileDrop.tsx'
import type { GivenFile } from '../../ui/files/given-file.ts'
import { toast } from '../../ui/toast.ts'
import { compareAddress } from '../addresses.ts'
import { chooseResultsFiles } from '../import/import-choices.ts'
import { ImportResults } from '../import/ImportResults.tsx'
import { useStepKeys } from '../../ui/keys.ts'
import { toggleTag } from './label-form.ts'
import { groupOfRun, groupRuns, type RunGroup } from './run-groups.ts'
import { RunFilters } from './RunFilters.tsx'
import { RunRow, rowLayout } from './RunRow.tsx'
import { SelectedRuns } from './SelectedRuns.tsx'
import { readRunSort, sortRuns } from './sort-runs.ts'

/** A small first page, so that the list appears at once; later pages have the maximum size. */
const FIRST_PAGE = 50
const LATER_PAGE = 200
const columns = ['Run', 'When', 'Best models, mean score', 'State', 'Unscored', 'Cost']

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

function useRuns(filter: { search: string; tag: string; suite: string; kind: string }) {
  return useInfiniteQuery({
    queryKey: ['runs', 'list', filter],
    // The type of the reply is written out: inferring it through both clients is too deep for the compiler.
    queryFn: ({ pageParam }): Promise<ListedRuns> =>
      readReply(
        api.runs.$get({
          query: { ...filter, offset: String(pageParam), limit: String(pageParam === 0 ? FIRST_PAGE : LATER_PAGE) },
        }),
      ),
    // The list stays while the next letter is searched.
    placeholderData: (before) => before,
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page.runs.length, 0)
      return last.runs.length > 0 && loaded < last.total ? loaded : undefined
    },
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.runs.some(isLive)) ? 2000 : false),
  })
}

export function RunList() {
  const [address, changeQuery] = useAddress()
  const search = address.get('search') ?? ''
  const tags = (address.get('tag') ?? '').split(',').filter((tag) => tag !== '')
  const suite = address.get('suite') ?? ''
  const kind = runKindSchema.safeParse(address.get('kind')).data ?? ''
  const sort = readRunSort(address.get('sort'))
  const isFiltered = search.trim() !== '' || tags.length > 0 || suite !== '' || kind !== ''
  const expanded = new Set((address.get('open') ?? '').split(',').filter((part) => part !== ''))
  const [chosen, setChosen] = useState<string[]>([])
  const [labelled, setLabelled] = useState<string>()
  const [imported, setImported] = useState<readonly GivenFile[]>()
  const dropping = useFileDrop((given) => {
    const files = chooseResultsFiles(given)
    if (files.length > 0) setImported(files)
    else toast('There are no results files in what you dropped.')
  })
  const runs = useRuns({ search, tag: tags.join(','), suite, kind })
  const groups = useMemo(
    () => sortRuns(groupRuns(runs.data?.pages.flatMap((page) => page.runs) ?? [], { hasMore: runs.hasNextPage }), sort),
    [runs.data, runs.hasNextPage, sort],
  )
  // The first page has only the newest: another order needs them all.
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = runs
  const isLoadingAll = sort !== 'newest' && hasNextPage
  useEffect(() => {
    if (isLoadingAll && !isFetchingNextPage) void fetchNextPage()
  }, [isLoadingAll, isFetchingNextPage, fetchNextPage])
  const rows = expand(groups, (selection) => expanded.has(selection))
  const total = runs.data?.pages.at(-1)?.total ?? 0
  const isEmpty = runs.data !== undefined && total === 0 && !isFiltered

  const toggle = (selection: string) => {
    const next = new Set(expanded)
    if (!next.delete(selection)) next.add(selection)
    changeQuery({ open: [...next].join(',') })
  }
  const choose = (selection: string, isChosen: boolean) =>
    setChosen((before) => (isChosen ? [...before, selection] : before.filter((other) => other !== selection)))

  return (
    <FileDrop dropping={dropping} text="Drop results to see them before anything is stored">
      <Page
        title="Results"
        subtitle={
          runs.data && !isEmpty
            ? `${formatCount(total, 'run')}${isFiltered ? ' found' : ''}${total > 1 && sort === 'newest' ? ', newest first' : ''}`
            : undefined
        }
        actions={
          <>
            <RunnersOnly>
              <Button onClick={() => setImported([])}>
                <FileUp size={16} aria-hidden />
                Import
              </Button>
            </RunnersOnly>
            {!isEmpty && (
              <Link to="/rankings" className={buttonClass()}>
                Rankings
              </Link>
            )}
          </>
        }
      >
        {!isEmpty && (
          <RunFilters
            search={search}
            suite={suite}
            kind={kind}
            sort={sort === 'newest' ? '' : sort}
            suiteNames={groups.map(({ suiteName }) => suiteName)}
            onChange={changeQuery}
          />
        )}
        <SelectedRuns
          chosen={chosen}
          groups={groups}
          onChoose={setChosen}
          onCompare={() =>
            navigate(
              chosen.length === 1 ? compareAddress('', chosen[0]!) : compareAddress(...olderFirst(chosen, groups)),
            )
          }
        />
        {tags.length > 0 && (
          <div className="flex flex-wrap items-center gap-2">
            <span className="text-muted">Tagged</span>
            {tags.map((tag) => (
              <Button key={tag} onClick={() => changeQuery({ tag: toggleTag(tags, tag) })}>
                <bdi className="max-w-64 truncate">{tag}</bdi>
                <X size={14} aria-hidden />
                <span className="sr-only">: show all tags</span>
              </Button>
            ))}
          </div>
        )}
        <Loaded
          query={runs}
          what="the runs"
          isEmpty={() => groups.length === 0 && !runs.isPlaceholderData}
          empty={
            isFiltered ? (
              <EmptyState
                title={search.trim() === '' ? 'No runs match these filters.' : `No runs match “${search.trim()}”.`}
                action={
                  <Button
                    onClick={() =>
                      changeQuery({ search: undefined, tag: undefined, suite: undefined, kind: undefined })
                    }
                  >
                    Show all runs
                  </Button>
                }
              />
            ) : (
              <EmptyState
                title="No runs yet."
                action={
                  <Link to="/arena" className={buttonClass('primary')}>
                    Go to the Arena
                  </Link>
                }
              >
                Runs appear here as soon as they start. Results of Inspect, promptfoo, lm-evaluation-harness and others
                can be dropped on this page.
              </EmptyState>
            )
          }
        >
          {() => (
            <RunTable
              rows={rows}
              chosen={chosen}
              isOpen={(selection) => expanded.has(selection)}
              onChoose={choose}
              onToggle={toggle}
              labelled={labelled}
              onLabel={setLabelled}
              onEnd={() => runs.hasNextPage && !runs.isFetchingNextPage && void runs.fetchNextPage()}
            />
          )}
        </Loaded>
        {runs.isFetchingNextPage && (
          <div role="status" className="text-muted">
            {isLoadingAll ? `Loading all ${formatCount(total, 'run')} to sort them…` : 'Loading more runs…'}
          </div>
        )}
      </Page>
      {imported && <ImportResults files={imported} onClose={() => setImported(undefined)} />}
    </FileDrop>
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
  /** The row whose label is edited. */
  labelled: string | undefined
  onLabel: (key: string | undefined) => void
  onEnd: () => void
}

function RunTable({ rows, chosen, isOpen, onChoose, onToggle, labelled, onLabel, onEnd }: RunTableProps) {
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
  useStepKeys((by) => {
    const row = document.activeElement?.closest('[role=row]')?.querySelector<HTMLElement>('[data-row]')?.dataset['row']
    const at = row === undefined ? -1 : Number(row)
    focusRow(Math.max(0, Math.min(rows.length - 1, at + by)))
  })

  return (
    <Panel>
      <div role="table" aria-label="Runs" aria-rowcount={rows.length + 1}>
        <div role="row" className={`${rowLayout} border-b border-line text-xs text-muted max-xl:hidden`}>
          <span role="columnheader">
            <span className="sr-only">Select</span>
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
                  onChoose={(isChosen) => onChoose(selection, isChosen)}
                  isOpen={isOpen(selection)}
                  onToggle={() => onToggle(selection)}
                  isLabelling={labelled === row.key}
                  onLabel={(isLabelling) => onLabel(isLabelling ? row.key : undefined)}
                />
              </div>
            )
          })}
        </div>
      </div>
    </Panel>
  )
}
