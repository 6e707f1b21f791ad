import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ResultsView } from '../../server/results/results-view.ts'
import { CutName } from '../ui/names/ModelName.tsx'
import { Panel } from '../ui/Page.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { leaderTable } from '../../report/tables/leaderboard.ts'
import { DataTable } from '../ui/table/DataTable.tsx'

type Card = ResultsView['verdictCard']

/** The leaders with what they score, cost and take: one row a model. */
function Leaders({ leaders }: { leaders: Card['leaders'] }) {
  const isNarrow = useNarrow('many columns')
  if (leaders.length === 0) return null
  if (isNarrow)
    return (
      <ul className="flex flex-col gap-1.5">
        {leaders.map(({ modelId, figures: [main, ...others] }) => (
          <li key={modelId}>
            <div className="flex min-w-0 items-baseline gap-2">
              <CutName name={modelId} className="flex-1 font-medium" />
              <span className="font-semibold tabular-nums">{main?.value}</span>
            </div>
            <div className="flex flex-wrap gap-x-3 text-xs text-muted tabular-nums">
              {others.map(({ title, value }) => (
                <span key={title} className="whitespace-nowrap">
                  {title} {value}
                </span>
              ))}
            </div>
          </li>
        ))}
      </ul>
    )
  return (
    <DataTable
      label="Leading models"
      isFramed={false}
      columns={leaderTable(leaders)}
      rows={leaders}
      keyOf={({ modelId }) => modelId}
    />
  )
}

/** The verdict at a glance: who wins, by how much, what weakens it and what to do next. */
export function VerdictCard({ card, action, children }: { card: Card; action: ReactNode; children?: ReactNode }) {
  const { disagreement, headline, margin, decided = [], bargain, leaders, caveats, next, gains = '' } = card
  return (
    <section aria-label="Verdict">
      <Panel className="flex flex-col gap-3 p-4">
        {disagreement !== undefined && (
          <p className="flex items-start gap-2">
            <TriangleAlert size={14} aria-hidden className="mt-[3px] shrink-0 text-warning" />
            <span className="min-w-0 break-words">
              {disagreement}{' '}
              <a href="#splits" className="text-accent-ink hover:underline">
                Where they split
              </a>
            </span>
          </p>
        )}
        <div className="flex flex-col gap-3 min-[1400px]:flex-row min-[1400px]:justify-between min-[1400px]:gap-8">
          <div className="min-w-0 min-[1400px]:flex-1" aria-live="polite">
            <h2 className="text-[17px] leading-6 font-semibold break-words">{headline}</h2>
            {margin !== undefined && <p className="break-words text-muted tabular-nums">{margin}</p>}
            {decided.length > 0 && <p className="mt-1 max-w-[75ch] break-words">{decided.join(' ')}</p>}
            {bargain !== undefined && <p className="mt-1 break-words">{bargain}</p>}
          </div>
          <Leaders leaders={leaders} />
        </div>
        {caveats.length > 0 && (
          <ul className="flex flex-col gap-1">
            {caveats.map(({ text }) => (
              <li key={text} className="flex items-start gap-2">
                <TriangleAlert size={14} aria-hidden className="mt-[3px] shrink-0 text-warning" />
                <span className="min-w-0 break-words">{text}</span>
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-3">
          <p className="min-w-0 break-words">
            <span className="font-medium">Next:</span> {next.text}
          </p>
          {action}
        </div>
        {gains !== '' && <p className="break-words text-muted">{gains}</p>}
        {children}
      </Panel>
    </section>
  )
}
