import { describe, expect, it } from 'vitest'
import {
  changeMethod,
  describeDefaultMark,
  findGraders,
  findWrongAnswer,
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
  isEmbedding: name === 'similar',
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
  it('starts a method with the options for one right answer, but leaves those of a method chosen before', () => {
    const first = changeMethod({ scoringMethod: 'llm-judge' }, 'exact-match', { scorers, remembered: {} })
    expect(first.fields).toEqual({ scoringMethod: 'exact-match', partial: false })
    const lenient = changeMethod({ scoringMethod: 'exact-match' }, 'llm-judge', { scorers, remembered: {} })
    const back = changeMethod(lenient.fields, 'exact-match', { scorers, remembered: lenient.remembered })
    expect(back.fields).toEqual({ scoringMethod: 'exact-match' })
  })
  it('prefers current options to remembered ones', () => {
    const switched = changeMethod({ scoringMethod: 'exact-match', partial: true }, 'json-match', {
      scorers,
      remembered: { 'json-match': { partial: false } },
    })
    expect(switched.fields).toEqual({ scoringMethod: 'json-match', partial: true })
  })
})

describe('partial credit', () => {
  it('is shown with a wrong answer, and the option that gives it none', () => {
    const exact = { scoringMethod: 'exact-match', expectedOutput: ' Paris ' }
    expect(findWrongAnswer(exact)).toEqual({
      response: 'It is not Paris, it is Lyon',
      remedy: { label: 'Give no partial credit', option: 'partial', value: false },
    })
    expect(findWrongAnswer({ ...exact, expectedOutput: 'Rome' })?.response).toBe('It is not Rome, it is something else')
    expect(findWrongAnswer({ ...exact, partial: false })).toBeUndefined()
    expect(findWrongAnswer({ ...exact, expectedOutput: '' })).toBeUndefined()
  })
  it('of a number is that of the right one somewhere in the answer', () => {
    const numeric = { scoringMethod: 'numeric-tolerance', expectedOutput: 42 }
    expect(findWrongAnswer(numeric)).toMatchObject({ response: 'It is not 42, it is 85', remedy: { value: 'last' } })
    expect(findWrongAnswer({ ...numeric, answer: 'last' })).toBeUndefined()
    expect(findWrongAnswer({ ...numeric, expectedOutput: 'forty-two' })).toBeUndefined()
    expect(findWrongAnswer({ scoringMethod: 'boolean', expectedOutput: 'x' })).toBeUndefined()
  })
})

describe('the pass mark of a case that sets none', () => {
  it('is that of the suite, the method or each check', () => {
    expect(describeDefaultMark({ scoringMethod: 'exact-match' }, undefined)).toBe('95')
    expect(describeDefaultMark({ scoringMethod: 'exact-match' }, 0.7)).toBe('70, from the suite')
    expect(describeDefaultMark({ checks: [{ scoringMethod: 'boolean' }] }, undefined)).toBe('each check its own')
  })
})

describe('the needs of a case', () => {
  it('include a judge if one of its methods is a judge', () => {
    const judged = { judge: true, embeddings: false }
    expect(findGraders({ scoringMethod: 'llm-judge' }, scorers)).toEqual(judged)
    const checks = [{ scoringMethod: 'exact-match' }, { scoringMethod: 'llm-judge' }]
    expect(findGraders({ checks }, scorers)).toEqual(judged)
    expect(findGraders({ checks: [{ scoringMethod: 'group', checks }] }, scorers)).toEqual(judged)
    expect(findGraders({ scoringMethod: 'exact-match' }, scorers)).toEqual({ judge: false, embeddings: false })
  })
  it('include embeddings if one of its methods compares them', () => {
    const withSimilar = [...scorers, scorer('similar')]
    expect(findGraders({ scoringMethod: 'similar' }, withSimilar)).toEqual({ judge: false, embeddings: true })
    const checks = [{ scoringMethod: 'similar' }, { scoringMethod: 'llm-judge' }]
    expect(findGraders({ checks }, withSimilar)).toEqual({ judge: true, embeddings: true })
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
