import { describe, expect, it } from 'vitest'
import { ClientError } from '../../contract/index.ts'
import { decideRetry, isUnbilled } from './retry.ts'

const first = { requests: 1, emptyReplies: 0, stream: true }
const random = () => 0.5
const refused = (status: number, retryAfterMs?: number) =>
  new ClientError('refused', `HTTP ${status}`, { status, ...(retryAfterMs !== undefined && { retryAfterMs }) })

describe('what may have cost something', () => {
  it.each([400, 401, 402, 403, 404, 413, 422, 429])('is not a request refused with HTTP %d', (status) =>
    expect(isUnbilled(refused(status))).toBe(true),
  )
  it.each([408, 409, 499, 500, 503, 529])('is one that ended with HTTP %d', (status) =>
    expect(isUnbilled(refused(status))).toBe(false),
  )
  it('is one that broke, timed out, was cancelled, lost its connection or failed in the middle of a stream', () => {
    for (const kind of ['broken', 'timeout', 'cancelled', 'network', 'refused'] as const)
      expect(isUnbilled(new ClientError(kind, 'x'))).toBe(false)
    const inStream = refused(429)
    inStream.duringStream = true
    expect(isUnbilled(inStream)).toBe(false)
  })
  it('is what the client says', () => {
    expect(isUnbilled(new ClientError('network', 'never sent', { unbilled: true }))).toBe(true)
    expect(isUnbilled(new ClientError('refused', 'inside a 200', { status: 400, unbilled: false }))).toBe(false)
  })
})

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
  it('a request that the client will send differently is retried at once, and counts', () => {
    const failure = refused(400)
    failure.adapted = true
    expect(decideRetry(first, failure, random)).toEqual({ waitMs: 0, stream: true })
    expect(decideRetry({ ...first, requests: 5, stream: false }, failure, random)).toEqual({ waitMs: 0, stream: false })
    expect(decideRetry({ ...first, requests: 6 }, failure, random)).toBeUndefined()
  })
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
  it.each([405, 500, 501])('HTTP %d may be about streaming, so the retry does not stream', (status) => {
    expect(decideRetry(first, refused(status), () => 1)).toEqual({ waitMs: 500, stream: false })
    expect(decideRetry({ ...first, requests: 6 }, refused(status), random)).toBeUndefined()
  })
  it('HTTP 405 of a request that did not stream is not retried', () => {
    expect(decideRetry({ ...first, stream: false }, refused(405), random)).toBeUndefined()
    expect(decideRetry(first, refused(503), random)?.stream).toBe(true)
  })
  it('timeouts, lost connections and errors without a status are retried; a cancelled request is not', () => {
    for (const kind of ['timeout', 'network', 'refused'] as const)
      expect(decideRetry(first, new ClientError(kind, 'x'), random)).toBeDefined()
    expect(decideRetry(first, new ClientError('cancelled', 'x'), random)).toBeUndefined()
  })
  it('Retry-After is honoured to the millisecond, up to five minutes', () => {
    expect(decideRetry(first, refused(429, 1234), random)?.waitMs).toBe(1234)
    expect(decideRetry(first, refused(429, 3_600_000), random)).toBeUndefined()
  })
  it.each([0, -5, Number.NaN, -Infinity])('a Retry-After of %d ms means the usual back-off', (retryAfterMs) => {
    for (const requests of [1, 2, 5])
      expect(decideRetry({ ...first, requests }, refused(429, retryAfterMs), random)).toEqual(
        decideRetry({ ...first, requests }, refused(429), random),
      )
  })
  it('a Retry-After of next to nothing is obeyed once', () => {
    expect(decideRetry(first, refused(429, 1), () => 0)?.waitMs).toBe(1)
    expect(decideRetry({ ...first, requests: 2 }, refused(429, 1), () => 0)?.waitMs).toBe(250)
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
