import type { ResultsView } from '../../../server/results/results-view.ts'
import { Tradeoffs } from '../sections/Tradeoffs.tsx'
import { CostView } from './CostView.tsx'

/** What the models cost against how good they are, and how long they take. */
export function Cost({ view }: { selection: string; view: ResultsView }) {
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <CostView view={view} />
      <Tradeoffs rows={view.rows} />
    </div>
  )
}
