import { messageText, type ModelRequest, type ToolCall } from '../../contract/index.ts'
import { drawItem, drawNumber } from './chance.ts'
import tasks from './agent-tasks.json' with { type: 'json' }

/** One answer of a simulated agent: a call, several at once, or words. */
interface AgentStep {
  say?: string
  call?: string
  arguments?: Record<string, unknown>
  calls?: { call: string; arguments: Record<string, unknown> }[]
}

interface AgentTask {
  right: AgentStep[][]
  half: AgentStep[][]
  wrong: AgentStep[][]
}

/** What simulated agents do in the suite `shop-agent` of `examples`, by the first words of the user. */
export const agentTasks: Record<string, AgentTask> = tasks

export interface DemoTurn {
  text: string
  toolCalls: ToolCall[]
}

/** The next answer of a simulated agent; undefined if it does not know the task. */
export function playAgent(
  { modelId, messages, tools }: ModelRequest,
  skill: { right: number; half: number },
  salt: string,
): DemoTurn | undefined {
  const first = messages.find(({ role }) => role === 'user')
  const prompt = first ? messageText(first).trim() : ''
  if (!tools || !Object.hasOwn(agentTasks, prompt)) return undefined
  const draw = (purpose: string): number => drawNumber(purpose, modelId, prompt, salt)
  const kind = draw('help') < skill.right ? 'right' : draw('half') < skill.half ? 'half' : 'wrong'
  const [plan = [], ...others] = agentTasks[prompt]![kind]
  const chosen = drawItem([plan, ...others], 'plan', modelId, prompt, salt)
  const done = messages.filter(({ role }) => role === 'assistant').length
  const step = chosen[done] ?? { say: 'Is there anything else?' }
  const calls = step.calls ?? (step.call === undefined ? [] : [{ call: step.call, arguments: step.arguments ?? {} }])
  return {
    text: step.say ?? '',
    toolCalls: calls.map((one, index) => ({
      id: `call_${done}_${index}`,
      name: one.call,
      arguments: one.arguments,
    })),
  }
}

const MOST_MESSAGES = 6

/** The simulated user: says what it wants, says yes to questions, and ends when the agent asks nothing more. */
export function playUser({ messages }: ModelRequest): string {
  const system = messages.find(({ role }) => role === 'system')
  const instructions = /Your instructions:\n([\s\S]*)/.exec(system ? messageText(system) : '')?.[1]?.trim() ?? 'Hello.'
  const said = messages.filter(({ role }) => role === 'assistant').length
  if (said === 0) return instructions
  const heard = messageText(messages.at(-1) ?? { content: '' })
  return heard.trim().endsWith('?') && said < MOST_MESSAGES ? 'Yes, please.' : '###STOP###'
}
