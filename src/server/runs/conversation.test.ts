import { expect, it } from 'vitest'
import { executeRun, openStorage, type ClientDefinition } from '../../index.ts'
import { loadConversation } from './conversation.ts'

/** A conversation in which each of so many calls adds a line. */
async function hold(calls: number) {
  const storage = await openStorage({ file: ':memory:' })
  const client: ClientDefinition = {
    complete: async ({ messages }) => {
      const done = messages.filter(({ role }) => role === 'tool').length
      if (done >= calls) return { response: 'Done.' }
      return { response: '', toolCalls: [{ id: `c${done}`, name: 'add', arguments: { done } }] }
    },
  }
  const suite = {
    name: 'Lines',
    agent: { limits: { turns: calls + 1, toolCalls: calls } },
    world: { lines: {} },
    tools: { add: { mock: [{ edits: [{ set: 'world.lines[args.done]', to: 'x' }] }] } },
    testCases: [{ id: 'c', prompt: 'Go.', reference: [] }],
  }
  const run = await executeRun({ suite, models: ['m'], client, storage })
  const held = await loadConversation(run.id, { testCaseId: 'c', modelId: 'm' }, { storage })
  await storage.close()
  return held
}

it('shows the last changes of a conversation that made many, and counts the others', async () => {
  const { changes, changed } = await hold(130)
  expect([changed, changes.length, changes.at(-1)?.id]).toEqual([130, 100, 'c129'])
  expect((await hold(2)).changes).toMatchObject([{ id: 'c0', tool: 'add' }, { id: 'c1' }])
  expect(await hold(0)).toMatchObject({ changes: [], changed: 0 })
})
