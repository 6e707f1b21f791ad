import { describe, expect, it } from 'vitest'
import { toolCalls } from './tool-calls-scorer.ts'

const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }]
const expectedCalls = [{ name: 'get_weather', arguments: { city: 'Paris', unit: 'C' } }]

describe('the scoring method tool-calls', () => {
  it('scores the calls a model made for a test case', () => {
    const scorer = toolCalls.prepare({ tools, expectedCalls })
    const made = [{ name: 'get_weather', arguments: '{"city":"Paris","unit":"F"}' }]
    const result = scorer.score({ response: '', toolCalls: made })
    expect(result.score).toBeCloseTo(0.7, 12)
    expect(result.notes).toBe('partial success: 0 of 1 expected calls right; arguments differ in get_weather')
    expect(scorer.score({ response: 'It is warm.' }).score).toBe(0)
  })

  it('goes to a thread when there is much to compare, be it many calls or long arguments', () => {
    const calls = (count: number, items: number) =>
      Array.from({ length: count }, () => ({
        name: 'get_weather',
        arguments: { list: Array.from({ length: items }, (_, index) => index) },
      }))
    const isSlow = (count: number, items: number) =>
      toolCalls.prepare({ expectedCalls: calls(count, items) }).isSlow({ response: '', toolCalls: calls(count, items) })
    expect([isSlow(3, 10), isSlow(20, 5)]).toEqual([false, false])
    expect([isSlow(300, 1), isSlow(20, 50), isSlow(1, 1000)]).toEqual([true, true, true])
    const text = toolCalls.prepare({ expectedCalls: calls(1, 500) })
    expect(
      text.isSlow({
        response: '',
        toolCalls: [
          {
            name: 'get_weather',
            arguments: JSON.stringify({ list: Array.from({ length: 3000 }, (_, index) => index) }),
          },
        ],
      }),
    ).toBe(true)
  })

  it('is refused with the suite when it names a tool that is not offered, or no calls at all', () => {
    expect(toolCalls.findProblems(undefined, { tools, expectedCalls })).toEqual([])
    expect(toolCalls.findProblems(undefined, { tools, expectedCalls: [{ name: 'fly' }] })[0]?.message).toContain('fly')
    expect(toolCalls.findProblems(undefined, { tools })[0]?.path).toEqual(['expectedCalls'])
  })
})
