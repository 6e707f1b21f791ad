import type { ScorerInfo } from '../../../server/suites/scorer-list.ts'
import { Checkbox, SelectField, SelectOptions, TextArea, TextField } from '../../ui/form/Field.tsx'
import { type OptionField, optionFields } from './option-fields.ts'
import { type Fields, setIn, textOf } from '../suite-draft.ts'
import { JsonField, LinesField, NumberField } from './ValueFields.tsx'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { type CriterionRow, readRows, writeRows } from './criteria-rows.ts'

interface CriteriaFieldProps {
  label: string
  hint: string | undefined
  error: string | undefined
  value: unknown
  onChange: (value: unknown) => void
}

/** The checklist of a rubric: a row a criterion, with its weight. */
function CriteriaField({ label, hint, error, value, onChange }: CriteriaFieldProps) {
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
            onChange={(typed) => change(index, { text: typed })}
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

interface OneOptionProps {
  field: OptionField
  value: unknown
  error: string | undefined
  onChange: (value: unknown) => void
}

function hintOf({ hint, fallback, isRequired, ...field }: OptionField): string | undefined {
  const isDefaultShown = fallback !== undefined && field.kind !== 'switch' && field.kind !== 'choice'
  const parts = [
    hint,
    field.kind === 'number' && field.limits,
    field.kind === 'lines' && 'one per line',
    isDefaultShown && `default ${JSON.stringify(fallback)}`,
    isRequired && 'required',
  ].filter(Boolean)
  return parts.length === 0 ? undefined : parts.join('; ')
}

function OneOption({ field, value, error, onChange }: OneOptionProps) {
  const common = { label: field.label, hint: hintOf(field), error }
  /** Omits values equal to the default, to keep the suite short. */
  const change = (next: unknown) => onChange(next === field.fallback ? undefined : next)
  switch (field.kind) {
    case 'switch':
      return (
        <div className="flex flex-col gap-0.5">
          <Checkbox
            label={field.label}
            checked={(value ?? field.fallback) === true}
            onChange={(event) => change(event.target.checked)}
          />
          {field.hint !== undefined && <div className="pl-6 text-xs text-muted">{field.hint}</div>}
          {error !== undefined && <div className="pl-6 text-xs text-danger">{error}</div>}
        </div>
      )
    case 'choice':
      return (
        <SelectField
          {...common}
          value={textOf(value ?? field.fallback)}
          onChange={(chosen) => change(chosen || undefined)}
        >
          {field.fallback === undefined && <option value="">not set</option>}
          <SelectOptions of={field.choices} />
        </SelectField>
      )
    case 'number':
      return <NumberField {...common} value={value} onChange={onChange} placeholder={textOf(field.fallback)} />
    case 'text':
      if (field.isLong)
        return (
          <TextArea
            {...common}
            className="md:col-span-2"
            rows={3}
            value={textOf(value)}
            onChange={(text) => onChange(text || undefined)}
          />
        )
      return (
        <TextField
          {...common}
          value={textOf(value)}
          onChange={(text) => onChange(text || undefined)}
          placeholder={textOf(field.fallback)}
        />
      )
    case 'lines':
      return <LinesField {...common} className="md:col-span-2" value={value} onChange={onChange} />
    case 'criteria':
      return <CriteriaField {...common} value={value} onChange={onChange} />
    case 'json':
      return <JsonField {...common} className="md:col-span-2" value={value} onChange={onChange} />
  }
}

interface OptionFieldsProps {
  scorer: ScorerInfo
  fields: Fields
  errorAt: (field: string) => string | undefined
  onChange: (change: (fields: Fields) => Fields) => void
}

/** The options of a scoring method, generated from its schema. */
export function OptionFields({ scorer, fields, errorAt, onChange }: OptionFieldsProps) {
  const optionList = optionFields(scorer)
  if (optionList.length === 0) return null
  return (
    <div className="grid gap-3 md:grid-cols-2">
      {optionList.map((field) => (
        <OneOption
          key={`${scorer.name}.${field.name}`}
          field={field}
          value={fields[field.name]}
          error={errorAt(field.name)}
          onChange={(value) => onChange((before) => setIn(before, [field.name], value))}
        />
      ))}
    </div>
  )
}
