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

  it('is refused with the suite when it names a tool that is not offered, or no calls at all', () => {
    expect(toolCalls.findProblems(undefined, { tools, expectedCalls })).toEqual([])
    expect(toolCalls.findProblems(undefined, { tools, expectedCalls: [{ name: 'fly' }] })[0]?.message).toContain('fly')
    expect(toolCalls.findProblems(undefined, { tools })[0]?.path).toEqual(['expectedCalls'])
  })
})
