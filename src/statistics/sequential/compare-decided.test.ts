import { describe, expect, it } from 'vitest'
import { runRequestSchema, toScoreTable, type RunResult, type Suite } from '../../contract/index.ts'
import { compareAllModels, compareColumns } from '../compare-models.ts'
import { createRandom } from '../numbers/random.ts'
import { drawOrder } from './drawn-order.ts'
import { createModelDecisions } from './model-decisions.ts'

const CASES = 60
/** Set BENCHMAKER_SERIES for a long simulation. */
const SERIES = Number(process.env['BENCHMAKER_SERIES'] ?? 60)
const suite: Suite = {
  name: 'S',
  testCases: Array.from({ length: CASES }, (_, index) => ({
    id: `c${index}`,
    prompt: 'p',
    scoringMethod: 'exact-match',
    weight: 1,
  })),
}

const makeRun = (id: string, models: string[], results: RunResult['results'], orderSeed?: string): RunResult => ({
  id,
  models,
  results,
  testSuiteSnapshot: suite,
  request: runRequestSchema.parse({
    suiteId: 'S',
    models,
    ...(orderSeed !== undefined && { until: 'decided', orderSeed }),
  }),
})

/** Every model passes each case with the same chance; the run stops as soon as its two models are decided. */
function runUntilDecided(seed: string, passRate: number): RunResult {
  const random = createRandom(seed)
  const decisions = createModelDecisions(['a', 'b'], { question: 'all', from: 1, isOnce: false }, 0.5)
  const results: RunResult['results'] = []
  for (const { id: testCaseId } of drawOrder(suite.testCases, seed)) {
    if (decisions.isSettled) break
    const scores = ['a', 'b'].map((modelId): [string, number] => [modelId, random() < passRate ? 1 : 0])
    decisions.addCases([{ scores: new Map(scores) }])
    for (const [modelId, score] of scores) results.push({ testCaseId, modelId, outcome: 'ok', score: { score } })
  }
  return makeRun(`decided ${seed}`, ['a', 'b'], results, seed)
}

function runWhole(seed: string, passRate: number): RunResult {
  const random = createRandom(`whole ${seed}`)
  const results = suite.testCases.map(({ id: testCaseId }) => ({
    testCaseId,
    modelId: 'c',
    outcome: 'ok' as const,
    score: { score: random() < passRate ? 1 : 0 },
  }))
  return makeRun(`whole ${seed}`, ['c'], results)
}

describe('comparing a run that stopped because of what it saw', () => {
  it('calls equal models different in at most 5 % of the series, never more often than a test that looks once', () => {
    let [wrong, naive] = [0, 0]
    for (let index = 0; index < SERIES; index++) {
      // It stops at evidence 2, long before anything is certain: one of its models is lucky nearly every time.
      const decided = runUntilDecided(`series ${index}`, 0.5)
      const whole = runWhole(`series ${index}`, 0.5)
      const lookOnce = { ...decided, request: runRequestSchema.parse({ suiteId: 'S', models: ['a'] }) }
      const isWrong = (run: RunResult) =>
        compareColumns(
          ['a', 'b'].map((modelId) => [
            { scores: toScoreTable(run), modelId },
            { scores: toScoreTable(whole), modelId: 'c' },
          ]),
        ).some((comparison) => comparison?.paired?.isSignificant)
      if (isWrong(decided)) wrong++
      if (isWrong(lookOnce)) naive++
    }
    expect(wrong / SERIES).toBeLessThanOrEqual(0.05)
    if (SERIES > 100) process.stdout.write(`false alarms: sequential ${wrong}, looking once ${naive}, of ${SERIES}\n`)
    expect(naive).toBeGreaterThanOrEqual(wrong)
  })

  it('finds a real difference, says which test found it, and agrees with itself in both directions', () => {
    const decided = runUntilDecided('real', 0.9)
    const whole = runWhole('real', 0.2)
    const pair = (isReversed: boolean) => {
      const sides = [
        { scores: toScoreTable(decided), modelId: 'a' },
        { scores: toScoreTable(whole), modelId: 'c' },
      ] as const
      return compareColumns([isReversed ? [sides[1], sides[0]] : sides])[0]!.paired!
    }
    const [there, back] = [pair(false), pair(true)]
    expect(there).toMatchObject({ verdictTest: 'sequential-holm', isSignificant: true })
    expect(there.confidence95[0]).toBeGreaterThan(0)
    expect(back.adjustedP).toBeCloseTo(there.adjustedP, 12)
    expect(back.confidence95[1]).toBeCloseTo(-there.confidence95[0], 4)
  })

  it('also when the runs are shown together; runs that look once keep their test', () => {
    const decided = runUntilDecided('together', 0.9)
    const whole = runWhole('together', 0.2)
    for (const { paired } of compareAllModels([decided, whole])) expect(paired!.verdictTest).toBe('sequential-holm')
    expect(compareAllModels([{ ...decided, request: whole.request! }, whole])[0]!.paired!.verdictTest).toBe(
      'mcnemar-mid-p',
    )
  })
})
