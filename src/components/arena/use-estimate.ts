import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { RunRequestInput } from '../../contract/index.ts'
import type { RunEstimate } from '../../server/api.ts'
import { api } from '../api-client.ts'

const AFTER_MS = 250

/** The value as it was when it had not changed for a moment: not every key press is a question to the server. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), AFTER_MS)
    return () => window.clearTimeout(timer)
  }, [value])
  return settled
}

/** What the run would take; the last answer stays until the next is there. */
export function useEstimate(request: RunRequestInput | undefined): UseQueryResult<RunEstimate> & { isSettled: boolean } {
  const text = request === undefined ? undefined : JSON.stringify(request)
  const settled = useSettled(text)
  const estimate = useQuery({
    queryKey: ['estimate', settled],
    queryFn: () => api.estimate(request!),
    enabled: settled !== undefined && settled === text,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return { ...estimate, isSettled: settled === text && !estimate.isFetching }
}
