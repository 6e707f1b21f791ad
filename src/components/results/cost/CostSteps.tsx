import { useState } from 'react'
import type { ResultsView } from '../../../server/results/results-view.ts'
import { findFrontier, listCostPoints } from '../../../report/charts/index.ts'
import { describeStep, describeVolume, formatCount, formatThousand, listSteps } from '../../../report/words/index.ts'
import { nameBriefly } from '../../../report/words/names.ts'
import { classes } from '../../ui/classes.ts'
import { SelectField, SelectOptions } from '../../ui/form/Field.tsx'
import { CutName } from '../../ui/names/ModelName.tsx'
import { Panel } from '../../ui/Page.tsx'

type Costs = NonNullable<ResultsView['costs']>

/** In a narrow column; the chart beside it has longer ones. */
const MAX_NAME_LENGTH = 24

const VOLUMES = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]

/** What the first two on the frontier would cost in a month. */
function Volume({ steps }: { steps: ReturnType<typeof listSteps> }) {
  const [volume, setVolume] = useState(VOLUMES[2]!)
  const text = describeVolume(steps, volume)
  if (text === undefined) return null
  return (
    <div className="mt-auto flex flex-col gap-2 border-t border-line pt-3">
      <SelectField
        label="Answers in a month"
        className="w-40"
        value={String(volume)}
        onChange={(value) => setVolume(Number(value))}
      >
        <SelectOptions of={VOLUMES.map((count) => [count, formatCount(count)])} />
      </SelectField>
      <p className="text-[13px] break-words">{text}</p>
    </div>
  )
}

/** From the best model of the frontier down: what it costs and what each step up gains. */
export function CostSteps({ view, costs }: { view: ResultsView; costs: Costs }) {
  const frontier = findFrontier(listCostPoints(costs, view.rows))
  const nameOf = nameBriefly(
    costs.models.map(({ modelId }) => modelId),
    MAX_NAME_LENGTH,
  )
  const steps = listSteps(costs, {
    frontier,
    comparisons: view.comparisons.map(({ comparison }) => comparison),
  }).map(({ modelId, from, ...step }) => ({
    ...step,
    modelId: nameOf(modelId),
    ...(from && { from: { ...from, modelId: nameOf(from.modelId) } }),
  }))
  return (
    <Panel className="flex flex-col gap-1 p-4">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h3 className="text-[15px] font-semibold">What each step up costs</h3>
        <p className="text-xs text-muted">for 1,000 answers</p>
      </div>
      {/* No taller than the chart beside it, however many models there are. */}
      <ul
        className="flex flex-col lg:-mr-4 lg:max-h-[18.5rem] lg:overflow-y-auto lg:pr-4"
        tabIndex={steps.length > 6 ? 0 : undefined}
        aria-label="Steps"
      >
        {steps.map((step) => {
          const { gain, times } = describeStep(step)
          return (
            <li
              key={step.modelId}
              className="grid grid-cols-[12px_minmax(0,1fr)_auto] gap-x-3 border-t border-line py-2 first:border-t-0"
            >
              <span
                aria-hidden
                className={classes(
                  'mt-1 size-3 rounded-full border-2',
                  step.isOnFrontier ? 'border-accent bg-accent' : 'border-line-strong bg-surface',
                )}
              />
              <CutName name={step.modelId} className="font-medium" />
              <span className="text-right tabular-nums">{formatThousand(step.cost)}</span>
              <span className="col-span-2 col-start-2 flex flex-wrap justify-between gap-x-3 text-[13px] text-muted tabular-nums">
                <span className="min-w-0 break-words">{gain}</span>
                <span className="min-w-0 break-words">{times}</span>
              </span>
            </li>
          )
        })}
      </ul>
      <Volume steps={steps} />
    </Panel>
  )
}
