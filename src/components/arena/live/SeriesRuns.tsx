import { useQuery } from '@tanstack/react-query'
import type { LiveRunFacts } from '../../../stores/liveRunStore.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { SeriesLinks } from './SeriesLinks.tsx'

/** Links to the runs of a series. */
export function SeriesRuns({ facts }: { facts: LiveRunFacts }) {
  const { seriesId, runId, runsPlanned } = facts
  const runs = useQuery({
    queryKey: ['runs', { limit: 100, of: seriesId, at: runId }],
    queryFn: () => readReply(api.runs.$get({ query: { limit: '100' } })),
    enabled: seriesId !== undefined,
    staleTime: 30_000,
  })
  const series = runs.data?.runs.filter((run) => run.seriesId === seriesId).toReversed() ?? []
  if (seriesId === undefined) return null
  return (
    <SeriesLinks
      runIds={series.map(({ id }) => id)}
      runId={runId}
      runsPlanned={runsPlanned}
      addressOf={(id) => `/arena/run/${encodeURIComponent(id)}`}
    />
  )
}
