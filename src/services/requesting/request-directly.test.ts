import { expect, it } from 'vitest'
import { ClientError, type Client, type ModelAnswer } from '../../contract/index.ts'
import { requestDirectly } from './request-directly.ts'

const request = { modelId: 'm', messages: [], parameters: {} }

function ask(...replies: (Partial<ModelAnswer> | ClientError)[]) {
  const streams: (boolean | undefined)[] = []
  const waits: number[] = []
  const client: Client = {
    provider: 'scripted',
    complete: async ({ stream }) => {
      const reply = replies[Math.min(streams.length, replies.length - 1)]!
      streams.push(stream)
      if (reply instanceof ClientError) throw reply
      return { outcome: 'ok', response: '', latencyMs: 1, ...reply }
    },
    listModels: async () => [],
    close: async () => {},
  }
  const clock = { now: () => 0, sleep: async (milliseconds: number) => void waits.push(milliseconds) }
  return { answer: requestDirectly(() => client, { clock, random: () => 1 })(request), streams, waits }
}

it('retries like a run: after a broken stream it requests the answer without streaming', async () => {
  const { answer, streams, waits } = ask(
    new ClientError('refused', 'busy', { status: 429, retryAfterMs: 70 }),
    new ClientError('broken', 'cut'),
    { response: 'yes' },
  )
  expect((await answer).response).toBe('yes')
  expect(streams).toEqual([true, true, false])
  expect(waits).toEqual([70, 1000])
})
it('returns an empty reply after its retries, and throws the last error', async () => {
  const empty = ask({ outcome: 'empty' })
  expect((await empty.answer).outcome).toBe('empty')
  expect(empty.waits).toEqual([400, 800])
  await expect(ask(new ClientError('refused', 'no key', { status: 401 })).answer).rejects.toThrow('no key')
})
