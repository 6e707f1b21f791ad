import type { ResultsView } from '../../../server/results/results-view.ts'
import { findFrontier, listCostPoints } from '../../../report/charts/index.ts'
import {
  describeGoodEnough,
  describeStillOpen,
  describeSwitch,
  formatCost,
  formatCosts,
} from '../../../report/words/index.ts'
import { nameBriefly, renameModels } from '../../../report/words/names.ts'
import { useAddress } from '../../router.tsx'
import { SelectField, SelectOptions } from '../../ui/form/Field.tsx'
import { Panel } from '../../ui/Page.tsx'
import { readSmallestDifference } from '../SmallestDifference.tsx'
import { CostSteps } from './CostSteps.tsx'
import { ScatterChart } from './ScatterChart.tsx'

const MAX_NAME_LENGTH = 28

/** Points that people choose; any other is set under All comparisons. */
const MARGINS = ['0.5', '1', '2', '3', '5', '10']

/** By how much a cheaper model may be worse. In the address, so that a reload shows the same. */
function MarginChoice({ margin }: { margin: number | undefined }) {
  const [address, changeQuery] = useAddress()
  const chosen =
    readSmallestDifference(address) ?? (margin === undefined ? '' : String(Number((margin * 100).toFixed(4))))
  const options = [...new Set([...MARGINS, ...(chosen === '' ? [] : [chosen])])].toSorted(
    (a, b) => Number(a) - Number(b),
  )
  return (
    <SelectField
      label="A cheaper model may be worse by"
      className="w-56 max-w-full"
      value={chosen}
      onChange={(points) => changeQuery({ difference: points || undefined })}
    >
      <option value="">Choose…</option>
      <SelectOptions of={options.map((points) => [points, `${points} ${points === '1' ? 'point' : 'points'}`])} />
    </SelectField>
  )
}

/** The cheapest model that is good enough, what each step up in quality costs, and all models on one chart. */
export function CostView({ view }: { view: ResultsView }) {
  const { costs, rows, pendingComparisons = false } = view
  if (!costs)
    return (
      <p className="text-muted">
        {pendingComparisons
          ? 'Comparing models…'
          : 'No cost to show: it takes two models with scores, and a known price.'}
      </p>
    )
  if (costs.models.every(({ cost }) => !cost || cost.mean === 0))
    return <p className="text-muted">All answers were free, so there is no cost to show.</p>
  const models = rows.map(({ modelId }) => modelId)
  const rename = (text: string) => renameModels(text, models, nameBriefly(models, MAX_NAME_LENGTH))
  const sentence = describeGoodEnough(costs) ?? 'Choose by how much a cheaper model may be worse.'
  const points = listCostPoints(costs, rows)
  const next = describeSwitch(costs) ?? describeStillOpen(costs)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Panel>
        <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3 p-4">
          <h3
            className="max-w-[70ch] min-w-0 flex-1 basis-80 text-[17px] leading-6 font-semibold break-words"
            aria-live="polite"
          >
            {rename(sentence)}
          </h3>
          <MarginChoice margin={costs.margin} />
        </div>
        {next !== undefined && (
          <p className="border-t border-line px-4 py-3 break-words">
            <span className="font-medium">Next:</span> {rename(next)}
          </p>
        )}
      </Panel>
      <div className="grid min-w-0 gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <ScatterChart
          title="Cost against quality"
          note="Dot: mean. Lines: 95 % CI. Dashed: best for the price."
          axis="cost of 1,000 answers"
          height={400}
          points={points}
          frontier={findFrontier(points)}
          formatTicks={formatCosts}
          formatX={(cost) => `${formatCost(cost)} for 1,000 answers`}
        />
        <CostSteps view={view} costs={costs} />
      </div>
    </div>
  )
}
