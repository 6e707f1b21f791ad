import { describe, expect, it } from 'vitest'
import type { CellResult, RaterRating, RatingQueue, RunResult } from '../contract/index.ts'
import { correctByRatings } from './judging/correct-by-ratings.ts'
import { createRandom } from './numbers/random.ts'
import { roganGladen } from './judging/rogan-gladen.ts'
import { estimatePeopleRatings } from './people-ratings.ts'

const queue = (scale: RatingQueue['scale'] = 'points'): RatingQueue => ({
  id: 'q',
  runIds: ['run'],
  scale,
  seed: 's',
  drawnAt: 1,
  strata: [],
  items: [],
})

interface Cell {
  score?: number
  ratings?: Record<string, number | undefined>
  chosen?: number
  testCaseId?: string
}

function makeRun(
  cells: readonly Cell[],
  { scale, id = 'run' }: { scale?: RatingQueue['scale']; id?: string } = {},
): RunResult {
  const results = cells.map(({ score, ratings, chosen, testCaseId }, index): CellResult => ({
    testCaseId: testCaseId ?? `case ${index}`,
    modelId: 'model',
    outcome: 'ok',
    ...(score === undefined
      ? { unscored: { code: 'no-scoring', message: '' } }
      : { score: { score, passed: score >= 0.5 } }),
    ...(chosen !== undefined && { rating: { rating: chosen } }),
    ...(ratings && {
      ratings: Object.entries(ratings).map(([rater, rating]): RaterRating => ({
        rater,
        queueId: 'q',
        ...(rating !== undefined && { rating }),
      })),
    }),
  }))
  return { id, models: ['model'], results, ratingQueues: [queue(scale)] }
}

const random = createRandom('people')
/** A judge that is 20 points too kind, on answers of every quality. */
const kind = Array.from({ length: 120 }, (_, index): Cell => {
  const human = Math.round(random() * 80) / 100
  return { score: human + 0.2, ...(index < 40 && { ratings: { ann: human } }) }
})

describe('estimatePeopleRatings', () => {
  it('is undefined without ratings', () => {
    expect(estimatePeopleRatings([makeRun([{ score: 1 }])])).toBeUndefined()
  })

  it('corrects the judge as correctByRatings does', () => {
    const [model] = estimatePeopleRatings([makeRun(kind)])!.models
    const expected = correctByRatings({
      rated: kind.slice(0, 40).map(({ score, ratings }) => ({ human: ratings!['ann']!, judge: score! })),
      unrated: kind.slice(40).map(({ score }) => score!),
      interval: 'careful',
    })
    expect(model).toMatchObject({ modelId: 'model', ratedCases: 40, cases: 120, ratedAnswers: 40, skipped: 0 })
    expect(model!.estimate!.mean).toBeCloseTo(expected.mean, 12)
    expect(model!.estimate!.low).toBeCloseTo(expected.low, 12)
    expect(model!.estimate!.lambda).toBeCloseTo(expected.lambda, 12)
    expect(model!.estimate!.method).toBe('ppi++-careful')
    // The judge is sure, and wrong; the ratings alone are right, and less sure.
    expect(model!.judge!.low).toBeGreaterThan(model!.estimate!.high)
    const width = ({ low, high }: { low: number; high: number }) => high - low
    expect(width(model!.estimate!)).toBeLessThan(width(model!.people!) * 0.8)
  })

  it('gives no estimate from fewer than 10 rated cases, the ratings alone below 30', () => {
    const rate = (count: number) =>
      estimatePeopleRatings([
        makeRun(
          kind.map(({ score, ratings }, index) => ({ score: score!, ...(index < count && ratings && { ratings }) })),
        ),
      ])!.models[0]!
    expect(rate(9)).toMatchObject({ ratedCases: 9, needed: 10 })
    expect(rate(9)).not.toHaveProperty('estimate')
    expect(rate(29)).toMatchObject({ unusedJudge: 'few-ratings', estimate: { method: 'ratings-alone' } })
    expect(rate(30)).not.toHaveProperty('unusedJudge')
  })

  it('does not use a judge that is no better than chance', () => {
    const lying = kind.map(({ score, ...cell }) => ({ ...cell, score: 1.2 - score! }))
    expect(estimatePeopleRatings([makeRun(lying)])!.models[0]).toMatchObject({
      unusedJudge: 'chance',
      estimate: { method: 'ratings-alone' },
    })
  })

  it('counts only what a queue drew, and says what it left out', () => {
    const cells = kind.map(({ score, ratings }, index) => ({
      score: score!,
      ...(ratings && { ratings: index === 3 ? { ann: undefined } : ratings }),
      ...(index >= 100 && { chosen: 1 }),
    }))
    const people = estimatePeopleRatings([makeRun(cells)])!
    expect(people).toMatchObject({ isDrawn: true, raters: ['ann'] })
    expect(people.models[0]).toMatchObject({ ratedCases: 39, skipped: 1, notDrawn: 20 })
    const all = estimatePeopleRatings([makeRun(cells)], { countAll: true })!
    expect(all).toMatchObject({ isDrawn: false })
    expect(all.models[0]).toMatchObject({ ratedCases: 59, notDrawn: 0 })
    const chosenOnly = estimatePeopleRatings([makeRun([{ score: 1, chosen: 0 }])])!
    expect(chosenOnly.models[0]).toMatchObject({ ratedCases: 0, notDrawn: 1 })
  })

  it('corrects a pass rate as roganGladen does', () => {
    // Of 100 rated: 60 pass, of which the judge passes 54; 40 fail, of which the judge fails 30. It passes 130 of 200 others.
    const rated = [...range(54, [1, 1]), ...range(6, [1, 0]), ...range(30, [0, 0]), ...range(10, [0, 1])]
    const cells: Cell[] = [
      ...rated.map(([human, judge]) => ({ score: judge!, ratings: { ann: human } })),
      ...range(130, [1]).map(() => ({ score: 1 })),
      ...range(70, [0]).map(() => ({ score: 0 })),
    ]
    const { estimate, judge, people } = estimatePeopleRatings([makeRun(cells, { scale: 'pass-fail' })])!.models[0]!
    const { rate, low, high } = roganGladen({
      observedRate: 0.65,
      n: 200,
      sensitivity: 0.9,
      positives: 60,
      specificity: 0.75,
      negatives: 40,
    })
    expect(judge!.mean).toBeCloseTo(194 / 300, 12)
    expect(people!.mean).toBeCloseTo(0.6, 12)
    const isNarrower = high - low < people!.high - people!.low
    expect(estimate).toMatchObject(isNarrower ? { method: 'rogan-gladen' } : { method: 'ratings-alone' })
    expect(estimate!.mean).toBeCloseTo(isNarrower ? rate : 0.6, 12)
    expect(estimate!.low).toBeCloseTo(isNarrower ? low : people!.low, 12)
  })

  it('refuses to use a judge that passes and fails at random', () => {
    const cells = Array.from({ length: 200 }, (_, index): Cell => ({
      score: index % 2,
      ...(index < 80 && { ratings: { ann: index % 4 < 2 ? 1 : 0 } }),
    }))
    expect(estimatePeopleRatings([makeRun(cells, { scale: 'pass-fail' })])!.models[0]).toMatchObject({
      unusedJudge: 'chance',
    })
  })

  it('counts the repeats of a case once', () => {
    const runs = [0, 1, 2].map((run) =>
      makeRun(
        kind.map(({ score, ratings }, index) => ({ score: score!, ...(index % 3 === run && ratings && { ratings }) })),
        { id: `run ${run}` },
      ),
    )
    const [model] = estimatePeopleRatings(runs)!.models
    expect(model).toMatchObject({ ratedCases: 40, cases: 120, ratedAnswers: 40, answers: 360 })
    const [once] = estimatePeopleRatings([makeRun(kind)])!.models
    expect(model!.estimate!.mean).toBeCloseTo(once!.estimate!.mean, 12)
    expect(model!.estimate!.high).toBeCloseTo(once!.estimate!.high, 12)
  })

  it('estimates from the ratings alone if the answers have no scores', () => {
    const cells = kind.map(({ ratings }) => ({ ...(ratings && { ratings }) }))
    const [model] = estimatePeopleRatings([makeRun(cells)])!.models
    expect(model).toMatchObject({ unusedJudge: 'no-scores', estimate: { method: 'ratings-alone' } })
    expect(model).not.toHaveProperty('judge')
  })

  it('says how far people agree, and whether the judge is worth one of them', () => {
    const noise = createRandom('raters')
    const say = (human: number) => Math.min(1, Math.max(0, human + (noise() - 0.5) * 0.3))
    const cells = Array.from({ length: 60 }, (): Cell => {
      const human = noise()
      const ratings = { ann: say(human), bob: say(human), cleo: say(human) }
      return { score: human, ratings }
    })
    const people = estimatePeopleRatings([makeRun(cells)])!
    expect(people.agreement).toMatchObject({ raters: ['ann', 'bob', 'cleo'], answers: 60 })
    expect(people.agreement!.alpha).toBeGreaterThan(0.8)
    expect(people.judgeTest).toMatchObject({ isWorthAPerson: true, alignment: 'rmse' })
    const few = estimatePeopleRatings([makeRun(cells.slice(0, 29))])!
    expect(few).not.toHaveProperty('judgeTest')
    expect(few.judgeTestNeeds).toEqual({ people: 3, answers: 30, found: 0 })
  })
})

function range<Value>(count: number, value: Value): Value[] {
  return Array.from({ length: count }, () => value)
}
