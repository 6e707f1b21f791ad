import type { CasePage, CaseRow } from '../../../server/results/cases/case-page.ts'
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LoadedQuery } from '../../ui/Loaded.tsx'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import type { CaseQuery } from './case-query.ts'
import { pagesFor } from './page-window.ts'

export const PAGE_SIZE = 100

interface CasePagesOptions {
  selection: string
  query: CaseQuery
  /** The refresh interval during a live run. */
  refreshMs: number | false
}

/** The query for one page of cases; the first is prefetched when the screen opens. */
export function casePageQuery({ selection, query, refreshMs }: CasePagesOptions, page: number) {
  return queryOptions({
    queryKey: ['cases', selection, query, page],
    queryFn: ({ signal }) =>
      loadPage(
        (offset, limit) =>
          readReply(
            api.cases[':selection'].cases.$get(
              { param: { selection }, query: { ...query, offset: String(offset), limit: String(limit) } },
              { init: { signal } },
            ),
          ),
        page * PAGE_SIZE,
      ),
    refetchInterval: refreshMs,
    staleTime: 30_000,
  })
}

/** With very many models the server sends fewer cases than requested; this loads the rest of the page. */
async function loadPage(load: (offset: number, limit: number) => Promise<CasePage>, offset: number): Promise<CasePage> {
  const page = await load(offset, PAGE_SIZE)
  const expected = Math.min(PAGE_SIZE, page.total - offset)
  while (page.cases.length < expected) {
    const more = await load(offset + page.cases.length, expected - page.cases.length)
    if (more.cases.length === 0) break
    page.cases.push(
      ...more.cases.map((row) => ({
        ...row,
        cells: page.models.map((model) => row.cells[more.models.indexOf(model)]!),
      })),
    )
  }
  return page
}

export interface CasePages {
  /** How many rows there are. */
  query: LoadedQuery<number>
  rowAt: (index: number) => { row: CaseRow; cellModels: string[] } | undefined
  /** Of each state, once the first page is there. */
  counts: CasePage['counts'] | undefined
  /** The rows still belong to the previous filters. */
  isOutdated: boolean
}

/** The visible rows, by page. After a filter change the old rows stay until the new ones arrive. */
export function useCasePages(options: CasePagesOptions, { first, last }: { first: number; last: number }): CasePages {
  const [shown, setShown] = useState(options.query)
  const firstPage = useQuery(casePageQuery(options, 0))
  const isSame = JSON.stringify(shown) === JSON.stringify(options.query)
  if (!isSame && firstPage.data) setShown(options.query)
  const query = isSame || firstPage.data ? options.query : shown

  const shownPage = useQuery({ ...casePageQuery({ ...options, query }, 0) }).data
  const total = shownPage?.total
  const numbers = pagesFor({ first, last, total: total ?? 0, pageSize: PAGE_SIZE })
  const pages = useQueries({ queries: numbers.map((page) => casePageQuery({ ...options, query }, page)) })
  const pageOf = new Map(numbers.map((page, index) => [page, pages[index]?.data]))
  return {
    query: {
      data: total,
      error: firstPage.error ?? pages.find((page) => page.error)?.error ?? null,
      fetchStatus: firstPage.fetchStatus,
      refetch: () => Promise.all([firstPage, ...pages].flatMap((page) => (page.error ? page.refetch() : []))),
    },
    rowAt: (index) => {
      const page = pageOf.get(Math.floor(index / PAGE_SIZE))
      const row = page?.cases[index % PAGE_SIZE]
      return page && row && { row, cellModels: page.models }
    },
    counts: (firstPage.data ?? shownPage)?.counts,
    isOutdated: !isSame && !firstPage.data,
  }
}
