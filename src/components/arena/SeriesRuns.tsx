import { useQuery } from '@tanstack/react-query'
import type { LiveRunFacts } from '../../stores/liveRunStore.ts'
import { api } from '../api-client.ts'
import { Link } from '../router.tsx'

/** The other runs of a series, each with its own page. */
export function SeriesRuns({ facts }: { facts: LiveRunFacts }) {
  const { seriesId, runId, runsPlanned } = facts
  const runs = useQuery({
    queryKey: ['runs', { limit: 100, of: seriesId, at: runId }],
    queryFn: () => api.runs({ limit: 100 }),
    enabled: seriesId !== undefined,
    staleTime: 30_000,
  })
  const series = runs.data?.runs.filter((run) => run.seriesId === seriesId).toSorted((a, b) => a.startedAt - b.startedAt) ?? []
  if (seriesId === undefined || series.length < 2) return null
  return (
    <nav aria-label="Runs of this series" className="flex flex-wrap items-center gap-1 text-xs">
      <span className="mr-1 text-muted">Runs of this series:</span>
      {series.map(({ id }, index) => (
        <Link
          key={id}
          to={`/arena/run/${encodeURIComponent(id)}`}
          aria-current={id === runId ? 'page' : undefined}
          aria-label={`Run ${index + 1}`}
          className={`inline-flex h-6 min-w-6 items-center justify-center rounded px-1.5 tabular-nums ${id === runId ? 'bg-accent-soft text-accent-ink' : 'text-muted hover:bg-hover'}`}
        >
          {index + 1}
        </Link>
      ))}
      {series.length < runsPlanned && <span className="text-muted">of {runsPlanned}</span>}
    </nav>
  )
}
