import { afterEach, expect, it } from 'vitest'
import { createClient, executeRun, openStorage, type Suite } from '../src/index.ts'
import { startModelServer, type ScriptedReply } from './fakes/model-server.ts'

const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0).toReversed()) await undo()
})

const suite: Suite = {
  name: 'Parameters',
  testCases: ['a', 'b'].map((id) => ({
    id,
    prompt: `What is 6 × 7? (${id})`,
    scoringMethod: 'exact-match',
    expectedOutput: '42',
    weight: 1,
  })),
}
const parameters = { temperature: 0, topP: 1, maxTokens: 9, frequencyPenalty: 0, presencePenalty: 0 }

function refuse(field: string): ScriptedReply {
  const advice = field === 'max_tokens' ? " Use 'max_completion_tokens' instead." : ''
  const error = { message: `Unsupported parameter: '${field}'.${advice}`, param: field, code: 'unsupported_parameter' }
  return { status: 400, headers: { 'content-type': 'application/json' }, pieces: [JSON.stringify({ error })] }
}

/** A run against a server that names one field that it does not support at a time. */
async function runAgainst(unsupported: string[], more: { afterwards?: ScriptedReply } = {}) {
  const server = await startModelServer({
    answer: () => '42',
    reply: ({ body }) => {
      const field = unsupported.find((name) => name in body)
      return field === undefined ? more.afterwards : refuse(field)
    },
  })
  const storage = await openStorage({ file: ':memory:' })
  const client = createClient({ baseUrl: server.baseUrl })
  cleanUp.push(
    () => server.close(),
    () => storage.close(),
    () => client.close(),
  )
  const run = await executeRun({ suite, models: ['m'], client, storage, parameters, concurrency: 1 })
  return { run, server, attempts: await storage.loadAttempts(run.id) }
}

const sampling = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']

it('a model that supports no sampling parameter answers, and every request for it is an attempt', async () => {
  const { run, server, attempts } = await runAgainst([...sampling, 'max_tokens'])
  for (const { outcome, leftOut } of run.results)
    expect([outcome, leftOut]).toEqual(['ok', ['temperature', 'topP', 'frequencyPenalty', 'presencePenalty']])
  expect(server.stats().requests).toBe(attempts.length)
  expect(attempts.filter(({ end }) => end?.httpStatus === 400)).toHaveLength(5)
  expect(Math.max(...run.results.map(({ attempts: count = 0 }) => count))).toBeLessThanOrEqual(6)
})

it('requests with rejected parameters count in the six of a cell', async () => {
  const busy = { status: 503, headers: { 'retry-after': '0.01' }, pieces: ['{"error":{"message":"busy"}}'] }
  const { run, server, attempts } = await runAgainst(sampling.slice(0, 3), { afterwards: busy })
  expect(run.results.map(({ outcome }) => outcome)).toEqual(['error', 'error'])
  expect(run.results.map(({ attempts: count }) => count)).toEqual([6, 6])
  expect(attempts).toHaveLength(12)
  expect(server.stats().requests).toBe(12)
})
