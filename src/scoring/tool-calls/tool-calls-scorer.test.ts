import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileAlone } from '../testing/compile-alone.ts'
import { createScoring, scoreJob } from '../index.ts'
import { toolCalls } from './tool-calls-scorer.ts'

const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }]
const expectedCalls = [{ name: 'get_weather', arguments: { city: 'Paris', unit: 'C' } }]

describe('the scoring method tool-calls', () => {
  it('scores the model’s calls', async () => {
    const { scoreResponse } = createScoring({ scoreInWorker: scoreJob, random: () => 0.5 })
    const testCase = { scoringMethod: 'tool-calls', tools, expectedCalls }
    const made = [{ name: 'get_weather', arguments: '{"city":"Paris","unit":"F"}' }]
    const result = await scoreResponse(testCase, { response: '', toolCalls: made })
    expect(result.score).toBeCloseTo(0.7, 12)
    expect(result.notes).toBe('partial success: 0 of 1 expected calls right; arguments differ in get_weather')
    expect((await scoreResponse(testCase, 'It is warm.')).score).toBe(0)
  })

  it('reads the credit `seed` of older suites as `calls`, and offers only `calls` and `effects`', async () => {
    const { scoreResponse } = createScoring({ scoreInWorker: scoreJob, random: () => 0.5 })
    const made = [{ name: 'get_weather', arguments: '{"city":"Paris","unit":"F"}' }]
    const score = (credit: string) =>
      scoreResponse({ scoringMethod: 'tool-calls', tools, expectedCalls, credit }, { response: '', toolCalls: made })
    expect(await score('seed')).toEqual(await score('calls'))
    expect(compileAlone(toolCalls, undefined, { expectedCalls, credit: 'other' }).problems[0]?.path).toEqual(['credit'])
    const { properties } = z.toJSONSchema(toolCalls.options, { io: 'input' })
    expect(properties?.['credit']).toMatchObject({ type: 'string', enum: ['calls', 'effects'], default: 'calls' })
  })

  it('runs in a thread when there is a lot to compare: many calls or long arguments', () => {
    const calls = (count: number, items: number) =>
      Array.from({ length: count }, () => ({
        name: 'get_weather',
        arguments: { list: Array.from({ length: items }, (_, index) => index) },
      }))
    const isSlow = (count: number, items: number) =>
      toolCalls.isSlow!(
        { response: '', toolCalls: calls(count, items) },
        { expectedCalls: calls(count, items), credit: 'calls' },
      )
    expect([isSlow(3, 10), isSlow(20, 5)]).toEqual([false, false])
    expect([isSlow(300, 1), isSlow(20, 50), isSlow(1, 1000)]).toEqual([true, true, true])
    expect(
      toolCalls.isSlow!(
        {
          response: '',
          toolCalls: [
            {
              name: 'get_weather',
              arguments: JSON.stringify({ list: Array.from({ length: 3000 }, (_, index) => index) }),
            },
          ],
        },
        { expectedCalls: calls(1, 500), credit: 'calls' },
      ),
    ).toBe(true)
  })

  it('rejects a test case that expects a tool it does not offer, or has no expected calls', () => {
    expect(compileAlone(toolCalls, undefined, { tools, expectedCalls }).problems).toEqual([])
    expect(
      compileAlone(toolCalls, undefined, { tools, expectedCalls: [{ name: 'fly' }] }).problems[0]?.message,
    ).toContain('fly')
    expect(compileAlone(toolCalls, undefined, { tools }).problems[0]?.message).toContain('needs expectedCalls')
  })
})
