import { expect, it } from 'vitest'
import { ClientError, type Client, type Suite } from '../../contract/index.ts'
import { createScoring } from '../../scoring/index.ts'
import { openStorage } from '../../storage/index.ts'
import { executeRun, resumeRun, type RunSettings } from '../run-with-client.ts'

const CASES = 8

const suite: Suite = {
  name: 'Sums',
  testCases: Array.from({ length: CASES }, (_, index) => ({
    id: `case-${index}`,
    prompt: `${index} + 1?`,
    scoringMethod: 'exact-match',
    expectedOutput: `${index + 1}`,
    weight: 1,
  })),
}

async function createTools() {
  let ids = 0
  return {
    storage: await openStorage({ file: ':memory:' }),
    scoring: createScoring({ scoreInWorker: () => Promise.reject(new Error('not here')), random: Math.random }),
    clock: { now: Date.now, sleep: async () => {} },
    random: () => 0.5,
    createId: () => `run-${++ids}`,
    countTokens: (text: string) => text.length,
    versions: {},
  }
}

/** A client that fails for the first requests, answers the next ones and then calls `onEnd` for every further one. */
function createClient({ fail = 0, answer = Infinity, onEnd = () => {} }): Client {
  let requests = 0
  return {
    provider: 'scripted',
    async complete() {
      requests++
      if (requests <= fail) throw new ClientError('refused', 'no', { status: 400 })
      if (requests > fail + answer) {
        onEnd()
        throw new ClientError('cancelled', 'cancelled')
      }
      return { outcome: 'ok', response: '1', latencyMs: 1 }
    },
    listModels: async () => [],
    close: async () => {},
  }
}

it.each<[kind: string, settings: Partial<RunSettings>]>([
  ['a run', {}],
  ['a run that decides', { until: 'decided', orderSeed: 'x' }],
])('a resume of %s that is stopped counts what it did, not what it would have done', async (_kind, settings) => {
  const tools = await createTools()
  const models = ['m', 'n']
  const cancel = new AbortController()
  const first = createClient({ fail: 3, answer: 1, onEnd: () => cancel.abort() })
  const run = await executeRun(
    { suite, models, client: first, concurrency: 1, signal: cancel.signal, ...settings },
    tools,
  )
  expect(run.status).toBe('cancelled')

  const again = new AbortController()
  const second = createClient({ answer: 2, onEnd: () => again.abort() })
  const stopped = await resumeRun(run.id, { client: second, signal: again.signal, concurrency: 1 }, tools)
  expect(stopped).toMatchObject({ asked: 2, retried: 2, scored: 0 })

  const finished = await resumeRun(run.id, { client: createClient({}) }, tools)
  expect(finished.run.status).toBe('completed')
  expect(finished).toMatchObject({ asked: 13, scored: 0 })
  await tools.storage.close()
})

it('a resume says what it kept, what it repeats because it was in flight, and what it asks for the first time', async () => {
  const tools = await createTools()
  const cancel = new AbortController()
  const first = createClient({ fail: 1, answer: 3, onEnd: () => cancel.abort() })
  const run = await executeRun({ suite, models: ['m'], client: first, concurrency: 1, signal: cancel.signal }, tools)
  expect(await resumeRun(run.id, { client: createClient({}) }, tools)).toMatchObject({
    kept: 3,
    asked: 5,
    repeated: 1,
    retried: 1,
    scored: 0,
  })
  expect(await resumeRun(run.id, { client: createClient({}) }, tools)).toMatchObject({ kept: 8, asked: 0, repeated: 0 })
  await tools.storage.close()
})
