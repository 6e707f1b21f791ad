/**
 * The options of scoring methods for a question with one right answer: nothing for near misses, and only the last number
 * counts. New and generated cases have them; what a file says stays as it is.
 */
const STRICT_OPTIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'exact-match': { partial: false },
  'json-match': { partial: false },
  'numeric-tolerance': { answer: 'last' },
}

export function strictOptionsOf(scoringMethod: unknown): Readonly<Record<string, unknown>> {
  return typeof scoringMethod === 'string' && Object.hasOwn(STRICT_OPTIONS, scoringMethod)
    ? STRICT_OPTIONS[scoringMethod]!
    : {}
}
