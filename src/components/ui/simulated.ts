/** Names of simulated models say so. */
export function isSimulated(modelId: string): boolean {
  return modelId.startsWith('demo/')
}
