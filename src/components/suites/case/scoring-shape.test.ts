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

describe('switching between one method and several checks', () => {
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

  it('moves only the method, the expected output and the options', () => {
    expect(toChecks(testCase, scorers)).toEqual(checks)
    expect(toOneMethod(checks)).toEqual(testCase)
  })
  it('keeps the checks if there are several', () => {
    const two = { ...checks, checks: [...checks.checks, { scoringMethod: 'exact-match' }] }
    expect(toOneMethod(two)).toBe(two)
  })
  it("does not make a check's weight the case's", () => {
    expect(toOneMethod({ id: 'a', weight: 2, checks: [{ scoringMethod: 'boolean', weight: 5 }] })).toEqual({
      id: 'a',
      weight: 2,
      scoringMethod: 'boolean',
    })
  })
})

describe('switching the method', () => {
  it('removes options the new method does not use, keeps shared and unknown ones, and restores them on the way back', () => {
    const before = { id: 'a', scoringMethod: 'json-match', partial: false, ignoreOrder: true, mine: 1 }
    const switched = changeMethod(before, 'exact-match', { scorers, remembered: {} })
    expect(switched.fields).toEqual({ id: 'a', scoringMethod: 'exact-match', partial: false, mine: 1 })
    const back = changeMethod(switched.fields, 'json-match', { scorers, remembered: switched.remembered })
    expect(back.fields).toEqual(before)
  })
  it('prefers current options to remembered ones', () => {
    const switched = changeMethod({ scoringMethod: 'exact-match', partial: true }, 'json-match', {
      scorers,
      remembered: { 'json-match': { partial: false } },
    })
    expect(switched.fields).toEqual({ scoringMethod: 'json-match', partial: true })
  })
})

describe('the needs of a case', () => {
  it('include a judge if one of its methods is a judge', () => {
    expect(needsJudge({ scoringMethod: 'llm-judge' }, scorers)).toBe(true)
    expect(needsJudge({ checks: [{ scoringMethod: 'exact-match' }, { scoringMethod: 'llm-judge' }] }, scorers)).toBe(
      true,
    )
    expect(needsJudge({ scoringMethod: 'exact-match' }, scorers)).toBe(false)
  })
  it('include tool calls if one of its methods scores them', () => {
    expect(takesToolCalls({ checks: [{ scoringMethod: 'tool-calls' }] })).toBe(true)
    expect(takesToolCalls({ scoringMethod: 'boolean' })).toBe(false)
  })
})

describe('the fields of the form', () => {
  it('include the expected output only if the method uses it', () => {
    expect(shownFields({ scoringMethod: 'exact-match' }, scorers).has('expectedOutput')).toBe(true)
    expect(shownFields({ scoringMethod: 'tool-calls' }, scorers).has('expectedOutput')).toBe(false)
    expect(shownFields({ scoringMethod: 'tool-calls' }, scorers).has('expectedCalls')).toBe(true)
  })
  it('name turns and checks by index', () => {
    const shown = shownFields({ messages: [{}, {}], checks: [{ scoringMethod: 'numeric-tolerance' }] }, scorers)
    expect([...shown]).toEqual(
      expect.arrayContaining(['messages.1', 'checks.0.tolerance', 'checks.0.weight', 'checks.0.expectedOutput']),
    )
  })
  it('do not include unknown fields, which are listed separately', () => {
    expect(
      otherFields({ id: 'a', scoringMethod: 'numeric-tolerance', tolerance: 1, tolerence: 2, partial: true }, scorers),
    ).toEqual(['tolerence', 'partial'])
  })
})
