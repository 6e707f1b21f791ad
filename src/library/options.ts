import { InputError } from '../contract/index.ts'
import { askIfMeant } from '../scoring/text/suggest-name.ts'

/** An option that is misspelt would be ignored, and the call would do something else than what was meant. */
export function refuseUnknownOptions(name: string, given: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(given).find((option) => !Object.hasOwn(known, option))
  if (unknown === undefined) return
  throw new InputError(`${name}: ${unknown}: no such option${askIfMeant(unknown, Object.keys(known))}`)
}
