import { benchmarkModeLocks, defaultParameters, type Parameters } from '../../contract/index.ts'
import { NumberField } from '../arena/NumberField.tsx'
import type { NumberRange } from '../arena/read-number.ts'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Page.tsx'
import { Switch } from '../ui/Switch.tsx'
import { useCodeArena } from './code-arena-choices.ts'
import { PAGE_TOKENS } from './make-arena-request.ts'

interface ParameterField extends NumberRange {
  name: Exclude<keyof Parameters, 'benchmarkMode'>
  label: string
  hint: string
}

const defaults = { ...defaultParameters, maxTokens: PAGE_TOKENS }

const fields: ParameterField[] = [
  { name: 'temperature', label: 'Temperature', hint: '0 to 2; lower repeats better', min: 0, max: 2 },
  { name: 'topP', label: 'Top P', hint: '0 to 1', min: 0, max: 1 },
  { name: 'maxTokens', label: 'Max tokens', hint: 'A page takes 2,000 to 8,000', min: 1, isWhole: true },
  { name: 'frequencyPenalty', label: 'Frequency penalty', hint: '−2 to 2', min: -2, max: 2 },
  { name: 'presencePenalty', label: 'Presence penalty', hint: '−2 to 2', min: -2, max: 2 },
]

/** How models are asked here: apart from the Arena, because a page needs more tokens than an answer. */
export function ArenaParameters() {
  const { parameters, effectiveParameters, setParameters, toggleBenchmarkMode } = useCodeArena((state) => state)
  const isChanged = fields.some(({ name }) => parameters[name] !== defaults[name])
  return (
    <Section title="Parameters">
      <Switch label="Benchmark Mode" hint="Temperature and both penalties are locked to 0, so that runs can be repeated." checked={parameters.benchmarkMode} onChange={toggleBenchmarkMode} />
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3 xl:grid-cols-2">
        {fields.map(({ name, label, hint, ...range }) => {
          const isLocked = parameters.benchmarkMode && name in benchmarkModeLocks
          return (
            <NumberField
              key={name}
              label={label}
              value={effectiveParameters[name]}
              isLocked={isLocked}
              onChange={(value) => setParameters({ [name]: value })}
              hint={isLocked ? `Locked to ${effectiveParameters[name]}; yours is ${parameters[name]}` : hint}
              {...range}
            />
          )
        })}
        {isChanged && (
          <div className="flex items-end">
            <Button kind="quiet" onClick={() => setParameters({ ...defaults, benchmarkMode: parameters.benchmarkMode })}>
              Back to defaults
            </Button>
          </div>
        )}
      </div>
    </Section>
  )
}
