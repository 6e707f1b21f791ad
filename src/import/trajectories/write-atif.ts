import { isJsonObject } from '../../contract/index.ts'
import type { Trajectory, TrajectoryStep } from '../../scoring/tool-calls/index.ts'
import { keepFacts, keepStep } from './atif-extra.ts'

/** A trajectory in the Agent Trajectory Interchange Format; reading it gives the same trajectory again. */
export interface AtifDocument {
  schema_version: string
  session_id: string
  agent: Record<string, unknown>
  steps: Record<string, unknown>[]
  [name: string]: unknown
}

/** Writes a trajectory as an ATIF document. What ATIF has no field for goes into its `extra`. */
export function writeAtif(trajectory: Trajectory): AtifDocument {
  const { id, format, model, steps, subagents, usage, cost, tools, continuedBy } = trajectory
  const metrics = {
    ...(usage.inputTokens !== null && { total_prompt_tokens: usage.inputTokens }),
    ...(usage.outputTokens !== null && { total_completion_tokens: usage.outputTokens }),
    ...(usage.cachedTokens !== null && { total_cached_tokens: usage.cachedTokens }),
    ...(cost !== null && { total_cost_usd: cost }),
  }
  return {
    schema_version: 'ATIF-v1.7',
    ...(id === null ? { session_id: '' } : { session_id: id }),
    agent: {
      name: format,
      version: 'unknown',
      ...(model !== null && { model_name: model }),
      ...(tools && { tool_definitions: tools.map((tool) => ({ type: 'function', function: tool })) }),
    },
    steps: steps.map(writeStep),
    ...(Object.keys(metrics).length > 0 && { final_metrics: metrics }),
    ...(continuedBy !== undefined && { continued_trajectory_ref: continuedBy }),
    ...(subagents.length > 0 && { subagent_trajectories: subagents.map(writeAtif) }),
    extra: keepFacts(trajectory),
  }
}

function writeStep(step: TrajectoryStep, index: number): Record<string, unknown> {
  const { source, text, reasoning, calls, observations = [], model, time, outputTokens, cost } = step
  const hasMetrics = outputTokens !== undefined || cost !== undefined
  const ids = nameCalls(step, index)
  const results = [
    ...calls.flatMap(({ result }, position) =>
      result === undefined ? [] : [{ source_call_id: ids[position], content: result }],
    ),
    ...observations.map((content) => ({ content })),
  ]
  const extra = keepStep(step, ids)
  return {
    step_id: index + 1,
    ...(time !== undefined && { timestamp: time }),
    source,
    ...(model !== undefined && { model_name: model }),
    message: text,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ name, arguments: given }, position) => ({
        tool_call_id: ids[position],
        function_name: name,
        arguments: isJsonObject(given) ? given : {},
      })),
    }),
    ...(hasMetrics && {
      metrics: {
        ...(outputTokens !== undefined && { completion_tokens: outputTokens }),
        ...(cost !== undefined && { cost_usd: cost }),
      },
    }),
    ...(results.length > 0 && { observation: { results } }),
    ...(extra && { extra }),
  }
}

/** ATIF finds a reply by the id of its call, so that ids must be there and differ within a step. */
function nameCalls({ calls }: TrajectoryStep, index: number): string[] {
  const taken = new Set<string>()
  return calls.map(({ id }, position) => {
    const name = id === undefined || taken.has(id) ? `step-${index + 1}-call-${position + 1}` : id
    taken.add(name)
    return name
  })
}
