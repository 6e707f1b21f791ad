import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor, secretsOf } from './redact.ts'
import { parseDuration, readRetryAfter } from './retry-after.ts'
import { readErrorBody, toClientError } from './server-error.ts'
import { createQuirks, findUnsupported, learnUnsupported } from '../openai/unsupported-parameters.ts'

const fixture = (name: string): string => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')
const NOW = Date.parse('2026-01-01T00:00:00Z')
const bodyError = (body: string, status = 400): ReturnType<typeof readErrorBody> => readErrorBody(status, {}, body, NOW)

describe('how long a server asks to wait', () => {
  it.each<[headers: Record<string, string | string[]>, ms: number | undefined]>([
    [{ 'Retry-After': '2' }, 2000],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': '2026-01-01T00:00:30Z' }, 30_000],
    [{ 'retry-after': ['1', '3', '-7'] }, 3000],
    ...['Wed, 31 Dec 2025 23:59:00 GMT', '0', '-5', '-0.5', 'NaN', 'Infinity', '1e999', '', '-1s', '12/31/2027'].map(
      (value): [Record<string, string>, undefined] => [{ 'retry-after': value }, undefined],
    ),
    [{ 'retry-after-ms': '-250' }, undefined],
    [{ 'retry-after-ms': '-250', 'retry-after': '2' }, 2000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW - 5000) }, undefined],
    [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
    [{ 'x-ratelimit-remaining-requests': '9', 'x-ratelimit-reset-requests': '6m0s' }, undefined],
    [
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '20ms',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '1s',
      },
      1000,
    ],
    [{ 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(NOW + 5000) }, 5000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 5) }, 5000],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j is %s ms', (headers, ms) => {
    expect(readRetryAfter(headers, NOW)).toBe(ms)
  })
  it('the units of a duration are summed; anything else is undefined', () => {
    expect(parseDuration('1h2m3.5s')).toBe(3_723_500)
    expect(parseDuration('10')).toBeUndefined()
  })
  it("Google's RetryInfo counts", () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }]
    expect(
      bodyError(
        JSON.stringify([{ error: { code: 429, message: 'quota', status: 'RESOURCE_EXHAUSTED', details } }]),
        429,
      ).retryAfterMs,
    ).toBe(34_000)
  })
})

describe('error bodies', () => {
  it.each<[body: string, message: string]>([
    ['{"error": {"message": "no such model", "code": null}}', 'no such model'],
    ['{"error": "model not loaded"}', 'model not loaded'],
    ['{"object": "error", "message": "too long"}', 'too long'],
    ['{"message": "Unauthorized"}', 'Unauthorized'],
    ['{"detail": "Not Found"}', 'Not Found'],
    ['{"detail": [{"loc": ["body", "top_p"], "msg": "bad"}]}', '[{"loc":["body","top_p"],"msg":"bad"}]'],
    ['upstream timed out', 'upstream timed out'],
    ['', 'no text'],
    [fixture('gateway-page.html.txt'), 'a web page titled "502 Bad Gateway"'],
  ])('%s', (body, message) => {
    expect(bodyError(body).message).toBe(message)
  })
  it('the HTTP status wins over a code in the body', () => {
    expect(bodyError('{"error": {"message": "x", "code": 400}}', 503).status).toBe(503)
  })
  it("a prompt rejected by Azure's filter counts as filtered", () => {
    expect(bodyError(fixture('azure-prompt-filtered.json')).filtered).toBe(true)
    expect(
      bodyError(
        '{"error": {"code": 403, "message": "flagged", "metadata": {"reasons": ["violence"], "flagged_input": "…"}}}',
      ).filtered,
    ).toBe(true)
    expect(bodyError(fixture('openai-unsupported.json')).filtered).toBe(false)
  })
  it('a message is cut, names provider and status, and says what to do', () => {
    const error = toClientError({ message: 'x'.repeat(5000), status: 404, filtered: false }, 'ollama', (text) => text)
    expect(error.message.length).toBeLessThan(800)
    expect(error.message).toMatch(/^ollama returned error 404: x.*base URL/)
  })
})

describe('redaction removes', () => {
  it('keys that are whole, truncated or URL-encoded, whatever is around them', () => {
    const key = fc.string({ minLength: 12, maxLength: 60, unit: fc.constantFrom(...'abcdefXYZ0123456789-_+/.$') })
    fc.assert(
      fc.property(key, fc.string(), fc.string(), (secret, before, after) => {
        const redact = createRedactor([secret])
        const truncated = `${secret.slice(0, 9)}****`
        expect(redact(`${before}${secret}${after}`)).not.toContain(secret)
        expect(redact(`${before} ${truncated} ${after}`)).not.toContain(truncated)
        expect(redact(`${before} ${encodeURIComponent(secret)} ${after}`)).not.toContain(encodeURIComponent(secret))
      }),
    )
  })
  it('anything else that looks like a key', () => {
    expect(createRedactor([])('Incorrect API key provided: sk-proj-****************abcd. You can')).toBe(
      'Incorrect API key provided: [key]. You can',
    )
  })
  it('no ordinary words, even if the key is a placeholder', () => {
    const text = 'the skeleton key of ollama is task-specific-fine-tuning-data'
    expect(createRedactor(['ollama'])(text)).toBe(text)
  })
  it('headers and query parameters with secret names', () => {
    expect(
      secretsOf([
        ['Authorization', 'Bearer abc'],
        ['x-api-key', 'def'],
        ['accept', 'text/html'],
      ]),
    ).toEqual(['abc', 'def'])
  })
})

describe('parameters that a model rejects', () => {
  const sent = ['temperature', 'top_p', 'max_tokens', 'response_format', 'stream_options']
  it.each<[message: string, field: string | undefined]>([
    ["Unsupported parameter: 'temperature' is not supported with this model.", 'temperature'],
    [
      "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
      'temperature',
    ],
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
    ],
    ['Unrecognized request argument supplied: stream_options', 'stream_options'],
    ["Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.", 'response_format'],
    // Groq and DeepSeek, of JSON Schemas.
    ['This model does not support response format `json_schema`.', 'response_format'],
    ['This response_format type is unavailable now', 'response_format'],
    ['`temperature` and `top_p` cannot both be specified for this model. Please use only one.', 'top_p'],
    ['`temperature` is deprecated for this model.', 'temperature'],
    ['[{"type":"extra_forbidden","loc":["body","top_p"],"msg":"Extra inputs are not permitted"}]', 'top_p'],
    ['max_tokens is too large: 99999. This model supports at most 16384 completion tokens', undefined],
    ["This model's maximum context length is 4096 tokens", undefined],
    ["Unsupported parameter: 'logprobs'", undefined],
    ['temperature: must be between 0 and 1', undefined],
  ])('%s', (message, field) => {
    expect(findUnsupported({ message, status: 400, filtered: false }, sent)).toBe(field)
  })
  it('are reported only with a 400 or a 422', () => {
    expect(
      findUnsupported({ message: "Unsupported parameter: 'temperature'", status: 500, filtered: false }, sent),
    ).toBeUndefined()
  })
  it('include max_tokens: renamed if the server names the new field, otherwise left out', () => {
    const renamed = createQuirks()
    learnUnsupported(renamed, 'max_tokens', bodyError(fixture('openai-unsupported.json')))
    expect(renamed).toMatchObject({ maxTokensField: 'max_completion_tokens', leftOut: new Set() })
    const left = createQuirks()
    learnUnsupported(left, 'max_tokens', bodyError('max_tokens is not supported'))
    expect(left.leftOut).toEqual(new Set(['maxTokens']))
  })
})
