import { Lock } from 'lucide-react'
import { benchmarkModeLocks, type ModelParameters } from '../../contract/index.ts'
import type { ArenaState } from '../../stores/arenaStore.ts'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Page.tsx'
import { Switch } from '../ui/Switch.tsx'
import { NumberField } from './choices/NumberField.tsx'
import type { NumberRange } from './choices/read-number.ts'

interface ParameterField extends NumberRange {
  name: Exclude<keyof ModelParameters, 'benchmarkMode'>
  label: string
  hint?: string
}

const fields: ParameterField[] = [
  { name: 'temperature', label: 'Temperature', hint: '0 to 2; lower varies less', min: 0, max: 2 },
  { name: 'topP', label: 'Top P', hint: '0 to 1', min: 0, max: 1 },
  { name: 'maxTokens', label: 'Max tokens', min: 1, isWhole: true },
  { name: 'frequencyPenalty', label: 'Frequency penalty', hint: '−2 to 2', min: -2, max: 2 },
  { name: 'presencePenalty', label: 'Presence penalty', hint: '−2 to 2', min: -2, max: 2 },
]

interface ParameterPanelProps {
  title: string
  state: Pick<ArenaState, 'parameters' | 'effectiveParameters' | 'setParameters' | 'toggleBenchmarkMode'>
  defaults: ModelParameters
  /** Arena and Code Arena word this differently. */
  maxTokensHint: string
}

/** The model parameters. Benchmark Mode locks some of them; switching it off restores the user's values. */
export function ParameterPanel({ title, state, defaults, maxTokensHint }: ParameterPanelProps) {
  const { parameters, effectiveParameters, setParameters, toggleBenchmarkMode } = state
  const isChanged = fields.some(({ name }) => parameters[name] !== defaults[name])
  return (
    <Section title={title}>
      <Switch
        label="Benchmark Mode"
        hint="Locks temperature and both penalties to 0, so that runs are repeatable."
        checked={parameters.benchmarkMode}
        onChange={toggleBenchmarkMode}
      />
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3 xl:grid-cols-2">
        {fields.map(({ name, label, hint = maxTokensHint, ...range }) => {
          const isLocked = parameters.benchmarkMode && name in benchmarkModeLocks
          return (
            <NumberField
              key={name}
              label={label}
              value={effectiveParameters[name]}
              isLocked={isLocked}
              onChange={(value) => setParameters({ [name]: value })}
              hint={
                isLocked ? (
                  <>
                    <Lock size={11} aria-hidden className="mr-1 inline-block align-[-1px]" />
                    Locked to {effectiveParameters[name]} by Benchmark Mode; your value is {parameters[name]}
                  </>
                ) : (
                  hint
                )
              }
              {...range}
            />
          )
        })}
        {isChanged && (
          <div className="flex items-end">
            <Button
              kind="quiet"
              onClick={() => setParameters({ ...defaults, benchmarkMode: parameters.benchmarkMode })}
            >
              Reset to defaults
            </Button>
          </div>
        )}
      </div>
    </Section>
  )
}
