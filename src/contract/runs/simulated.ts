/** Simulated models have the prefix `demo/`. */
export function isSimulated(modelId: string): boolean {
  return modelId.startsWith('demo/')
}

/** The judges that are simulated although some of the answers that they grade are not: such grades mean nothing. */
export function listSimulatedJudges(judges: readonly string[], models: readonly string[]): string[] {
  return models.every(isSimulated) ? [] : judges.filter(isSimulated)
}
