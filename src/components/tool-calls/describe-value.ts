const MOST = 600

/** A value as one line of JSON, cut where it is very long; what JSON cannot say is said in words. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MOST ? `${text.slice(0, MOST)}… (${text.length} characters)` : text
}
