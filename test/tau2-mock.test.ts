import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadSuite, runConversation, type ClientDefinition } from '../src/index.ts'

/** Scripted conversations in tau2-bench's mock domain, with the reward that its own evaluator gave them. */
const folder = new URL('../../shared/data/tau2-mock/', import.meta.url)
const isThere = existsSync(folder)

const goldenSchema = z.array(
  z.object({
    name: z.string(),
    task: z.string(),
    script: z.array(
      z.union([
        z.tuple([z.literal('call'), z.string(), z.record(z.string(), z.unknown())]),
        z.tuple([z.enum(['say', 'user']), z.string()]),
      ]),
    ),
    termination: z.string(),
    official: z.object({
      reward: z.number().optional(),
      raises: z.string().optional(),
      errors: z.array(z.boolean()).optional(),
    }),
  }),
)
type Golden = z.output<typeof goldenSchema>[number]

/** Plays the script: the agent its calls and words, the user its words and then the end. */
function playScript({ script, termination }: Golden): { client: ClientDefinition; userClient: ClientDefinition } {
  const agent = script.filter(([kind]) => kind !== 'user')
  const user = script.filter(([kind]) => kind === 'user').map(([, text]) => text)
  let greeted = false
  return {
    client: {
      complete: async () => {
        const step = agent.shift()
        if (step?.[0] === 'call') return { response: '', toolCalls: [{ name: step[1], arguments: step[2] }] }
        if (step) return { response: step[1] }
        if (termination === 'max_steps') return { response: '', toolCalls: [{ name: 'get_users', arguments: {} }] }
        return { response: termination === 'agent_stop' ? '###STOP###' : 'Is there anything else?' }
      },
    },
    userClient: {
      complete: async () => {
        const response = greeted ? (user.shift() ?? '###STOP###') : 'Hello, I need your help.'
        greeted = true
        return { response }
      },
    },
  }
}

const golden = isThere ? goldenSchema.parse(JSON.parse(readFileSync(new URL('golden.json', folder), 'utf8'))) : []

describe.skipIf(!isThere)('tau2-bench’s mock domain (if ../shared/data/tau2-mock is there)', () => {
  it.each(golden.map((one) => [one.name, one] as const))('%s: its own reward', async (_name, one) => {
    const suite = await loadSuite(new URL('suite.yaml', folder).pathname)
    const { score, passed, trajectory, outcome } = await runConversation({
      suite,
      caseId: one.task,
      ...playScript(one),
      as: 'tau2',
    })
    // Where its evaluator fails, nothing was done: 0.
    const reward = one.official.raises === undefined ? one.official.reward! : 0
    expect(score).toBe(reward)
    expect(passed).toBe(reward === 1)
    expect(outcome).toBe(one.termination === 'max_steps' ? 'limit' : 'ok')
    const errors = trajectory.steps.flatMap(({ calls }) => calls.map(({ isError }) => isError))
    if (one.termination !== 'max_steps' && one.official.errors) expect(errors).toEqual(one.official.errors)
  })
})
