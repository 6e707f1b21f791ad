function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads samples typed by the user as a list of objects; the server checks each one. */
export function readSamples(text: string): { samples: Record<string, unknown>[] } | { problem: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: `Not valid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  if (!Array.isArray(value)) return { problem: 'Not a list: put [ and ] around the samples.' }
  const samples = value.filter(isRecord)
  if (samples.length === 0) return { problem: 'The list has no samples.' }
  if (samples.length < value.length)
    return { problem: `Entry ${value.findIndex((entry) => !isRecord(entry)) + 1} is not an object.` }
  return { samples }
}
