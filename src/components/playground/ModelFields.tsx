import { useModels } from '../queries.ts'
import { useId } from 'react'
import { benchmarkModeLocks } from '../../contract/index.ts'
import type { PlaygroundStart } from '../../server/playground/start-view.ts'
import { TextField } from '../ui/form/Field.tsx'
import { Switch } from '../ui/form/Switch.tsx'
import { findNumberErrors, parameterFields, type Draft } from './playground-draft.ts'

/** A model that its server does not list can be typed in. */
export function ModelField({
  label,
  hint,
  value,
  onChange,
}: {
  label: string
  hint?: string
  value: string
  onChange: (id: string) => void
}) {
  const listId = useId()
  const models = useModels()
  return (
    <>
      <TextField label={label} {...(hint !== undefined && { hint })} list={listId} value={value} onChange={onChange} />
      <datalist id={listId}>
        {models.data?.models.map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </>
  )
}

function ParameterInputs({
  names,
  draft,
  onChange,
}: {
  names: readonly string[]
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
}) {
  const errors = findNumberErrors(draft)
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-2">
      {parameterFields
        .filter(({ name }) => names.includes(name))
        .map(({ name, label }) => {
          const isLocked = draft.benchmarkMode && name in benchmarkModeLocks
          return (
            <TextField
              key={name}
              label={label}
              inputMode="decimal"
              value={isLocked ? '0' : draft.numbers[name]}
              readOnly={isLocked}
              hint={isLocked ? 'Locked by Benchmark Mode' : undefined}
              error={isLocked ? undefined : errors[name]}
              onChange={(text) => onChange({ numbers: { ...draft.numbers, [name]: text } })}
            />
          )
        })}
    </div>
  )
}

/** The model, its judge and its parameters: they change for every case that is run. */
export function ModelFields({
  start,
  draft,
  onChange,
}: {
  start: PlaygroundStart
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
}) {
  return (
    <>
      <ModelField label="Model" value={draft.modelId} onChange={(modelId) => onChange({ modelId })} />
      {start.needsJudge && (
        <ModelField
          label="Judge"
          hint="Several, separated by commas, are a panel. Another judge than before makes scores hard to compare."
          value={draft.judges}
          onChange={(judges) => onChange({ judges })}
        />
      )}
      <ParameterInputs names={['temperature', 'maxTokens']} draft={draft} onChange={onChange} />
      <details>
        <summary className="text-[13px] text-muted">More parameters</summary>
        <div className="flex flex-col gap-3 pt-2">
          <ParameterInputs names={['topP', 'frequencyPenalty', 'presencePenalty']} draft={draft} onChange={onChange} />
          <Switch
            label="Benchmark Mode"
            hint="Locks temperature and both penalties to 0."
            checked={draft.benchmarkMode}
            onChange={() => onChange({ benchmarkMode: !draft.benchmarkMode })}
          />
        </div>
      </details>
    </>
  )
}
