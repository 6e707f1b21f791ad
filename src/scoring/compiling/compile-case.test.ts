import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  InputError,
  ScoringError,
  hasPassed,
  readPassMark,
  suiteSchema,
  type ModelRequest,
  type TestCase,
} from '../../contract/index.ts'
import { addScorers, compileCase, createScoring, defineScorer, scoreJob, scorers, checkSuite } from '../index.ts'
import fc from 'fast-check'

const compile = (fields: object, known = scorers) =>
  compileCase({ id: 'c', prompt: 'Why?', weight: 1, ...fields }, known)
const exact = { scoringMethod: 'exact-match', expectedOutput: 'Paris' }

describe('a compiled case', () => {
  it('has its options parsed, defaults included', () => {
    expect(compile(exact).checks).toMatchObject([{ options: { partial: true }, expectedOutput: 'Paris', weight: 1 }])
  })
  it.each([
    [{ ...exact, passAt: 0.6 }, 0.6, { expected: 0, most: 0 }],
    [exact, 0.95, { expected: 0, most: 0 }],
    [{ scoringMethod: 'llm-judge' }, 0.8, { expected: 1, most: 2 }],
    [{ scoringMethod: 'regex-match', expectedOutput: 'a' }, 1, { expected: 0, most: 0 }],
    [
      {
        checks: [
          { ...exact, weight: 1 },
          { scoringMethod: 'llm-judge', weight: 2 },
        ],
      },
      [0.95, 0.8],
      { expected: 1, most: 2 },
    ],
  ])('%j has a pass mark and the number of calls per grade', (fields, passMark, modelCalls) => {
    const compiled = compile(fields)
    expect(compiled.passMark).toEqual(passMark)
    expect(compiled.modelCalls).toEqual(modelCalls)
  })
  it('takes the pass mark of the suite if it has none itself', () => {
    const suite = { name: 's', passAt: 0.7, testCases: [] }
    const mark = (fields: object) =>
      compileCase({ id: 'c', prompt: 'Why?', weight: 1, ...fields }, scorers, suite).passMark
    expect([mark(exact), mark({ ...exact, passAt: 0.2 })]).toEqual([0.7, 0.2])
  })
  it('shows a judge the task as a prompt, or as a conversation with roles', () => {
    expect(compile(exact).task).toBe('Why?')
    const messages = [
      { role: 'user' as const, content: 'Hi' },
      { role: 'user' as const, content: [{ type: 'image' as const, image: 'data:,' }] },
    ]
    expect(compile({ ...exact, prompt: undefined, messages }).task).toBe('user: Hi\n\nuser: [image]')
  })
  it('is not scored if the suite check would reject it', async () => {
    const { scoreCompiled } = createScoring({ scoreInWorker: scoreJob, random: () => 0.5 })
    const beyond = compile({ scoringMethod: 'multiple-choice', expectedOutput: 'D', choices: ['a', 'b'] })
    expect(beyond.problems).toMatchObject([{ path: ['expectedOutput'], code: 'invalid-expected-output' }])
    await expect(scoreCompiled(beyond, 'D')).rejects.toMatchObject({ code: 'invalid-expected-output' })
    await expect(scoreCompiled(compile({ scoringMethod: 'vibes' }), 'D')).rejects.toBeInstanceOf(InputError)
  })
})

describe('a custom scorer', () => {
  const length = defineScorer({
    name: 'length',
    summary: 'Limits the number of characters',
    options: z.object({ most: z.number().default(10) }),
    score: ({ response }, { most }) => ({ score: response.length <= most ? 1 : 0 }),
  })
  const own = (score: () => unknown) => defineScorer({ name: 'own', score: score as never })
  const { scoreResponse } = createScoring({
    scoreInWorker: scoreJob,
    random: () => 0.5,
    scorers: addScorers([length]),
  })
  const scoreBy = (scorer: ReturnType<typeof own>, fields = {}) =>
    createScoring({ scoreInWorker: scoreJob, random: () => 0.5, scorers: addScorers([scorer]) }).scoreResponse(
      { scoringMethod: 'own', ...fields },
      'x',
    )

  it('works like a built-in one, with its options and defaults', async () => {
    expect((await scoreResponse({ scoringMethod: 'length', most: 3 }, 'four')).score).toBe(0)
    expect((await scoreResponse({ scoringMethod: 'length' }, 'four')).score).toBe(1)
    expect(length).toMatchObject({ passAt: 1, modelCalls: { expected: 0, most: 0 }, expectedOutput: 'optional' })
  })
  it('stores whether an answer passed if it sets a mark of its own, which no reader of the run knows', async () => {
    const lenient = defineScorer({ name: 'own', passAt: 0.4, score: ({ response }) => ({ score: Number(response) }) })
    const scoring = createScoring({ scoreInWorker: scoreJob, random: () => 0.5, scorers: addScorers([lenient]) })
    const passedBy = async (answer: string, fields: Record<string, unknown> = { scoringMethod: 'own' }) =>
      (await scoring.scoreResponse(fields, answer)).passed
    expect([await passedBy('0.4'), await passedBy('0.3')]).toEqual([true, false])
    expect(await passedBy('0.3', { scoringMethod: 'own', passAt: 0.2 })).toBeUndefined()
    const checks = [
      { scoringMethod: 'own', weight: 1 },
      { scoringMethod: 'boolean', expectedOutput: '0.5', weight: 3 },
    ]
    expect([await passedBy('0.5', { checks }), await passedBy('0.6', { checks })]).toEqual([true, false])
    expect((await scoreResponse({ scoringMethod: 'length' }, 'four')).passed).toBeUndefined()
  })
  it('may be asynchronous, and stays on this thread even for long answers', async () => {
    expect((await scoreBy(own(async () => ({ score: 0.5 })))).score).toBe(0.5)
    expect((await scoreResponse({ scoringMethod: 'length' }, 'x'.repeat(300_000))).score).toBe(0)
  })
  it.each([
    [
      'throws',
      () => {
        throw new TypeError('no such thing')
      },
      /own: no such thing/,
    ],
    ['returns more than 1', () => ({ score: 7 }), /own returned the score 7; it must return \{ score \} from 0 to 1/],
    ['returns nothing', () => undefined, /own returned undefined/],
  ])('that %s leaves the cell unscored', async (_what, score, message) => {
    await expect(scoreBy(own(score))).rejects.toMatchObject({
      name: 'ScoringError',
      code: 'scoring-failed',
      message: expect.stringMatching(message),
    })
  })
  it('keeps the code of a ScoringError that it throws', async () => {
    const scored = scoreBy(
      own(() => {
        throw new ScoringError('invalid-expected-output', 'not this')
      }),
    )
    await expect(scored).rejects.toMatchObject({ code: 'invalid-expected-output' })
  })
  it('may not use a name twice, whether built-in or custom', () => {
    const named = (name: string) => defineScorer({ name, score: () => ({ score: 1 }) })
    expect(() => addScorers([named('exact-match')])).toThrow(/already a scoring method "exact-match".*another name/)
    expect(() => addScorers([named('code-arena')])).toThrow(InputError)
    expect(() => addScorers([named('a'), named('a')])).toThrow(/already a scoring method "a"/)
  })
  it.each([
    [{ score: () => ({ score: 1 }) }, /needs a name/],
    [{ name: 'a' }, /needs score\(input, options\)/],
    [{ name: 'a', score: () => ({ score: 1 }), options: {} }, /must be a zod 4 z\.object/],
    [{ name: 'a', score: () => ({ score: 1 }), passAt: 80 }, /passAt is 80/],
    [{ name: 'a', score: () => ({ score: 1 }), options: z.object({ prompt: z.string() }) }, /option prompt/],
  ])('%j is rejected with a reason', (definition, message) => {
    expect(() => defineScorer(definition as never)).toThrow(message)
  })
  it('cannot be pushed onto the built-in list', () => {
    expect(() => (scorers as unknown[]).push(length)).toThrow(TypeError)
    expect(scorers.some(({ name }) => name === 'length')).toBe(false)
  })
})

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
    const callModel = async ({ embed }: ModelRequest) =>
      embed
        ? { outcome: 'ok' as const, response: '', embeddings: embed.map(() => [1]), latencyMs: 1 }
        : { outcome: 'ok' as const, response: '{"score": 8, "reasoning": "fine"}', latencyMs: 1 }
    const result = await scoreCompiled(compiled, 'x', { judgeModelIds: ['j'], callModel })
    expect(result.checks![0]).toMatchObject({ score: 0.9, judges: [{ judgeModelId: 'j', score: 0.8 }] })
  })

  it.each([
    [
      { checks: [group([group([contains('a')])])] },
      ['testCases', 0, 'checks', 0, 'checks', 0, 'scoringMethod'],
      /checks that are not groups/,
    ],
    [{ checks: [{ scoringMethod: 'group' }] }, ['testCases', 0, 'checks', 0], /needs a list of checks/],
    [{ scoringMethod: 'group', expectedOutput: 'a' }, ['testCases', 0, 'scoringMethod'], /only for an entry of checks/],
    [
      { checks: [group([{ scoringMethod: 'regex-match', expectedOutput: '(' }])] },
      ['testCases', 0, 'checks', 0, 'checks', 0, 'expectedOutput'],
      /./,
    ],
    [
      { checks: [group([{ scoringMethod: 'vibes' }])] },
      ['testCases', 0, 'checks', 0, 'checks', 0, 'scoringMethod'],
      /no scoring method "vibes"/,
    ],
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
