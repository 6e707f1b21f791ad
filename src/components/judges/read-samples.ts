function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Samples typed in by a person; the server checks each of them, this only that it is a list of objects. */
export function readSamples(text: string): { samples: Record<string, unknown>[] } | { problem: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: `That is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  if (!Array.isArray(value)) return { problem: 'That is not a list: put [ and ] around the samples.' }
  const samples = value.filter(isRecord)
  if (samples.length === 0) return { problem: 'The list holds no sample.' }
  if (samples.length < value.length)
    return { problem: `Entry ${value.findIndex((entry) => !isRecord(entry)) + 1} is no object.` }
  return { samples }
}
