import { describe, expect, it } from 'vitest'
import { checkSuite } from '../../scoring/index.ts'
import { describePlace, lookUpProblems, placeOf, sentence } from './problem-places.ts'
import { shownFields } from './case/scoring-shape.ts'

describe('from the path of a problem to its field', () => {
  it.each([
    [['name'], undefined, 'name'],
    [[], undefined, ''],
    [['testCases'], undefined, 'testCases'],
    [['variants', 1, 'name'], undefined, 'variants.1.name'],
    [['variants', 0, 'parameters', 'temperature'], undefined, 'variants.0.parameters.temperature'],
    [['testCases', 2], 2, ''],
    [['testCases', 2, 'weight'], 2, 'weight'],
    [['testCases', 2, 'metadata', 'tags', 0], 2, 'metadata.tags'],
    [['testCases', 2, 'vars', 'name'], 2, 'vars'],
    [['testCases', 0, 'messages'], 0, 'messages'],
    [['testCases', 0, 'messages', 3, 'content', 1, 'text'], 0, 'messages.3'],
    [['testCases', 0, 'checks', 1], 0, 'checks.1'],
    [['testCases', 0, 'checks', 1, 'tolerance'], 0, 'checks.1.tolerance'],
    [['testCases', 0, 'expectedCalls', 0, 'name'], 0, 'expectedCalls'],
  ])('%j is case %s, field %s', (path, caseIndex, field) => {
    expect(placeOf(path)).toEqual({ caseIndex, field })
  })

  it('finds and counts problems, and lists those without a field', () => {
    const found = lookUpProblems([
      { path: ['testCases', 0, 'weight'], message: 'must be greater than 0' },
      { path: ['testCases', 0, 'weight'], message: 'is odd.' },
      { path: ['testCases', 0], message: 'give either a prompt or messages' },
      { path: ['name'], message: 'too short' },
    ])
    expect(found.at(0, 'weight')).toBe('Must be greater than 0. Is odd.')
    expect(found.at(1, 'weight')).toBeUndefined()
    expect([found.countIn(0), found.countIn(1), found.countIn(undefined)]).toEqual([3, 0, 1])
    expect(found.outside(0, new Set(['weight'])).map(({ message }) => message)).toEqual([
      'give either a prompt or messages',
    ])
  })

  it('every problem of a case is shown either at its field or above the form', () => {
    const testCases = [
      { id: 'a', scoringMethod: 'tool-calls', tools: [{ function: { name: 'x' } }], expectedCalls: [{ name: 'y' }] },
      {
        id: 'a',
        prompt: 'p',
        checks: [{ scoringMethod: 'regex-match', expectedOutput: '(' }, { scoringMethod: 'nothing' }],
      },
      {
        id: 'b',
        prompt: 'p',
        messages: [{ role: 'user', content: 'x' }],
        scoringMethod: 'numeric-tolerance',
        expectedOutput: 'none',
        tolerance: -1,
      },
    ]
    const problems = checkSuite({ name: 'S', testCases }).problems.map(({ path, message }) => ({
      path: path.filter((part) => typeof part !== 'symbol'),
      message,
    }))
    expect(problems.length).toBeGreaterThan(4)
    const lookup = lookUpProblems(problems)
    for (const [index, testCase] of testCases.entries()) {
      const shown = shownFields(testCase, [])
      const atFields = problems.filter(({ path }) => path[1] === index && shown.has(placeOf(path).field))
      expect(atFields.every(({ path }) => lookup.at(index, placeOf(path).field) !== undefined)).toBe(true)
      expect(atFields.length + lookup.outside(index, shown).length).toBe(lookup.countIn(index))
    }
  })
})

describe('in words', () => {
  it('names the case by its id, and counts from 1', () => {
    expect(describePlace({ caseIndex: 0, field: 'checks.0.weight' }, ['paris'])).toBe('paris · checks 1 weight')
    expect(describePlace({ caseIndex: 1, field: '' }, ['paris', ''])).toBe('case 2')
    expect(describePlace({ caseIndex: undefined, field: 'name' }, [])).toBe('name')
    expect(describePlace({ caseIndex: undefined, field: '' }, [])).toBe('The suite')
  })
  it('turns a message into a sentence', () => {
    expect(sentence('must be greater than 0')).toBe('Must be greater than 0.')
    expect(sentence('Write \\{{x}}')).toBe('Write \\{{x}}.')
  })
})
