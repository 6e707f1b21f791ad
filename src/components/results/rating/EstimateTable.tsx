import type { PeopleEstimate } from '../../../statistics/index.ts'
import { describeEstimate, peopleColumns } from '../../../report/words/index.ts'
import { classes } from '../../ui/classes.ts'
import { IntervalMark } from '../../ui/charts/IntervalMark.tsx'
import { CutName } from '../../ui/names/ModelName.tsx'
import { TablePanel } from '../../ui/Page.tsx'
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
    <TablePanel label={label}>
      <table className="w-full text-[13px]">
        <thead className="text-left text-xs text-muted">
          <tr>
            <th scope="col" className="px-3 py-2 font-medium">
              Model
            </th>
            {peopleColumns.map(({ title, isText }) => (
              <th
                key={title}
                scope="col"
                className={classes('px-3 py-2 font-medium whitespace-nowrap', !isText && 'text-right')}
              >
                {title}
              </th>
            ))}
            <th scope="col" className="w-48 px-3 py-2 font-medium">
              <span className="flex justify-between" aria-hidden>
                <span>0</span>
                <span>100</span>
              </span>
              <span className="sr-only">Interval</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.modelId} className="border-t border-line">
              <th scope="row" className="max-w-64 min-w-28 px-3 py-1.5 text-left font-medium">
                <CutName name={model.modelId} />
              </th>
              {peopleColumns.map(({ title, describe, isMain, isText }) => (
                <td
                  key={title}
                  className={classes(
                    'px-3 py-1.5 tabular-nums',
                    isText ? 'min-w-40 text-muted' : 'text-right whitespace-nowrap',
                    isMain && 'font-semibold',
                  )}
                >
                  {describe(model)}
                </td>
              ))}
              <td className="px-3 py-1.5">
                {model.estimate && <IntervalMark {...model.estimate} label={describeEstimate(model)} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
  )
}
