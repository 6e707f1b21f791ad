import { useModels } from '../../queries.ts'
import { SelectField, SelectOptions } from '../form/Field.tsx'

interface ModelSelectProps {
  label: string
  hint?: string
  value: string
  onChange: (modelId: string) => void
  className?: string
}

/** All available models by provider; simulated ones are marked. */
export function ModelSelect({ label, hint, value, onChange, className }: ModelSelectProps) {
  const models = useModels()
  const available = models.data?.models ?? []
  const isSimulated = available.find(({ id }) => id === value)?.isSimulated ?? false
  const providers = [...Map.groupBy(available, ({ provider }) => provider)]
  return (
    <SelectField
      label={label}
      hint={isSimulated ? 'Simulated: built-in demo answers, not a real model' : hint}
      error={models.error ? `The list of models could not be loaded: ${models.error.message}` : undefined}
      value={value}
      onChange={onChange}
      className={className}
    >
      {!available.some(({ id }) => id === value) && (
        <option value={value}>
          {value === '' ? (models.isPending ? 'Loading models…' : 'Choose a model') : value}
        </option>
      )}
      {providers.map(([provider, group]) => (
        <optgroup key={provider} label={provider}>
          <SelectOptions
            of={group.map((model) => [model.id, model.isSimulated ? `${model.id} (simulated)` : model.id])}
          />
        </optgroup>
      ))}
    </SelectField>
  )
}
