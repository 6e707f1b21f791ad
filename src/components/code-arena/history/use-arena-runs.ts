import { isLive } from '../../../contract/index.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'

const PAGE_SIZE = 50

/** Code Arena runs, newest first, a page at a time; refreshed while one is live. */
export function useArenaRuns() {
  return useInfiniteQuery({
    queryKey: ['code-arena', 'runs'],
    queryFn: ({ pageParam }) =>
      readReply(api.codeArena.$get({ query: { offset: String(pageParam), limit: String(PAGE_SIZE) } })),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page.runs.length, 0)
      return last.runs.length > 0 && loaded < last.total ? loaded : undefined
    },
    refetchInterval: ({ state }) => (state.data?.pages.some(({ runs }) => runs.some(isLive)) ? 2000 : false),
  })
}
