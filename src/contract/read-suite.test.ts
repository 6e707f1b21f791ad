import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSuite, readTestCase } from './read-suite.ts'
import { checkFields, checkSchema, suiteFields, suiteSchema, testCaseFields, testCaseSchema } from './suite.ts'

/** What may stand in a field: mostly what belongs there, else anything. */
const orAnything = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: fc.oneof(fc.anything(), fc.constant('')) })
const text = orAnything(fc.string({ minLength: 1 }))

const cases = fc.record(
  {
    weight: orAnything(fc.double({ min: 0.001, max: 100, noNaN: true })),
    scoringMethod: text,
    expectedOutput: text,
    id: text,
    prompt: text,
  },
  { requiredKeys: ['id'] },
)
/** Now and then with fields that are not plain, or of nobody. */
const anyCase = fc.oneof(
  { weight: 8, arbitrary: cases },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        cases,
        fc.dictionary(
          fc.constantFrom('metadata', 'messages', 'checks', 'vars', 'unknown', '__proto__', 'toString'),
          fc.anything(),
        ),
      )
      .map(([plain, other]) => ({ ...plain, ...other })),
  },
  { weight: 1, arbitrary: fc.anything() },
)
const anySuite = fc.record(
  {
    testCases: orAnything(fc.array(cases, { minLength: 1 })),
    description: text,
    name: text,
    judgeSystemPrompt: text,
    systemPrompt: text,
    variants: fc.constant([]),
    unknown: fc.anything(),
  },
  { requiredKeys: ['name', 'testCases'] },
)

/** The order of the fields counts too: runs are stored as they stand. */
const written = (value: unknown) => JSON.stringify(value)

describe('a suite is read as its schema reads it', () => {
  it('cases, plain or not', () => {
    fc.assert(
      fc.property(anyCase, (raw) => {
        const bySchema = testCaseSchema().safeParse(raw)
        if (!bySchema.success) expect(() => readTestCase(raw)).toThrow(bySchema.error.message)
        else {
          expect(readTestCase(raw)).toEqual(bySchema.data)
          expect(written(readTestCase(raw))).toBe(written(bySchema.data))
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('whole suites', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: anySuite }, { weight: 1, arbitrary: fc.anything() }), (raw) => {
        const [read, bySchema] = [readSuite(raw), suiteSchema().safeParse(raw)]
        expect(read.success).toBe(bySchema.success)
        expect(read.data).toEqual(bySchema.data)
        expect(written(read.data)).toBe(written(bySchema.data))
        expect(read.error?.issues).toEqual(bySchema.error?.issues)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['a weight of 0', { id: 'a', weight: 0 }],
    ['an endless weight', { id: 'a', weight: Infinity }],
    ['no weight that is a number', { id: 'a', weight: NaN }],
    ['an empty id', { id: '' }],
    ['no id', { prompt: 'p' }],
    ['a list', []],
    ['nothing', null],
  ])('refuses %s', (_what, raw) => {
    expect(() => readTestCase(raw)).toThrow()
    expect(readSuite({ name: 'suite', testCases: [raw] }).success).toBe(false)
  })

  it.each([
    ['no cases', { name: 'suite', testCases: [] }],
    ['an empty name', { name: '', testCases: [{ id: 'a' }] }],
  ])('refuses a suite with %s', (_what, raw) => {
    expect(readSuite(raw).success).toBe(false)
  })

  it('an object that inherits fields', () => {
    const inheriting = (prompt: unknown): unknown => Object.assign(Object.create({ prompt }), { id: 'a' })
    expect(readTestCase(inheriting('inherited'))).toEqual({ id: 'a', prompt: 'inherited', weight: 1 })
    expect(() => readTestCase(inheriting(42))).toThrow('expected string')
  })

  it('not what a file calls __proto__, and nothing that changes with the object', () => {
    const raw: unknown = JSON.parse('{"id":"a","prompt":"p","__proto__":{"scoringMethod":"boolean"}}')
    expect(readTestCase(raw).scoringMethod).toBeUndefined()
    const plain = { id: 'a', prompt: 'p' }
    const read = readTestCase(plain)
    plain.prompt = 'changed'
    expect(read.prompt).toBe('p')
  })
})

it('knows the names of all fields', () => {
  expect(checkFields).toEqual(Object.keys(checkSchema().shape))
  expect(testCaseFields).toEqual(Object.keys(testCaseSchema().shape))
  expect(suiteFields).toEqual(Object.keys(suiteSchema().shape))
})
