import { findOutputs } from '../credit/said-outputs.ts'

/**
 * True if the text has this value, as people write it: numbers and dates by value, `basic_economy` as `basic economy`,
 * other text as whole words.
 */
export function isMentioned(value: unknown, text: string): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const wanted = String(value).trim()
  if (wanted === '') return false
  return findOutputs([wanted, loosen(wanted)], [text, loosen(text)]).includes(true)
}

const loosen = (text: string): string => text.replaceAll(/[_-]+/g, ' ')

const tooCommon = new Set(['yes', 'no', 'true', 'false', 'none', 'null'])

/** Whether a value says something by being mentioned: `yes` is in every conversation. */
export function isTelling(value: unknown): boolean {
  if (typeof value === 'number') return true
  return typeof value === 'string' && value.trim().length > 1 && !tooCommon.has(value.trim().toLowerCase())
}
