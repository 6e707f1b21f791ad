import { Link } from '../../router.tsx'

interface SeriesLinksProps {
  /** In the order they ran. */
  runIds: readonly string[]
  /** The current page's run. */
  runId: string
  runsPlanned?: number
  addressOf: (runId: string) => string
}

export function SeriesLinks({ runIds, runId, runsPlanned = runIds.length, addressOf }: SeriesLinksProps) {
  if (runIds.length < 2) return null
  return (
    <nav aria-label="Runs of this series" className="flex flex-wrap items-center gap-1 text-xs">
      <span className="mr-1 text-muted">Runs of this series:</span>
      {runIds.map((id, index) => (
        <Link
          key={id}
          to={addressOf(id)}
          aria-current={id === runId ? 'page' : undefined}
          aria-label={`Run ${index + 1}`}
          className={`inline-flex h-6 min-w-6 items-center justify-center rounded px-1.5 tabular-nums ${id === runId ? 'bg-accent-soft text-accent-ink' : 'text-muted hover:bg-hover'}`}
        >
          {index + 1}
        </Link>
      ))}
      {runIds.length < runsPlanned && <span className="text-muted">of {runsPlanned}</span>}
    </nav>
  )
}
