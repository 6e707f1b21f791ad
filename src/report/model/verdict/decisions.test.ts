import { describe, expect, it } from 'vitest'
import {
  runRequestSchema,
  type CellResult,
  type RunRequestInput,
  type RunResult,
  type StopReason,
} from '../../../contract/index.ts'
import { drawOrder } from '../../../statistics/index.ts'
import { writeReport } from '../../formats.ts'
import { buildReport } from '../report.ts'

const models = ['first', 'second', 'third']
const testCases = Array.from({ length: 60 }, (_, index) => ({ id: `case-${index}`, prompt: '?', weight: 1 }))
const order = drawOrder(testCases, 'seed').map(({ id }) => id)

interface Made {
  /** Of the cases in their drawn order. */
  asked: Record<string, number>
  score: (modelId: string, position: number) => number | undefined
  request?: Partial<RunRequestInput>
  stopReason?: StopReason
  id?: string
}

function makeRun({ asked, score, request = {}, stopReason = 'decided', id = 'run' }: Made): RunResult {
  return {
    id,
    models,
    status: 'completed',
    stopReason,
    testSuiteSnapshot: { name: 'Suite', testCases },
    request: runRequestSchema.parse({ suiteId: 'x', models, until: 'decided', orderSeed: 'seed', ...request }),
    results: order.flatMap((testCaseId, position) =>
      models.flatMap((modelId): CellResult[] => {
        if (position >= (asked[modelId] ?? 0)) return []
        const value = score(modelId, position)
        const common = { testCaseId, modelId, response: '', cost: 0.01 }
        return value === undefined
          ? [{ ...common, outcome: 'error', error: 'failed' }]
          : [{ ...common, outcome: 'ok', score: { score: value } }]
      }),
    ),
  }
}

/** The first is always right, the others never: 11 wins are evidence of 73, beyond the line of 60. */
const clear = makeRun({
  asked: { first: 13, second: 13, third: 11 },
  score: (modelId) => (modelId === 'first' ? 1 : 0),
  request: { decide: 'best' },
})

describe('the report of a run that decides', () => {
  it('does not call it saved that the budget ended before anything was decided', () => {
    const stopped = makeRun({ asked: { first: 2, second: 2, third: 2 }, score: () => 1, stopReason: 'budget' })
    const { decisions } = buildReport([{ ...stopped, status: 'cancelled' }], { cost: { total: 0.06, unknown: 0 } })
    expect(decisions?.saved).toEqual({ calls: 0, of: 180 })
    expect(decisions?.sentences).toEqual([
      'Not decided after 2 of 60 cases: 3 of 3 pairs of models are too close to call.',
    ])
  })

  it('replays from the stored results who won at which case, and what that saved', () => {
    const { decisions, rows, verdictCard, missing } = buildReport([clear], { cost: { total: 0.74, unknown: 0 } })
    expect(decisions).toMatchObject({
      question: 'best',
      isSettled: true,
      best: 'first',
      cases: 11,
      caseCount: 60,
      saved: { calls: 180 - 37, of: 180 },
    })
    // 37 answers cost $0.37 and as much again for judges.
    expect(decisions?.saved.cost).toBeCloseTo(143 * 0.02, 9)
    expect(decisions?.pairs.map(({ winner, at }) => [winner, at])).toEqual([
      ['first', 11],
      ['first', 11],
      [undefined, undefined],
    ])
    expect(rows.map(({ modelId, rank }) => [modelId, rank?.best, rank?.worst])).toEqual([
      ['first', 1, 1],
      ['second', 2, 3],
      ['third', 2, 3],
    ])
    expect(verdictCard).toMatchObject({ kind: 'winner', decided: decisions?.sentences, next: { kind: 'none' } })
    expect(verdictCard.caveats).toEqual([])
    expect(missing.map(({ notRun }) => notRun)).toEqual([47, 47, 49])
  })

  it('has comparisons that rest on the sequential test', () => {
    const { comparisons } = buildReport([clear])
    const [pair] = comparisons.map(({ comparison }) => comparison)
    expect(pair).toMatchObject({ modelA: 'first', paired: { verdictTest: 'sequential', n: 11, isSignificant: true } })
    expect(pair!.paired!.adjustedP).toBeLessThan(0.05)
    expect(pair!.paired!.confidence95[0]).toBeGreaterThanOrEqual(0)
  })

  it('has all figures of a comparison over the cases that count, without those that were in flight', () => {
    const scores: Record<string, number> = { first: 1, second: 0.4, third: 0.3 }
    const score = (modelId: string, position: number) =>
      modelId === 'first' ? 1 : scores[modelId]! + (position % 3) / 10 + (position > 10 ? 0.3 : 0)
    const request = { decide: 'best' } as const
    const withInFlight = makeRun({ asked: { first: 30, second: 30, third: 17 }, score, request })
    const counted = buildReport([withInFlight]).decisions!.cases
    const pairOf = (run: RunResult) =>
      buildReport([run], { smallestDifference: 0.1 }).comparisons.map(({ comparison: { modelA, modelB, paired } }) => ({
        modelA,
        modelB,
        paired,
      }))
    expect(counted).toBeLessThan(30)
    const dropped = Object.fromEntries(
      models.map((modelId) => [
        modelId,
        buildReport([withInFlight]).decisions!.dropped.find((one) => one.modelId === modelId)?.at ?? counted,
      ]),
    )
    expect(pairOf(withInFlight)).toEqual(pairOf(makeRun({ asked: dropped, score, request })))
    for (const { paired } of pairOf(withInFlight)) expect(paired!.df).toBe(paired!.n - 1)
  })

  it('has 0 outside the interval of every pair that is significant, also of one that was decided on a lower line', () => {
    // 11 wins are evidence of 73, beyond the line of 60 for 3 pairs; 9 wins are 23, beyond the next of 20.
    const run = makeRun({
      asked: { first: 11, second: 11, third: 11 },
      score: (modelId, position) => (modelId === 'first' || (modelId === 'second' && position < 2) ? 1 : 0),
    })
    const { comparisons, decisions } = buildReport([run])
    expect(decisions?.pairs.map(({ winner }) => winner)).toEqual(['first', 'first', undefined])
    for (const { comparison } of comparisons) {
      const [low, high] = comparison.paired!.confidence95
      expect(low > 0 || high < 0).toBe(comparison.paired!.isSignificant)
    }
  })

  it.each(['json', 'markdown', 'html', 'junit'])(
    'as %s says so, and no cell that was left out is an error',
    (format) => {
      const written = writeReport(buildReport([clear]), { format })
      if (format === 'junit') expect(written).toContain('errors="0" skipped="143"')
      else {
        expect(written).toContain('Stopped when decided after 11 of 60 cases: first is the best.')
        expect(written).toMatch(/Saved 143 of 180 requests, about \\?\$1\.43/)
        expect(written).not.toContain('Without a score')
      }
    },
  )

  it('does not count what lies beyond an incomplete case', () => {
    const gap = makeRun({
      asked: { first: 30, second: 30, third: 3 },
      score: (modelId) => (modelId === 'first' ? 1 : 0),
    })
    const { decisions } = buildReport([{ ...gap, status: 'cancelled', stopReason: 'budget' }])
    expect(decisions).toMatchObject({ cases: 3, isSettled: false })
    expect(decisions?.sentences[0]).toBe(
      'Not decided after 3 of 60 cases: 3 of 3 pairs of models are too close to call.',
    )
  })

  it('says how many cases do not count because a model failed', () => {
    const failing = makeRun({
      asked: { first: 20, second: 20, third: 20 },
      score: (modelId, position) => (position < 4 && modelId === 'second' ? undefined : modelId === 'first' ? 1 : 0),
      request: { decide: 'best' },
    })
    const { decisions, missing } = buildReport([failing])
    expect(decisions?.casesWithoutScore).toBe(4)
    expect(decisions?.sentences.at(-1)).toMatch(/^Up to 4 cases count for no decision/)
    expect(missing.find(({ modelId }) => modelId === 'second')).toMatchObject({ errors: 4 })
  })

  it('averages the runs of a series, and decides nothing from one of them alone', () => {
    const runs = ['run-1', 'run-2'].map((id) => ({
      ...clear,
      id,
      seriesId: 's',
      request: { ...clear.request!, repeat: 2 },
    }))
    expect(buildReport(runs).decisions).toMatchObject({ isSettled: true, cases: 11, saved: { of: 360 } })
    expect(buildReport([runs[0]!]).decisions).toBeUndefined()
  })
})
