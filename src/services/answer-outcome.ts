import type { CellResult, ModelAnswer } from '../contract/index.ts'

/** The model's answer in a finished cell; `undefined` if it has none. */
export function readAnswer({ response, outcome, latencyMs = 0, toolCalls }: CellResult): ModelAnswer | undefined {
  if (response === undefined) return undefined
  const isKept = outcome === 'empty' || outcome === 'refusal' || outcome === 'filtered' || outcome === 'truncated'
  return { outcome: isKept ? outcome : 'ok', response, latencyMs, ...(toolCalls && { toolCalls }) }
}
