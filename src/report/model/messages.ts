import type { RunResult } from '../../contract/index.ts'

/** Why cells have no score, and how many. */
export interface FailureMessage {
  text: string
  times: number
}

/** Messages by model, most frequent first. */
export function countMessages(runs: readonly RunResult[]): Map<string, FailureMessage[]> {
  const counts = new Map<string, Map<string, number>>()
  for (const { results } of runs)
    for (const { modelId, score, error, unscored } of results) {
      const text = error ?? unscored?.message
      // Empty if a run was loaded without texts.
      if (score || text === undefined || text === '') continue
      const ofModel = counts.get(modelId) ?? new Map<string, number>()
      counts.set(modelId, ofModel.set(text, (ofModel.get(text) ?? 0) + 1))
    }
  const sort = (messages: Map<string, number>) =>
    Array.from(messages, ([text, times]) => ({ text, times })).toSorted((a, b) => b.times - a.times)
  return new Map(Array.from(counts, ([modelId, messages]) => [modelId, sort(messages)]))
}
