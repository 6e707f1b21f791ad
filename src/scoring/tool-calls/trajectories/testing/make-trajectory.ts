import type { RecordedCall, Trajectory, TrajectoryStep } from '../trajectory.ts'

export const user = (text: string): TrajectoryStep => ({ source: 'user', text, calls: [] })

export const agent = (text: string, ...calls: RecordedCall[]): TrajectoryStep => ({ source: 'agent', text, calls })

export const call = (name: string, given: Record<string, unknown> = {}, result = 'done'): RecordedCall => ({
  name,
  arguments: given,
  result,
})

/** A recorded run of a task `t` by a model `m` that says nothing about itself. */
export function makeTrajectory(steps: TrajectoryStep[], more: Partial<Trajectory> = {}): Trajectory {
  return {
    file: 'run.json',
    format: 'openai-chat',
    id: null,
    task: 't',
    trial: null,
    model: 'm',
    models: {},
    userTurns: 1,
    assistantTurns: steps.filter(({ source }) => source === 'agent').length,
    steps,
    results: 0,
    errors: null,
    subagents: [],
    usage: { inputTokens: null, outputTokens: null, cachedTokens: null, reasoningTokens: null },
    cost: null,
    seconds: null,
    outcome: null,
    reward: null,
    unknown: {},
    ...more,
  }
}
