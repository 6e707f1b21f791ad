import type { ResultsView } from '../../../server/results/results-view.ts'
import type { ScatterPoint } from '../../../report/charts/index.ts'
import { formatCount, formatDuration, formatDurations, joinWords } from '../../../report/words/index.ts'
import { CostView } from './CostView.tsx'
import { ScatterChart } from './ScatterChart.tsx'

type Row = ResultsView['rows'][number]

const latencyPoint = ({ modelId, medianLatencyMs: x, score }: Row): ScatterPoint[] =>
  x === undefined || !score ? [] : [{ id: modelId, x, mean: score.mean, low: score.low, high: score.high }]

/** What the models cost against how good they are, and how long they take. */
export function Cost({ view }: { selection: string; view: ResultsView }) {
  const scored = view.rows.filter(({ score }) => score)
  const unpriced = scored.filter(({ cost }) => cost.unknown > 0)
  const latencies = scored.flatMap(latencyPoint)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <CostView view={view} />
      {unpriced.length > 0 && (
        <p className="text-[13px] break-words text-muted">
          Not in the chart of cost, because it is unknown:{' '}
          {joinWords(
            unpriced.map(({ modelId, cost }) => `${modelId} (${formatCount(cost.unknown, 'answer')} without a price)`),
          )}
          .
        </p>
      )}
      {latencies.length > 0 && (
        <ScatterChart
          title="Latency against quality"
          note="Dot: mean score, median latency. Lines: 95 % CI."
          axis="latency"
          height={280}
          points={latencies}
          formatTicks={formatDurations}
          formatX={formatDuration}
        />
      )}
    </div>
  )
}
