import type { PeopleEstimate } from '../../../statistics/index.ts'
import { peopleTable } from '../../../report/tables/people.ts'
import { describeEstimate } from '../../../report/words/index.ts'
import { IntervalMark } from '../../ui/charts/IntervalMark.tsx'
import { CutName } from '../../ui/names/ModelName.tsx'
import { Axis, DataTable } from '../../ui/table/DataTable.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'

/** What people would give each model, beside what it scored. */
export function EstimateTable({ label, models }: { label: string; models: readonly PeopleEstimate[] }) {
  const isNarrow = useNarrow('many columns')
  if (isNarrow)
    return (
      <ul className="flex flex-col gap-2">
        {models.map((model) => (
          <li key={model.modelId} className="rounded-lg border border-line bg-surface px-3 py-2">
            <CutName name={model.modelId} className="font-medium" />
            <p className="text-[13px] tabular-nums">{describeEstimate(model)}</p>
          </li>
        ))}
      </ul>
    )
  return (
    <DataTable
      label={label}
      columns={peopleTable}
      rows={models}
      keyOf={({ modelId }) => modelId}
      chart={{
        label: 'Interval',
        className: 'w-48',
        axis: <Axis ticks={['0', '100']} />,
        draw: (model) => model.estimate && <IntervalMark {...model.estimate} label={describeEstimate(model)} />,
      }}
    />
  )
}
