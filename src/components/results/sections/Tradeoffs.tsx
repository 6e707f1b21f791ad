import type { ResultsView } from '../../../server/results/results-view.ts'
import type { ScatterPoint } from '../../../report/charts/index.ts'
import {
  formatCost,
  formatCosts,
  formatCount,
  formatDuration,
  formatDurations,
  joinWords,
} from '../../../report/words/index.ts'
import { Panel, Section } from '../../ui/Page.tsx'
import { ScatterPlot } from './ScatterPlot.tsx'

type Row = ResultsView['rows'][number]

function pointsBy(rows: Row[], read: (row: Row) => number | undefined): ScatterPoint[] {
  return rows.flatMap((row) => {
    const x = read(row)
    return x === undefined || !row.score
      ? []
      : [{ id: row.modelId, x, mean: row.score.mean, low: row.score.low, high: row.score.high }]
  })
}

/** Cost and latency against score. */
export function Tradeoffs({ rows }: { rows: Row[] }) {
  const scored = rows.filter(({ score }) => score)
  if (scored.length === 0) return null
  const byCost = pointsBy(scored, ({ cost }) => (cost.unknown === 0 ? cost.total : undefined))
  const byTime = pointsBy(scored, ({ medianLatencyMs }) => medianLatencyMs)
  const unknown = scored.filter(({ cost }) => cost.unknown > 0)
  const isFree = byCost.length > 0 && byCost.every(({ x }) => x === 0)
  return (
    <Section title="Cost and latency against score" id="tradeoffs" aside="upper left is best">
      <Panel className="grid gap-6 p-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-1">
          {isFree ? (
            <p className="text-muted">All answers were free, so there is no cost to show.</p>
          ) : (
            byCost.length > 0 && (
              <ScatterPlot
                title="Score and total cost"
                axis="cost"
                points={byCost}
                formatTicks={formatCosts}
                formatX={(value) => formatCost(value)}
              />
            )
          )}
          {unknown.length > 0 && (
            <p className="text-[13px] break-words text-muted">
              Not shown, because the cost is unknown:{' '}
              {joinWords(
                unknown.map(
                  ({ modelId, cost }) => `${modelId} (${formatCount(cost.unknown, 'answer')} without a price)`,
                ),
              )}
              .
            </p>
          )}
        </div>
        <div className="min-w-0">
          {byTime.length > 0 ? (
            <ScatterPlot
              title="Score and median latency"
              axis="latency"
              points={byTime}
              formatTicks={formatDurations}
              formatX={formatDuration}
            />
          ) : (
            <p className="text-muted">No latency was recorded.</p>
          )}
        </div>
      </Panel>
    </Section>
  )
}
