import { Lock } from 'lucide-react'
import { benchmarkModeLocks, parameterOptions, type ModelParameters } from '../../contract/index.ts'
import type { ArenaState } from '../../stores/arenaStore.ts'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Page.tsx'
import { OptionField } from './choices/OptionFields.tsx'

const { benchmarkMode, ...fields } = parameterOptions

interface ParameterPanelProps {
  title: string
  state: Pick<ArenaState, 'parameters' | 'effectiveParameters' | 'setParameters' | 'toggleBenchmarkMode'>
  defaults: ModelParameters
  /** What the Code Arena says of it. */
  maxTokensHint?: string
}

/** The model parameters. Benchmark Mode locks some of them; switching it off restores the user's values. */
export function ParameterPanel({ title, state, defaults, maxTokensHint }: ParameterPanelProps) {
  const { parameters, effectiveParameters, setParameters, toggleBenchmarkMode } = state
  const chosen = new Map<string, unknown>(Object.entries(parameters))
  const sent = new Map<string, unknown>(Object.entries(effectiveParameters))
  const usual = new Map<string, unknown>(Object.entries(defaults))
  const names = Object.keys(fields)
  const isChanged = names.some((name) => chosen.get(name) !== usual.get(name))
  return (
    <Section title={title}>
      <OptionField option={benchmarkMode} value={parameters.benchmarkMode} onChange={toggleBenchmarkMode} />
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3 xl:grid-cols-2">
        {Object.entries(fields).map(([name, option]) => {
          const isLocked = parameters.benchmarkMode && name in benchmarkModeLocks
          return (
            <OptionField
              key={name}
              option={option}
              value={sent.get(name)}
              isLocked={isLocked}
              onChange={(value) => setParameters({ [name]: value })}
              hint={
                isLocked ? (
                  <>
                    <Lock size={11} aria-hidden className="mr-1 inline-block align-[-1px]" />
                    Locked to {String(sent.get(name))} by Benchmark Mode; your value is {String(chosen.get(name))}
                  </>
                ) : name === 'maxTokens' ? (
                  maxTokensHint
                ) : undefined
              }
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
