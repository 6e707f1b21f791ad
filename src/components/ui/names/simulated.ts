/** Simulated models have the prefix `demo/`. */
export function isSimulated(modelId: string): boolean {
  return modelId.startsWith('demo/')
}

/** After a number of models, once per screen: ` (simulated)`, ` (2 simulated)`, or nothing. */
export function describeSimulated(modelIds: readonly string[]): string {
  const count = modelIds.filter(isSimulated).length
  if (count === 0) return ''
  return count === modelIds.length ? ' (simulated)' : ` (${count} simulated)`
}
