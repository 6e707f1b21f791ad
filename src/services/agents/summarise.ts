import { sumDollars, type CellEvent, type ModelAnswer, type ToolCall } from '../../contract/index.ts'
import { isSaid } from './next-step.ts'

function addAll(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === values.length ? known.reduce((sum, value) => sum + value, 0) : undefined
}

/** A conversation as one answer: the agent's last words, all of its calls, and what its answers took together. */
export function summarise(log: readonly CellEvent[]): ModelAnswer {
  const said = log.filter(isSaid).filter(({ by, attempt }) => by === 'agent' && attempt !== undefined)
  const last = said.at(-1)
  const reason = log.findLast((event) => event.kind === 'ended')?.reason
  const isLimit = reason !== undefined && reason !== 'agent-stop' && reason !== 'user-stop'
  const toolCalls = said.flatMap(({ calls = [] }): ToolCall[] => calls)
  const promptTokens = addAll(said.map(({ usage }) => usage?.promptTokens))
  const completionTokens = addAll(said.map(({ usage }) => usage?.completionTokens))
  const costs = said.map(({ usage }) => usage?.cost).filter((cost) => cost !== undefined)
  const outcome = last?.outcome ?? 'empty'
  return {
    outcome: isLimit ? 'limit' : isAnswered(outcome) ? outcome : 'ok',
    response: last?.text ?? '',
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(costs.length === said.length && { cost: sumDollars(costs) }),
    latencyMs: said.reduce((sum, { usage }) => sum + (usage?.ms ?? 0), 0),
    ...(reason !== undefined && { finishReason: reason }),
  }
}

function isAnswered(outcome: string): outcome is ModelAnswer['outcome'] {
  return ['ok', 'empty', 'refusal', 'filtered', 'truncated'].includes(outcome)
}
