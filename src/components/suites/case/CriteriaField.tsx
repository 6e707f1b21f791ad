import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { readRows, writeRows, type CriterionRow } from './criteria-rows.ts'
import { JsonField, NumberField } from './ValueFields.tsx'

interface CriteriaFieldProps {
  label: string
  hint: string | undefined
  error: string | undefined
  value: unknown
  onChange: (value: unknown) => void
}

/** The checklist of a rubric: a row a criterion, with its weight. */
export function CriteriaField({ label, hint, error, value, onChange }: CriteriaFieldProps) {
  const rows = readRows(value)
  // Removing a row shifts the indexes; with new keys no field keeps what was typed into another.
  const [removals, setRemovals] = useState(0)
  if (!rows) return <JsonField {...{ label, hint, error, value, onChange }} className="md:col-span-2" />
  const change = (index: number, row: Partial<CriterionRow>) =>
    onChange(writeRows(rows.with(index, { ...rows[index]!, ...row })))
  const remove = (index: number) => {
    setRemovals(removals + 1)
    onChange(writeRows(rows.toSpliced(index, 1)))
  }
  return (
    <fieldset className="flex flex-col gap-2 md:col-span-2">
      <legend className="text-[13px] font-medium">{label}</legend>
      <p className="text-xs text-muted">
        What the answer must do, one sentence each. The judge says for each whether it is met, partly met or not met.
      </p>
      {rows.map(({ text, weight }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={`${removals}.${index}`} className="flex items-end gap-2">
          <TextField
            label={`Criterion ${index + 1}`}
            isLabelHidden
            className="min-w-0 flex-1"
            placeholder="Names the new rent"
            value={text}
            onChange={(event) => change(index, { text: event.target.value })}
          />
          <NumberField
            label={`Weight of criterion ${index + 1}`}
            isLabelHidden
            className="w-20"
            placeholder="weight 1"
            value={weight}
            onChange={(next) => change(index, { weight: next })}
          />
          <IconButton label={`Remove criterion ${index + 1}`} onClick={() => remove(index)}>
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </div>
      ))}
      {error !== undefined && <div className="text-xs text-danger">{error}</div>}
      <div>
        <Button onClick={() => onChange(writeRows([...rows, { text: '', weight: undefined, rest: {} }]))}>
          <Plus size={16} aria-hidden />
          Add criterion
        </Button>
      </div>
    </fieldset>
  )
}
