import { describe, expect, it } from 'vitest'
import { checkSuite } from './suite.ts'

const testCase = { id: 'a', prompt: '?', scoringMethod: 'exact-match', expectedOutput: 'x' }
const check = (changes: object) => checkSuite({ name: 'S', testCases: [{ ...testCase, ...changes }] })
const problemOf = (changes: object) => check(changes).problems.map(({ path, message }) => `${path.join('.')}: ${message}`)

describe('a suite', () => {
  it('is taken with defaults filled in', () => {
    expect(check({}).suite?.testCases[0]).toMatchObject({ id: 'a', weight: 1 })
  })
  it.each([
    [{ expectedOutput: undefined }, /testCases.0.expectedOutput: exact-match needs an expected output/],
    [{ expectedOutput: '  ' }, /testCases.0.expectedOutput: exact-match needs an expected output/],
    [{ weight: 0 }, /testCases.0.weight: must be greater than 0/],
    [{ weight: -1 }, /testCases.0.weight/],
    [{ weight: Number.NaN }, /testCases.0.weight/],
    [{ weight: Infinity }, /testCases.0.weight/],
    [{ weight: '2' }, /testCases.0.weight/],
    [{ scoringMethod: 'vibes' }, /testCases.0: there is no scoring method "vibes"/],
    [{ scoringMethod: undefined }, /give a scoringMethod/],
    [{ scoringMethod: 'regex-match', expectedOutput: '(a' }, /testCases.0.expectedOutput: bad pattern .* near character 2/],
    [{ scoringMethod: 'numeric-tolerance', expectedOutput: '1 or 2' }, /exactly one number/],
    [{ scoringMethod: 'numeric-tolerance', expectedOutput: '1', tolerance: -1 }, /testCases.0.tolerance/],
    [{ checks: [{ scoringMethod: 'boolean' }] }, /either scoringMethod or checks/],
    [{ scoringMethod: undefined, checks: [{ scoringMethod: 'exact-match' }] }, /testCases.0.checks.0.expectedOutput/],
    [{ prompt: undefined }, /either a prompt or messages/],
    [{ id: '' }, /testCases.0.id/],
  ])('with %j is refused', (changes, message) => {
    expect(check(changes).suite).toBeUndefined()
    expect(problemOf(changes).join('\n')).toMatch(message)
  })
  it('tells all problems at once', () => {
    const { problems } = checkSuite({ name: 'S', testCases: [{ ...testCase, expectedOutput: '' }, { ...testCase, scoringMethod: 'x' }] })
    expect(problems).toHaveLength(3)
    expect(problems.at(-1)?.message).toBe('id "a" is used twice')
  })
  it.each([undefined, null, 5, [], {}, { name: 'S' }, { name: 'S', testCases: [] }])('%j is no suite', (raw) => {
    expect(checkSuite(raw).problems.length).toBeGreaterThan(0)
  })
  it('warns of fields that nothing reads, and takes the suite', () => {
    const { suite, warnings } = check({ tolerence: 0.1 })
    expect(suite).toBeDefined()
    expect(warnings).toEqual([{ path: ['testCases', 0, 'tolerence'], message: 'unknown field, not used' }])
  })
  it('an option of another method is unknown too', () => {
    expect(check({ tolerance: 0.1 }).warnings).toHaveLength(1)
    expect(check({ scoringMethod: 'numeric-tolerance', expectedOutput: 5, tolerance: 0.1 }).warnings).toEqual([])
  })
  it('takes numbers, booleans and JSON as expected output', () => {
    expect(check({ expectedOutput: 42 }).suite?.testCases[0]?.expectedOutput).toBe('42')
    expect(check({ scoringMethod: 'json-match', expectedOutput: { a: [1] } }).suite?.testCases[0]?.expectedOutput).toBe('{"a":[1]}')
  })
})
