import { SelectField } from '../../ui/Field.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { groupOfRun, type RunGroup } from '../runs/run-groups.ts'

interface Choice {
  selection: string
  label: string
  suiteName: string
  models: string[]
}

/** Everything that can be compared: series, their runs, and single runs. */
export function listChoices(groups: RunGroup[]): Choice[] {
  return groups.flatMap(({ selection, suiteName, label: { name = '' } = {}, startedAt, models, isSeries, runs }) => {
    const make = (part: Pick<Choice, 'selection' | 'models'>, description: string): Choice => ({
      ...part,
      label: name === '' ? description : `${name} · ${description}`,
      suiteName,
    })
    if (!isSeries) return [make({ selection, models }, `${formatLocalTime(startedAt)} · ${suiteName}`)]
    return [
      make({ selection, models }, `${formatLocalTime(startedAt)} · series of ${runs.length}, ${suiteName}`),
      ...runs.map((run, index) =>
        make(
          { selection: groupOfRun(run).selection, models: run.models },
          `${formatLocalTime(run.startedAt)} · run ${index + 1} of ${runs.length}, ${suiteName}`,
        ),
      ),
    ]
  })
}

interface SideChooserProps {
  name: string
  run: string
  model: string
  /** The run of the other side: runs of the same suite are listed first. */
  other: string
  choices: Choice[]
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
export function SideChooser({ name, run, model, other, choices, models, onRun, onModel }: SideChooserProps) {
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
        {run !== '' && !chosen && <option value={run}>{run}</option>}
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
