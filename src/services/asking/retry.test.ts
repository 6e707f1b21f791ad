import { describe, expect, it } from 'vitest'
import { ClientError } from '../../contract/index.ts'
import { decideRetry } from './retry.ts'

const first = { requests: 1, emptyReplies: 0, stream: true }
const random = () => 0.5
const refused = (status: number, retryAfterMs?: number) =>
  new ClientError('refused', `HTTP ${status}`, { status, ...(retryAfterMs !== undefined && { retryAfterMs }) })

describe('retries', () => {
  it('an empty reply is retried twice, after 400 and 800 ms', () => {
    expect(decideRetry({ ...first, emptyReplies: 1 }, 'empty', random)).toEqual({ waitMs: 400, stream: true })
    expect(decideRetry({ ...first, requests: 2, emptyReplies: 2 }, 'empty', random)).toEqual({
      waitMs: 800,
      stream: true,
    })
    expect(decideRetry({ ...first, requests: 3, emptyReplies: 3 }, 'empty', random)).toBeUndefined()
  })
  it.each([408, 409, 429, 500, 502, 503, 529])('HTTP %d is retried', (status) =>
    expect(decideRetry(first, refused(status), random)).toBeDefined(),
  )
  it.each([400, 401, 402, 403, 404, 422])('HTTP %d is not retried', (status) =>
    expect(decideRetry(first, refused(status), random)).toBeUndefined(),
  )
  it('a broken stream is retried without streaming, as are all later tries', () => {
    expect(decideRetry(first, new ClientError('broken', 'cut'), random)?.stream).toBe(false)
    expect(decideRetry({ ...first, requests: 2, stream: false }, refused(500), random)?.stream).toBe(false)
  })
  it.each(['network', 'refused', 'timeout'] as const)(
    'so is a stream that started and then failed with %s; one that never started is streamed again',
    (kind) => {
      const failure = new ClientError(kind, 'x')
      expect(decideRetry(first, failure, random)?.stream).toBe(true)
      failure.duringStream = true
      expect(decideRetry(first, failure, random)?.stream).toBe(false)
    },
  )
  it('timeouts, lost connections and errors without a status are retried; a cancelled request is not', () => {
    for (const kind of ['timeout', 'network', 'refused'] as const)
      expect(decideRetry(first, new ClientError(kind, 'x'), random)).toBeDefined()
    expect(decideRetry(first, new ClientError('cancelled', 'x'), random)).toBeUndefined()
  })
  it('Retry-After is honoured to the millisecond, up to five minutes', () => {
    expect(decideRetry(first, refused(429, 1234), random)?.waitMs).toBe(1234)
    expect(decideRetry(first, refused(429, 0), random)?.waitMs).toBe(0)
    expect(decideRetry(first, refused(429, 3_600_000), random)).toBeUndefined()
  })
  it('otherwise the wait doubles, with jitter, up to 30 s', () => {
    const waits = [1, 2, 3, 4, 5].map((requests) => decideRetry({ ...first, requests }, refused(500), () => 1)!.waitMs)
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000])
    expect(decideRetry(first, refused(500), () => 0)!.waitMs).toBe(250)
  })
  it('there are at most six requests, whatever the mix of reasons', () => {
    expect(decideRetry({ requests: 6, emptyReplies: 1, stream: true }, 'empty', random)).toBeUndefined()
    expect(decideRetry({ ...first, requests: 6 }, refused(500), random)).toBeUndefined()
  })
})
