import { describe, expect, it } from 'vitest'
import {
  changeMethod,
  needsJudge,
  otherFields,
  shownFields,
  takesToolCalls,
  toChecks,
  toOneMethod,
} from './scoring-shape.ts'

const scorer = (
  name: string,
  properties: Record<string, object> = {},
  expectedOutput: 'required' | 'unused' = 'required',
  isJudge = false,
) => ({
  name,
  expectedOutput,
  isJudge,
  options: { properties },
})
const scorers = [
  scorer('exact-match', { partial: { type: 'boolean' } }),
  scorer('json-match', { partial: { type: 'boolean' }, ignoreOrder: { type: 'boolean' } }),
  scorer('numeric-tolerance', { tolerance: { type: 'number' } }),
  scorer('tool-calls', { expectedCalls: { type: 'array' } }, 'unused'),
  scorer('llm-judge', {}, 'required', true),
]

describe('one method and several checks', () => {
  const testCase = {
    id: 'a',
    prompt: 'p',
    scoringMethod: 'numeric-tolerance',
    expectedOutput: '4',
    tolerance: 0,
    weight: 2,
    mine: { kept: true },
  }
  const checks = {
    id: 'a',
    prompt: 'p',
    weight: 2,
    mine: { kept: true },
    checks: [{ scoringMethod: 'numeric-tolerance', expectedOutput: '4', tolerance: 0 }],
  }

  it('move method, expected output and options, and nothing else', () => {
    expect(toChecks(testCase, scorers)).toEqual(checks)
    expect(toOneMethod(checks)).toEqual(testCase)
  })
  it('stay several while there are several', () => {
    const two = { ...checks, checks: [...checks.checks, { scoringMethod: 'exact-match' }] }
    expect(toOneMethod(two)).toBe(two)
  })
  it("a check's weight does not become the case's", () => {
    expect(toOneMethod({ id: 'a', weight: 2, checks: [{ scoringMethod: 'boolean', weight: 5 }] })).toEqual({
      id: 'a',
      weight: 2,
      scoringMethod: 'boolean',
    })
  })
})

describe('another method', () => {
  it('takes out options the new one does not read, keeps shared and unknown ones, and gives them back on return', () => {
    const before = { id: 'a', scoringMethod: 'json-match', partial: false, ignoreOrder: true, mine: 1 }
    const there = changeMethod(before, 'exact-match', { scorers, remembered: {} })
    expect(there.fields).toEqual({ id: 'a', scoringMethod: 'exact-match', partial: false, mine: 1 })
    const back = changeMethod(there.fields, 'json-match', { scorers, remembered: there.remembered })
    expect(back.fields).toEqual(before)
  })
  it('what is set now wins over what is remembered', () => {
    const there = changeMethod({ scoringMethod: 'exact-match', partial: true }, 'json-match', {
      scorers,
      remembered: { 'json-match': { partial: false } },
    })
    expect(there.fields).toEqual({ scoringMethod: 'json-match', partial: true })
  })
})

describe('what a case needs', () => {
  it('a judge, when one of its methods is one', () => {
    expect(needsJudge({ scoringMethod: 'llm-judge' }, scorers)).toBe(true)
    expect(needsJudge({ checks: [{ scoringMethod: 'exact-match' }, { scoringMethod: 'llm-judge' }] }, scorers)).toBe(
      true,
    )
    expect(needsJudge({ scoringMethod: 'exact-match' }, scorers)).toBe(false)
  })
  it('tool calls beside the answer', () => {
    expect(takesToolCalls({ checks: [{ scoringMethod: 'tool-calls' }] })).toBe(true)
    expect(takesToolCalls({ scoringMethod: 'boolean' })).toBe(false)
  })
})

describe('which fields the form shows', () => {
  it('the expected output only where the method reads one', () => {
    expect(shownFields({ scoringMethod: 'exact-match' }, scorers).has('expectedOutput')).toBe(true)
    expect(shownFields({ scoringMethod: 'tool-calls' }, scorers).has('expectedOutput')).toBe(false)
    expect(shownFields({ scoringMethod: 'tool-calls' }, scorers).has('expectedCalls')).toBe(true)
  })
  it('turns and checks by their number', () => {
    const shown = shownFields({ messages: [{}, {}], checks: [{ scoringMethod: 'numeric-tolerance' }] }, scorers)
    expect([...shown]).toEqual(
      expect.arrayContaining(['messages.1', 'checks.0.tolerance', 'checks.0.weight', 'checks.0.expectedOutput']),
    )
  })
  it('names those nothing reads', () => {
    expect(
      otherFields({ id: 'a', scoringMethod: 'numeric-tolerance', tolerance: 1, tolerence: 2, partial: true }, scorers),
    ).toEqual(['tolerence', 'partial'])
  })
})
