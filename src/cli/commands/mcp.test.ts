import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { expect, it } from 'vitest'
import { createMcpServer, splitPages } from './mcp.ts'
import fc from 'fast-check'

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

it('counts what runs may have cost against the budget, and nothing that was not sent', async () => {
  const budgets: string[] = []
  const costs = [
    { cost: null },
    { cost: 0.25 },
    { cost: 0.25, unknownCosts: 1 }, // A request that timed out may have cost anything.
  ]
  const server = createMcpServer({ allowRun: true, maxCost: 1 }, async ([command, ...args]) => {
    if (command === 'show') return { exitCode: 0, out: 'results', err: '' }
    const cost = costs[budgets.length]
    budgets.push(args[args.indexOf('--max-cost') + 1]!)
    return { exitCode: 0, out: JSON.stringify({ runs: [{ id: 'r' }], ...cost }), err: '' }
  })
  const client = new Client({ name: 'test', version: '1' })
  const [one, other] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(one), client.connect(other)])
  const run = (suite: string) => client.callTool({ name: 'run', arguments: { suite, models: ['demo/good'] } })

  // It would wait for this server's own input, and all later runs with it.
  expect(JSON.stringify(await run('/dev/zero'))).toContain('/dev/zero is a pipe or a device')
  for (let call = 0; call < 3; call++) await run('suite.yaml')
  expect(JSON.stringify(await run('suite.yaml'))).toContain('used up')
  expect(budgets).toEqual(['1', '1', '0.75'])
  await client.close()
})

it('keeps every character, no page longer than asked, lines whole where they fit', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '\n', '😀'), maxLength: 60 }),
      fc.integer({ min: 2, max: 40 }),
      (text, length) => {
        const pages = splitPages(text, length)
        expect(pages.join('')).toBe(text)
        expect(pages.filter((page) => page.length > length + 1)).toEqual([])
      },
    ),
  )
  expect(splitPages('one\ntwo\nthree\n', 9)).toEqual(['one\ntwo\n', 'three\n'])
})

it('never splits a character', () => {
  expect(splitPages('ab😀cd', 3)).toEqual(['ab', '😀c', 'd'])
})

it('has one page for a short text', () => {
  expect([splitPages('', 10), splitPages('short', 10)]).toEqual([[''], ['short']])
})
