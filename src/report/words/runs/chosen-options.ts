import { defaultOf, type Option, type Options } from '../../../contract/index.ts'
import { formatCost, formatCount } from '../numbers.ts'

/** An option that differs from its default. */
export interface ChosenOption {
  name: string
  /** `Temperature 0`. */
  text: string
  /** `default 0.7`; absent without a default to name. */
  usual?: string
}

function writeChosenValue({ choices, unit }: Option, value: unknown): string {
  if (typeof value === 'number') {
    const written = Number.isInteger(value) ? formatCount(value) : String(value)
    return unit === 'USD' ? formatCost(value) : unit === 'seconds' ? `${written} s` : written
  }
  if (typeof value === 'string') return choices?.[value] ?? value
  if (Array.isArray(value)) return value.join(', ')
  return 'set'
}

/** The options that differ from their defaults, with what they are now. */
export function describeChosen(
  options: Options,
  values: Record<string, unknown>,
  defaults: Record<string, unknown> = {},
): ChosenOption[] {
  return Object.entries(options).flatMap(([name, option]): ChosenOption[] => {
    const value = values[name]
    const usual = defaults[name] ?? defaultOf(option)
    if (value === undefined || value === '' || value === usual) return []
    // A switch is on; what it is called says enough.
    if (value === true || (typeof value === 'string' && option.choices === undefined && option.group === 'Reduce cost'))
      return [{ name, text: option.label }]
    const text = `${option.label} ${writeChosenValue(option, value)}`
    return [{ name, text, ...(usual !== undefined && { usual: `default ${writeChosenValue(option, usual)}` }) }]
  })
}
