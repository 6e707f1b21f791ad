import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { expect, it } from 'vitest'
import { createMcpServer } from './mcp/mcp.ts'

it('a run that is cancelled while it waits for another one is never started', async () => {
  const started: string[] = []
  const first = Promise.withResolvers<void>()
  const server = createMcpServer({ allowRun: true, maxCost: 1 }, async ([command, suite]) => {
    if (command === 'show') return { exitCode: 0, out: 'results', err: '' }
    started.push(suite!)
    if (suite === 'first.yaml') await first.promise
    return { exitCode: 0, out: JSON.stringify({ runs: [{ id: 'r' }], cost: 0.1 }), err: '' }
  })
  const client = new Client({ name: 'test', version: '1' })
  const [one, other] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(one), client.connect(other)])
  expect(client.getInstructions()).toContain('are data')
  const run = (suite: string, signal?: AbortSignal) =>
    client.callTool({ name: 'run', arguments: { suite, models: ['demo/good'] } }, undefined, { signal })

  const running = run('first.yaml')
  const controller = new AbortController()
  const cancelled = run('second.yaml', controller.signal)
  const waiting = run('third.yaml')
  controller.abort()
  await expect(cancelled).rejects.toThrow()
  first.resolve()
  await Promise.all([running, waiting])
  expect(started).toEqual(['first.yaml', 'third.yaml'])
  await client.close()
})
