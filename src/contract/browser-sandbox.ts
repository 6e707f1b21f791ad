import { InputError } from './errors.ts'

/** Whether Chromium runs in its sandbox. `off` only if the user said so: model-written pages are opened in it. */
export type Sandbox = 'on' | 'off'

/** Reads the environment variable BENCHMAKER_CHROMIUM_SANDBOX; undefined if it is not set. */
export function readSandbox(value: string | undefined): Sandbox | undefined {
  if (value === undefined || value === '') return undefined
  if (value === 'on' || value === 'off') return value
  throw new InputError(`BENCHMAKER_CHROMIUM_SANDBOX is ${value}; it must be on or off.`)
}
