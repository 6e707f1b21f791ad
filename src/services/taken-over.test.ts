import { expect, it } from 'vitest'
import type { Client, Storage, Suite } from '../contract/index.ts'
import { createScoring } from '../scoring/index.ts'
import { openStorage } from '../storage/index.ts'
import { RunTakenOver } from './claim.ts'
import type { RunEvent } from './events.ts'
import { executeRun, type RunSettings } from './run-with-client.ts'

const suite: Suite = {
  name: 'Capitals',
  testCases: ['fr', 'it'].map((id) => ({
    id,
    prompt: `Capital of ${id}?`,
    scoringMethod: 'exact-match',
    expectedOutput: 'Paris',
    weight: 1,
  })),
}

/** What `resume --take-over` on another machine does first. */
async function takeOver(storage: Storage): Promise<void> {
  const [claim] = await storage.listClaims()
  const now = Date.now()
  const theirs = { ...claim!, host: 'another-machine', pid: 7, token: 'theirs', since: now, renewedAt: now }
  expect(await storage.claim(theirs, { replace: claim!.token })).toBeUndefined()
}

/** A run that another process takes over during its first request. */
async function loseRun(settings: Partial<RunSettings>, onTaken: () => void = () => {}) {
  const storage = await openStorage({ file: ':memory:' })
  const events: RunEvent[] = []
  let requests = 0
  const client: Client = {
    provider: 'scripted',
    async complete() {
      if (++requests === 1) {
        await takeOver(storage)
        onTaken()
      }
      return { outcome: 'ok', response: 'Paris', latencyMs: 1 }
    },
    listModels: async () => [],
    close: async () => {},
  }
  const tools = {
    storage,
    scoring: createScoring({ scoreInWorker: () => Promise.reject(new Error('not here')), random: Math.random }),
    clock: { now: Date.now, sleep: async () => {} },
    random: () => 0.5,
    createId: () => 'run-1',
    countTokens: (text: string) => text.length,
    versions: {},
  }
  const onEvent = (event: RunEvent) => events.push(event)
  const ended: unknown = await executeRun(
    { suite, models: ['m', 'n'], client, concurrency: 1, onEvent, ...settings },
    tools,
  ).catch((error: unknown) => error)
  return { ended, storage, events }
}

it.each([
  ['had asked everything', {}],
  ['decides', { until: 'decided' as const }],
])('a run that is taken over keeps its status, even if the process that lost it %s', async (_what, settings) => {
  const { ended, storage, events } = await loseRun(settings)
  expect(ended).toBeInstanceOf(RunTakenOver)
  expect(String(ended)).toMatch(/run run-1 was taken over by process 7 on host another-machine/)
  expect((await storage.loadRun('run-1'))?.status).toBe('running')
  expect(events.at(-1)).toEqual({ type: 'run-finished', runId: 'run-1', status: 'running' })
  // The claim of the others is theirs.
  expect(await storage.listClaims()).toMatchObject([{ token: 'theirs' }])
  await storage.close()
})

it('a user who cancels a run that was taken over does not cancel it for the others', async () => {
  const cancel = new AbortController()
  const { ended, storage } = await loseRun({ signal: cancel.signal }, () => cancel.abort())
  expect(ended).toBeInstanceOf(RunTakenOver)
  expect((await storage.loadRun('run-1'))?.status).toBe('running')
  await storage.close()
})
