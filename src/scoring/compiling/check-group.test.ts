import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasPassed, readPassMark, suiteSchema, type ModelRequest, type TestCase } from '../../contract/index.ts'
import { checkSuite, compileCase, createScoring, scoreJob, scorers } from '../index.ts'

const { scoreCompiled } = createScoring({ scoreInWorker: scoreJob, random: () => 0.5 })
const contains = (expectedOutput: string, more: object = {}) => ({
  scoringMethod: 'boolean',
  expectedOutput,
  weight: 1,
  ...more,
})

function caseOf(checks: object[], more: object = {}): TestCase {
  const suite = suiteSchema.parse({ name: 's', testCases: [{ id: 'c', prompt: '?', checks, ...more }] })
  return suite.testCases[0]!
}

async function grade(testCase: TestCase, response: string) {
  const { passMark, ...compiled } = compileCase(testCase, scorers)
  const result = await scoreCompiled({ ...compiled, passMark }, response)
  // Statistics read the mark from the stored suite, without the scorers.
  const stored = JSON.parse(JSON.stringify(result))
  return { ...result, didPass: hasPassed(stored, readPassMark(testCase)) }
}

const group = (checks: object[], more: object = {}) => ({ scoringMethod: 'group', checks, ...more })

describe('a group of checks', () => {
  it('scores the weighted mean of its checks, and counts with its own weight', async () => {
    const testCase = caseOf([
      group([contains('a', { weight: 3 }), contains('b')], { weight: 4, name: 'both' }),
      contains('c'),
    ])
    const result = await grade(testCase, 'only a')
    expect(result.score).toBeCloseTo((4 * 0.75 + 0) / 5, 12)
    expect(result.checks).toMatchObject([
      { scoringMethod: 'group', name: 'both', score: 0.75, weight: 4, notes: 'boolean 100, boolean 0' },
      { scoringMethod: 'boolean', score: 0 },
    ])
    expect(result.checks![0]!.checks).toMatchObject([{ score: 1, weight: 3 }, { score: 0 }])
  })

  it.each([
    [0.5, 'only a', true],
    [0.75, 'only a', true],
    [0.76, 'only a', false],
    [0, 'nothing', true],
    [undefined, 'only a', false],
    [undefined, 'a and b', true],
  ])('with the pass mark %s and the answer %j passes: %s', async (passAt, response, expected) => {
    const checks = [contains('and'), contains('a', { weight: 3 }), contains('b')].slice(1)
    const { didPass } = await grade(caseOf([group(checks, passAt === undefined ? {} : { passAt })]), response)
    expect(didPass).toBe(expected)
  })

  it('passes as promptfoo says: score ≥ threshold, or all if there is none; then all groups and checks', async () => {
    const member = fc.record({ isRight: fc.boolean(), weight: fc.constantFrom(0.5, 1, 2, 5) })
    const set = fc.record({
      members: fc.array(member, { minLength: 1, maxLength: 4 }),
      threshold: fc.option(fc.constantFrom(0, 0.25, 0.5, 0.75, 1), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(set, { minLength: 1, maxLength: 3 }), async (sets) => {
        const testCase = caseOf(
          sets.map(({ members, threshold }) =>
            group(
              members.map(({ isRight, weight }) => contains(isRight ? 'yes' : 'no such thing', { weight })),
              threshold === undefined ? {} : { passAt: threshold },
            ),
          ),
        )
        const expected = sets.every(({ members, threshold }) => {
          const total = members.reduce((sum, { weight }) => sum + weight, 0)
          const mean = members.reduce((sum, { isRight, weight }) => sum + (isRight ? weight : 0), 0) / total
          return threshold === undefined ? members.every(({ isRight }) => isRight) : mean >= threshold
        })
        expect((await grade(testCase, 'yes')).didPass).toBe(expected)
      }),
    )
  })

  it('follows the pass mark of the case, if it has one', async () => {
    const checks = [group([contains('a'), contains('b')]), contains('a')]
    expect((await grade(caseOf(checks, { passAt: 0.7 }), 'only a')).didPass).toBe(true)
  })

  it('counts the calls and embeddings of its checks, and keeps the verdicts of judges', async () => {
    const testCase = caseOf([
      group([{ scoringMethod: 'llm-judge' }, { scoringMethod: 'similar', expectedOutput: 'a', embeddingModel: 'e' }]),
    ])
    const compiled = compileCase(testCase, scorers)
    expect(compiled.modelCalls).toEqual({ expected: 1, most: 2 })
    expect(compiled.embeddingCalls).toEqual([{ modelId: 'e', texts: ['a'] }])
    const ask = async ({ embed }: ModelRequest) =>
      embed
        ? { outcome: 'ok' as const, response: '', embeddings: embed.map(() => [1]), latencyMs: 1 }
        : { outcome: 'ok' as const, response: '{"score": 8, "reasoning": "fine"}', latencyMs: 1 }
    const result = await scoreCompiled(compiled, 'x', { judgeModelIds: ['j'], ask })
    expect(result.checks![0]).toMatchObject({ score: 0.9, judges: [{ judgeModelId: 'j', score: 0.8 }] })
  })

  it.each([
    [{ checks: [group([group([contains('a')])])] }, ['testCases', 0], /checks that are not groups/],
    [{ checks: [{ scoringMethod: 'group' }] }, ['testCases', 0, 'checks', 0], /needs a list of checks/],
    [{ scoringMethod: 'group', expectedOutput: 'a' }, ['testCases', 0], /only for an entry of checks/],
    [
      { checks: [group([{ scoringMethod: 'regex-match', expectedOutput: '(' }])] },
      ['testCases', 0, 'checks', 0, 'checks', 0, 'expectedOutput'],
      /./,
    ],
    [{ checks: [group([{ scoringMethod: 'vibes' }])] }, ['testCases', 0], /no scoring method "vibes"/],
    [
      { checks: [group([{ scoringMethod: 'none' }, contains('a')])] },
      ['testCases', 0],
      /none cannot be one of several/,
    ],
    [
      { checks: [group([contains('a', { weight: 1e308 }), contains('a', { weight: 1e308 })])] },
      ['testCases', 0, 'checks', 0, 'checks', 1, 'weight'],
      /weights add up/,
    ],
  ])('%j is refused', (fields, path, message) => {
    const { problems } = checkSuite({ name: 's', testCases: [{ id: 'c', prompt: '?', ...fields }] })
    expect(problems).toContainEqual({ path, message: expect.stringMatching(message) })
  })

  it('has its unknown fields found', () => {
    const checks = [group([contains('a', { patial: true })], { passat: 1 }), contains('b', { checks: [contains('c')] })]
    const { warnings } = checkSuite({ name: 's', testCases: [{ id: 'c', prompt: '?', checks }] })
    expect(warnings.map(({ path }) => path.slice(2).join('.'))).toEqual([
      'checks.0.passat',
      'checks.0.checks.0.patial',
      'checks.1.checks',
    ])
  })
})
