import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ClientError, type Client } from './ports/client.ts'
import { createTextRedactor, redactClient } from './redact-keys.ts'

const SECRET = 'sk-abcabcabd'

describe('redacted text', () => {
  it('is the same however it is split, contains no secret and loses nothing else', () => {
    const part = fc.constantFrom('sk-abc', 'abc', 'abd', 'sk-', SECRET, 'x', ' ', SECRET.slice(0, 9))
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.array(fc.nat({ max: 60 }), { maxLength: 10 }),
        (parts, cuts) => {
          const text = parts.join('')
          const ends = [...new Set(cuts.filter((cut) => cut < text.length))].sort((a, b) => a - b)
          let passed = ''
          const { add, end } = createTextRedactor([SECRET], (piece) => (passed += piece))
          let start = 0
          for (const cut of [...ends, text.length]) {
            add(text.slice(start, cut))
            expect(passed).not.toContain(SECRET)
            start = cut
          }
          end()
          expect(passed).toBe(text.replaceAll(SECRET, '[key]'))
        },
      ),
    )
  })
  it('knows a secret inside an address, in either case of its codes', () => {
    const secret = 'key+with/signs='
    let passed = ''
    const { add, end } = createTextRedactor([secret], (piece) => (passed += piece))
    for (const form of [secret, encodeURIComponent(secret), 'key%2bwith%2fsigns%3d'])
      for (const piece of `<${form}>`) add(piece)
    end()
    expect(passed).toBe('<[key]><[key]><[key]>')
  })
  it('passes on at once whatever cannot be the start of a secret', () => {
    const passed: string[] = []
    const { add } = createTextRedactor([SECRET, 'short'], (piece) => passed.push(piece))
    add('the word sk')
    add('ill and short')
    expect(passed).toEqual(['the word ', 'skill and short'])
  })
})

describe('a client whose server echoes keys', () => {
  const secret = 'sk-"quoted"\\key'
  const client: Client = {
    provider: 'echo',
    async complete({ modelId }) {
      if (modelId === 'fails') throw new ClientError('refused', `no: ${secret}`, { status: 401 })
      return {
        outcome: 'ok',
        response: `got ${secret}`,
        reasoning: secret,
        finishReason: secret,
        toolCalls: [{ name: secret, arguments: { [secret]: [secret] } }],
        latencyMs: 1,
      }
    },
    listModels: async () => [{ id: secret, name: `model ${secret}` }],
    close: async () => undefined,
  }
  const redacted = redactClient(client, () => [secret, 'short'])
  const request = { modelId: 'm', messages: [], parameters: {} }

  it('has none in its answers, tool calls, models and errors', async () => {
    expect(await redacted.complete(request)).toEqual({
      outcome: 'ok',
      response: 'got [key]',
      reasoning: '[key]',
      finishReason: '[key]',
      toolCalls: [{ name: '[key]', arguments: { '[key]': ['[key]'] } }],
      latencyMs: 1,
    })
    expect(await redacted.listModels()).toEqual([{ id: '[key]', name: 'model [key]' }])
    const failure = await redacted.complete({ ...request, modelId: 'fails' }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ClientError)
    expect(failure).toMatchObject({ message: 'no: [key]', status: 401, stack: expect.not.stringContaining(secret) })
  })
})
