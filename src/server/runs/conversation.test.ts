import { expect, it } from 'vitest'
import { executeRun, openStorage } from '../../index.ts'
import { loadConversation } from './conversation.ts'
import type { ServerContext } from '../context.ts'

it('shows a conversation with what each call changed, and says how it ended', async () => {
  const storage = await openStorage({ file: ':memory:' })
  const suite = {
    name: 'Doors',
    world: { doors: { d1: { open: false } } },
    tools: { open: { changes: true, code: 'world.doors[args.id].open = true; return "open"' } },
    testCases: [{ id: 'c', prompt: 'Open d1.', reference: [{ open: { id: 'd1' } }] }],
  }
  const client = {
    complete: async ({ messages }: { messages: readonly { role: string }[] }) =>
      messages.some(({ role }) => role === 'tool')
        ? { response: 'It is open.' }
        : { response: '', toolCalls: [{ name: 'open', arguments: { id: 'd1' } }] },
  }
  const { id } = await executeRun({ suite, models: ['m'], client, storage })
  const cell = { testCaseId: 'c', modelId: 'm' }
  const context: Pick<ServerContext, 'storage'> = { storage }
  expect(await loadConversation(id, cell, context)).toMatchObject({
    suite: 'Doors',
    isOver: true,
    end: 'agent-stop',
    score: { score: 1 },
    changes: [{ tool: 'open', edits: [{ op: 'replace', path: '/doors/d1/open', value: true }] }],
    trajectory: { assistantTurns: 2, results: 1 },
  })
  await expect(loadConversation(id, { ...cell, testCaseId: 'other' }, context)).rejects.toMatchObject({ status: 404 })
  await storage.close()
})
