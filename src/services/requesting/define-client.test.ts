import { describe, expect, it } from 'vitest'
import { ClientError, type ModelRequest } from '../../contract/index.ts'
import { requestDirectly } from './request-directly.ts'
import { defineClient } from './define-client.ts'

const request: ModelRequest = { modelId: 'm', messages: [{ role: 'user', content: 'Hi' }], parameters: {} }

/** Asks a client that always throws this error; returns the number of requests and the final failure. */
async function askUntilFailed(error: unknown): Promise<{ asked: number; failure: unknown }> {
  let asked = 0
  const client = defineClient({
    provider: 'mine',
    complete() {
      asked++
      throw error
    },
  })
  const clock = { now: () => 0, sleep: () => Promise.resolve() }
  const failure = await requestDirectly(() => client, { clock, random: () => 0 })(request).catch((thrown) => thrown)
  return { asked, failure }
}

describe('an error from a defined client', () => {
  it('is retried only if it is marked retryable', async () => {
    expect(await askUntilFailed(new Error('out of order'))).toMatchObject({
      asked: 1,
      failure: { name: 'ClientError', message: 'out of order', retryable: false },
    })
    expect((await askUntilFailed(Object.assign(new Error('busy'), { retryable: true }))).asked).toBe(6)
    expect((await askUntilFailed('a text')).asked).toBe(1)
    expect((await askUntilFailed(undefined)).asked).toBe(1)
  })
  it('follows the normal rules if it is a ClientError', async () => {
    expect((await askUntilFailed(new ClientError('refused', 'wait', { status: 429 }))).asked).toBe(6)
    expect((await askUntilFailed(new ClientError('refused', 'no', { status: 400 }))).asked).toBe(1)
  })
  it('keeps its status and its retry delay', async () => {
    const error = Object.assign(new Error('key'), { status: 401, retryAfterMs: 5 })
    expect((await askUntilFailed(error)).failure).toMatchObject({ status: 401, retryAfterMs: 5, cause: error })
  })
})
