import type { RunEstimate } from '../../server/runs/estimate.ts'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { RunRequestInput } from '../../contract/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { useSettled } from '../ui/use-settled.ts'

/** Not every key press is a question to the server. */
const AFTER_MS = 250

/** What the run would take; the last answer stays until the next is there. */
export function useEstimate(
  request: RunRequestInput | undefined,
): UseQueryResult<RunEstimate> & { isSettled: boolean } {
  const text = request === undefined ? undefined : JSON.stringify(request)
  const settled = useSettled(text, AFTER_MS)
  const estimate = useQuery({
    queryKey: ['estimate', settled],
    queryFn: () => readReply(api.estimate.$post({ json: request! })),
    enabled: settled !== undefined && settled === text,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return { ...estimate, isSettled: settled === text && !estimate.isFetching }
}
