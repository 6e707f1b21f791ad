const MAX_LENGTH = 600

/** A value as one line of JSON, truncated if very long. */
export function writeJsonLine(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)` : text
}
