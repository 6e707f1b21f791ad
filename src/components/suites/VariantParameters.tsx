import { z } from 'zod'
import { defaultOf, limitsOf, parameterOptions, rangeOf, type Option } from '../../contract/index.ts'
import { SelectField, SelectOptions } from '../ui/form/Field.tsx'
import { TypedField } from '../ui/form/TypedField.tsx'
import { NumberField } from './case/ValueFields.tsx'

const { benchmarkMode: _benchmarkMode, ...offered } = parameterOptions

/** As in the Arena: those without a default are for models that have them. */
const always = Object.entries<Option>(offered).filter(([, option]) => defaultOf(option) !== undefined)
const more = Object.entries<Option>(offered).filter(([, option]) => defaultOf(option) === undefined)

const FROM_RUN = 'from the run'

interface VariantParametersProps {
  parameters: Record<string, unknown>
  errorAt: (name: string) => string | undefined
  onChange: (name: string, value: unknown) => void
}

/** The parameters of a variant; one that is empty is that of the run. */
export function VariantParameters({ parameters, errorAt, onChange }: VariantParametersProps) {
  const showField = ([name, option]: [string, Option]) => {
    const limits = limitsOf(option)
    const field = {
      label: option.label,
      value: parameters[name],
      error: errorAt(name),
      onChange: (value: unknown) => onChange(name, value),
    }
    if (option.typedAs !== undefined)
      return <TypedField key={name} {...field} placeholder={FROM_RUN} typedAs={option.typedAs} limits={limits} />
    if (rangeOf(option)) return <NumberField key={name} {...field} placeholder={FROM_RUN} />
    const choices = limits instanceof z.ZodEnum ? limits.options.map(String) : []
    return (
      <SelectField
        key={name}
        {...field}
        value={typeof field.value === 'string' ? field.value : ''}
        onChange={(value) => field.onChange(value || undefined)}
      >
        <option value="">{FROM_RUN}</option>
        <SelectOptions of={choices} />
      </SelectField>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-5">{always.map(showField)}</div>
      <details open={more.some(([name]) => parameters[name] !== undefined || errorAt(name) !== undefined)}>
        <summary className="text-[13px] text-muted">Reasoning, format and more</summary>
        <div className="grid grid-cols-2 gap-3 pt-2 sm:grid-cols-4">{more.map(showField)}</div>
      </details>
    </div>
  )
}
