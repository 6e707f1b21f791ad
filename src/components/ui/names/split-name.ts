/** Shorter names fit almost everywhere, so they are not split. */
const MAX_WHOLE = 14
const [SHORTEST_TAIL, LONGEST_TAIL] = [8, 16]
const SEPARATOR = /[-_/.:@ ]/

/** Splits a long name into a part that may be cut and an end that is always shown: names often differ only there. */
export function splitName(name: string): { head: string; tail: string } {
  const characters = [...name]
  if (characters.length <= MAX_WHOLE) return { head: name, tail: '' }
  const lengths = Array.from({ length: LONGEST_TAIL - SHORTEST_TAIL + 1 }, (_, index) => LONGEST_TAIL - index)
  // Cut between words if possible.
  const length = lengths.find((count) => SEPARATOR.test(characters.at(-count - 1)!)) ?? 12
  return { head: characters.slice(0, -length).join(''), tail: characters.slice(-length).join('') }
}
