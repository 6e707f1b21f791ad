import type { CellResult, ModelAnswer } from '../contract/index.ts'

/** The answer of a finished cell as it came from the model; `undefined` when there is none. */
export function readAnswer({ response, outcome, latencyMs = 0, toolCalls }: CellResult): ModelAnswer | undefined {
  if (response === undefined) return undefined
  const isKept = outcome === 'empty' || outcome === 'refusal' || outcome === 'filtered' || outcome === 'truncated'
  return { outcome: isKept ? outcome : 'ok', response, latencyMs, ...(toolCalls && { toolCalls }) }
}
