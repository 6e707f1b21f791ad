import type { ScorerInfo } from '../../../server/suites/scorer-list.ts'
import { Checkbox, SelectField, TextArea, TextField } from '../../ui/Field.tsx'
import { CriteriaField } from './CriteriaField.tsx'
import { optionFields, type OptionField } from './option-fields.ts'
import { setIn, textOf, type Fields } from '../suite-draft.ts'
import { JsonField, LinesField, NumberField } from './ValueFields.tsx'

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
          onChange={(event) => change(event.target.value || undefined)}
        >
          {field.fallback === undefined && <option value="">not set</option>}
          {field.choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
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
            onChange={(event) => onChange(event.target.value || undefined)}
          />
        )
      return (
        <TextField
          {...common}
          value={textOf(value)}
          onChange={(event) => onChange(event.target.value || undefined)}
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
