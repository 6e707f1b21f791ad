/** Simulated models have the prefix `demo/`. */
export function isSimulated(modelId: string): boolean {
  return modelId.startsWith('demo/')
}
