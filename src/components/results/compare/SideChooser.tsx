import { SelectField } from '../../ui/Field.tsx'
import type { Choice } from './list-choices.ts'

interface SideChooserProps {
  name: string
  run: string
  model: string
  /** The run of the other side: runs of the same suite are listed first. */
  other: string
  choices: Choice[]
  /** True until the choices are loaded. */
  isLoading: boolean
  /** The models of the run, once it is loaded. */
  models: string[] | undefined
  onRun: (selection: string) => void
  onModel: (modelId: string) => void
}

function Options({ choices }: { choices: Choice[] }) {
  return choices.map(({ selection, label }) => (
    <option key={selection} value={selection}>
      {label}
    </option>
  ))
}

/** Chooses a run or series and, if wanted, one of its models. */
export function SideChooser({ name, run, model, other, choices, isLoading, models, onRun, onModel }: SideChooserProps) {
  const chosen = choices.find(({ selection }) => selection === run)
  const suiteName = choices.find(({ selection }) => selection === other)?.suiteName
  const [same, different] = [
    choices.filter((choice) => choice.suiteName === suiteName),
    choices.filter((choice) => choice.suiteName !== suiteName),
  ]
  const offered = [...new Set([...(models ?? chosen?.models ?? []), ...(model === '' ? [] : [model])])]
  return (
    <div className="grid min-w-0 gap-2 sm:grid-cols-[3fr_2fr]">
      <SelectField label={name} value={run} onChange={(event) => onRun(event.target.value)}>
        <option value="">Choose a run or series…</option>
        {run !== '' && !chosen && <option value={run}>{isLoading ? 'Loading…' : run}</option>}
        {suiteName === undefined ? (
          <Options choices={choices} />
        ) : (
          <>
            <optgroup label="The same suite">
              <Options choices={same} />
            </optgroup>
            {different.length > 0 && (
              <optgroup label="Other suites">
                <Options choices={different} />
              </optgroup>
            )}
          </>
        )}
      </SelectField>
      <SelectField
        label={`Model of ${name.at(-2)}`}
        value={model}
        disabled={run === ''}
        onChange={(event) => onModel(event.target.value)}
      >
        <option value="">All models</option>
        {offered.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
