import { describe, expect, it } from 'vitest'
import type { PageBench, PageTest, ScoredConversation, TestedPage } from '../contract/index.ts'
import { pageTests as pageTestsScorer } from './page-tests.ts'
import { createScoring } from './scoring.ts'
import { compileAlone } from './testing/compile-alone.ts'

/** Says of each page what it is told to, and remembers what it was given. */
function createBench(say: (response: string, tests: readonly PageTest[]) => TestedPage, problem?: string) {
  const seen: { response: string; earlier?: readonly string[] | undefined }[] = []
  const pages: PageBench = {
    testPage: async (response, { tests, earlier }) => {
      seen.push({ response, earlier })
      return say(response, tests)
    },
    seePage: async () => ({ notSeen: 'not used here' }),
    findProblem: async () => problem,
  }
  return { seen, scoring: createScoring({ random: () => 0, pages }) }
}

const steps = [{ expect: { title: 'Owls' } }]
const pageTests = [
  { name: 'Counts', weight: 3, steps },
  { name: 'Looks well', weight: 1, steps },
]

describe('page-tests', () => {
  const testCase = { id: 'a', prompt: 'A page', scoringMethod: 'page-tests', pageTests }

  it('is the weighted share of the tests that pass, with a reason for each that fails', async () => {
    const { scoring } = createBench(() => ({
      outcomes: [
        { passed: true, notes: '' },
        { passed: false, notes: 'step 2: expected a, saw b' },
      ],
    }))
    expect(await scoring.scoreResponse(testCase, '<p>')).toEqual({
      score: 0.75,
      notes: '1 of 2 tests passed\nLooks well: step 2: expected a, saw b',
      checks: [
        { name: 'Counts', scoringMethod: 'page-test', weight: 3, score: 1 },
        { name: 'Looks well', scoringMethod: 'page-test', weight: 1, score: 0, notes: 'step 2: expected a, saw b' },
      ],
    })
  })

  it('is no score where the page could not be tried', async () => {
    const { scoring } = createBench(() => ({ notSeen: 'There is no browser.' }))
    await expect(scoring.scoreResponse(testCase, '<p>')).rejects.toMatchObject({
      code: 'page-not-seen',
      message: 'The page could not be tested here. There is no browser.',
    })
    const alone = createScoring({ random: () => 0 })
    await expect(alone.scoreResponse(testCase, '<p>')).rejects.toMatchObject({ code: 'page-not-seen' })
  })

  it('says before a run that no page can be opened', async () => {
    const { scoring } = createBench(() => ({ outcomes: [] }), 'There is no browser.')
    expect(await scoring.findObstacleTo(compileAlone(pageTestsScorer, undefined, { pageTests }))).toBe(
      'There is no browser.',
    )
  })
})

describe('page-steps', () => {
  const conversation = (said: string[], tested: boolean[]): ScoredConversation => ({
    before: {},
    world: {},
    calls: [],
    said: said.map((text, turn) => ({ text, turn })),
    transcript: '',
    turns: tested.map((has) => (has ? { pageTests } : {})),
    changing: [],
  })
  const testCase = {
    id: 'a',
    scoringMethod: 'page-steps',
    turns: [{ user: 'A page', pageTests }],
  }
  const passes = (response: string) => ({
    outcomes: pageTests.map(() => ({ passed: response !== 'broken', notes: response === 'broken' ? 'gone' : '' })),
  })

  it('counts the steps whose tests all pass, each on the code so far', async () => {
    const { scoring, seen } = createBench(passes)
    const score = await scoring.scoreResponse(testCase, {
      response: 'last',
      conversation: conversation(['one', 'two', 'broken', 'last'], [true, false, true, true]),
    })
    expect(seen).toEqual([
      { response: 'one', earlier: [] },
      { response: 'broken', earlier: ['one', 'two'] },
      { response: 'last', earlier: ['one', 'two', 'broken'] },
    ])
    expect(score.score).toBeCloseTo(2 / 3, 12)
    expect(score.notes).toBe(
      '2 of 3 steps passed\nStep 3: 0 of 2 tests passed\nCounts: gone\nLooks well: gone\nIn a row from the first: 1\nWithout tests, and not in the score: 1 step',
    )
  })

  it('fails a step without an answer, and scores nothing where no step has tests', async () => {
    const { scoring } = createBench(passes)
    const score = await scoring.scoreResponse(testCase, {
      response: '',
      conversation: conversation(['one'], [true, true]),
    })
    expect(score).toMatchObject({ score: 0.5, checks: [{ score: 1 }, { score: 0, notes: 'no answer' }] })
    await expect(
      scoring.scoreResponse(testCase, { response: 'one', conversation: conversation(['one'], [false]) }),
    ).rejects.toMatchObject({ code: 'invalid-options' })
  })

  it('is what scores a case whose turns have tests and that names no method', async () => {
    const { scoring } = createBench(passes)
    const score = await scoring.scoreResponse(
      { id: 'a', turns: [{ user: 'A page', pageTests }] },
      { response: 'one', conversation: conversation(['one'], [true]) },
    )
    expect(score).toMatchObject({ score: 1, checks: [{ scoringMethod: 'page-steps' }] })
  })
})
