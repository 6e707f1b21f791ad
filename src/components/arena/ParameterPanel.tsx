import { Lock } from 'lucide-react'
import {
  benchmarkModeLocks,
  defaultOf,
  parameterOptions,
  type ModelParameters,
  type Option,
} from '../../contract/index.ts'
import type { ArenaState } from '../../stores/arenaStore.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { Section } from '../ui/Page.tsx'
import { OptionField } from './choices/OptionFields.tsx'

const { benchmarkMode, ...fields } = parameterOptions

/** Those without a default are for models that have them; they stay out of the way of the others. */
const always = Object.entries<Option>(fields).filter(([, option]) => defaultOf(option) !== undefined)
const more = Object.entries<Option>(fields).filter(([, option]) => defaultOf(option) === undefined)
const unset = Object.fromEntries(more.map(([name]) => [name, undefined]))

const GRID = 'grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3 xl:grid-cols-2'

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
  const showField = ([name, option]: [string, Option]) => {
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
  }
  return (
    <Section title={title}>
      <OptionField option={benchmarkMode} value={parameters.benchmarkMode} onChange={toggleBenchmarkMode} />
      <div className={GRID}>
        {always.map(showField)}
        {isChanged && (
          <div className="flex items-end">
            <Button
              kind="quiet"
              onClick={() => setParameters({ ...unset, ...defaults, benchmarkMode: parameters.benchmarkMode })}
            >
              Reset to defaults
            </Button>
          </div>
        )}
      </div>
      <details open={more.some(([name]) => chosen.get(name) !== undefined)}>
        <summary className="text-[13px] text-muted">Reasoning, format and more</summary>
        <div className={classes(GRID, 'pt-2')}>{more.map(showField)}</div>
      </details>
    </Section>
  )
}
