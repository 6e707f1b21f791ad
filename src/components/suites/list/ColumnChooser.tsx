import { useScorers } from '../../queries.ts'
import type { SuiteColumns } from '../../../server/suites/routes.ts'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { SelectField, SelectOptions } from '../../ui/form/Field.tsx'

export type TablePreview = NonNullable<SuiteColumns['table']>

const FIELDS = [
  { name: 'prompt', label: 'Prompt' },
  { name: 'expectedOutput', label: 'Expected output' },
  { name: 'id', label: 'Id' },
  { name: 'category', label: 'Category' },
]

/** Lets the user say what the columns of a table hold, over its first rows. */
export function ColumnChooser({
  table,
  isBusy,
  onChosen,
}: {
  table: TablePreview
  isBusy: boolean
  onChosen: (map: Record<string, string>) => void
}) {
  const [chosen, setChosen] = useState<Record<string, string>>(table.guess)
  const [method, setMethod] = useState('')
  const scorers = useScorers()
  const set = (field: string, column: string) => {
    const { [field]: _before, ...others } = chosen
    setChosen(column === '' ? others : { ...others, [field]: column })
  }
  const fieldOf = (column: string) =>
    FIELDS.flatMap(({ name, label }) => (chosen[name] === column ? [label] : [])).join(', ')
  return (
    <div className="flex flex-col gap-3">
      <p role="status">Choose what the columns of the table hold; other columns become variables.</p>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
        {FIELDS.map(({ name, label }) => (
          <SelectField key={name} label={label} value={chosen[name] ?? ''} onChange={(value) => set(name, value)}>
            <option value="">{name === 'prompt' ? 'Choose a column' : 'None'}</option>
            <SelectOptions of={table.columns} />
          </SelectField>
        ))}
        <SelectField label="Scoring method" value={method} onChange={setMethod}>
          <option value="">{chosen['expectedOutput'] === undefined ? 'none: collect answers' : 'exact-match'}</option>
          <SelectOptions of={scorers.data?.map(({ name }) => name)} />
        </SelectField>
      </div>
      <div className="overflow-x-auto rounded-md border border-line" tabIndex={0} role="region" aria-label="First rows">
        <table className="w-full min-w-[480px] text-left">
          <thead className="border-b border-line text-xs text-muted">
            <tr>
              {table.columns.map((column) => (
                <th key={column} scope="col" className="px-2 py-1.5 font-medium">
                  {column}
                  <div className="h-4 font-normal text-accent-ink">{fieldOf(column)}</div>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...table.rows.entries()].map(([index, row]) => (
              <tr key={index} className="border-b border-line last:border-0">
                {table.columns.map((column) => (
                  <td key={column} className="max-w-56 truncate px-2 py-1.5">
                    {row[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div>
        <Button
          kind="primary"
          disabled={chosen['prompt'] === undefined || isBusy}
          onClick={() => onChosen({ ...chosen, ...(method !== '' && { scoringMethod: method }) })}
        >
          Use these columns
        </Button>
      </div>
    </div>
  )
}
