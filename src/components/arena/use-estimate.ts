import type { RunEstimate } from '../../server/runs/estimate.ts'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { RunRequestInput } from '../../contract/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { useSettled } from '../ui/use-settled.ts'

/** Waits for a pause in typing before asking the server. */
const DELAY_MS = 250

/** The estimate of a run; the previous one stays until the next arrives. */
export function useEstimate(
  request: RunRequestInput | undefined,
): UseQueryResult<RunEstimate> & { isSettled: boolean } {
  const text = request === undefined ? undefined : JSON.stringify(request)
  const settled = useSettled(text, DELAY_MS)
  const estimate = useQuery({
    queryKey: ['estimate', settled],
    queryFn: () => readReply(api.estimate.$post({ json: request! })),
    enabled: settled !== undefined && settled === text,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return { ...estimate, isSettled: settled === text && !estimate.isFetching }
}
