/** The time in the names of all files that lm-evaluation-harness writes at the end of a run. */
export const HARNESS_TIME = /\d{4}-\d{2}-\d{2}T\d{2}[-:]\d{2}[-:]\d{2}(?:\.\d+)?/

/** True for the summary of the run that a samples file of lm-evaluation-harness is from, by their names. */
export function isSummaryOf(name: string, samples: string): boolean {
  // Samples are JSON lines. Two JSON files of one time are not each other's summary.
  const time = samples.endsWith('.json') ? undefined : HARNESS_TIME.exec(samples)?.[0]
  return time !== undefined && name.endsWith(`_${time}.json`) && !name.startsWith('samples_')
}
