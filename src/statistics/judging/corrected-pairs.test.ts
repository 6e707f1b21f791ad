import { describe, expect, it } from 'vitest'
import { correctDifference, correctDifferenceByGroup } from './correct-difference.ts'
import { correctPairs, type PairableAnswer } from './corrected-pairs.ts'

/** Of a judge that gives a 10 points too much; the first `rated` of 100 cases have ratings of both answers. */
function makeAnswers(rated: number, change: (answer: PairableAnswer, index: number) => PairableAnswer = (own) => own) {
  return Array.from({ length: 100 }, (_, index) =>
    ['a', 'b'].map((modelId): PairableAnswer => {
      const human = (((index * 37) % 60) + (modelId === 'a' ? ((index * 7) % 5) * 2 : 3)) / 100
      const score = human + (modelId === 'a' ? 0.1 : 0) + ((index * 13) % 7) / 100
      const answer = {
        testCaseId: `case ${index}`,
        modelId,
        weight: 1,
        score,
        passed: score >= 0.5,
        ratings: index < rated ? [human] : [],
      }
      return change(answer, index)
    }),
  ).flat()
}

const humanOf = (answers: PairableAnswer[], modelId: string) =>
  answers.filter((own) => own.modelId === modelId).flatMap(({ ratings }) => ratings)

describe('correctPairs', () => {
  it('is correctDifference over the cases that both answered', () => {
    const answers = makeAnswers(40)
    const [pair, ...others] = correctPairs(answers, 'points')
    expect(others).toEqual([])
    const [a, b] = ['a', 'b'].map((modelId) => answers.filter((own) => own.modelId === modelId))
    const expected = correctDifference({
      rated: humanOf(a!, 'a').map((human, i) => ({
        human: human - humanOf(b!, 'b')[i]!,
        judge: a![i]!.score! - b![i]!.score!,
      })),
      unrated: a!.slice(40).map(({ score }, i) => score! - b![40 + i]!.score!),
    })
    expect(pair).toMatchObject({ modelA: 'a', modelB: 'b', ratedCases: 40, cases: 100 })
    expect(pair!.estimate).toEqual({ ...expected, level: 0.95 })
    expect(pair!.estimate!.leaning).toBeCloseTo(0.1, 6)
    expect(pair!.judge! - pair!.estimate!.mean).toBeGreaterThan(0.08)
  })

  it('counts a case only if an answer of each is rated; the judge’s difference is of the rated answers', () => {
    const single = makeAnswers(40, (own, index) => (own.modelId === 'b' && index >= 20 ? { ...own, ratings: [] } : own))
    expect(correctPairs(single, 'points')[0]).toMatchObject({ ratedCases: 20, cases: 100 })
    const repeated = [
      ...makeAnswers(40),
      // Another run, in which the judge was out of its mind and nobody rated.
      ...makeAnswers(0, (own, index) => (index < 40 && own.modelId === 'a' ? { ...own, score: 0 } : own)),
    ]
    const [pair] = correctPairs(repeated, 'points')
    expect(pair!.estimate!.leaning).toBeCloseTo(0.1, 6)
    expect(pair).toMatchObject({ ratedCases: 40, cases: 100 })
  })

  it('needs 10 rated cases, and leaves out pairs without any', () => {
    expect(correctPairs(makeAnswers(0), 'points')).toEqual([])
    const [few] = correctPairs(makeAnswers(9), 'points')
    expect(few).toMatchObject({ ratedCases: 9, needed: 10 })
    expect(few).not.toHaveProperty('estimate')
    expect(correctPairs(makeAnswers(10), 'points')[0]!.estimate).toMatchObject({ method: 'rated-only', lambda: 0 })
  })

  it('has wider intervals for several pairs: they hold together', () => {
    const answers = makeAnswers(40)
    const third = answers.filter(({ modelId }) => modelId === 'b').map((own) => ({ ...own, modelId: 'c' }))
    const pairs = correctPairs([...answers, ...third], 'points')
    expect(pairs.map(({ modelA, modelB }) => modelA + modelB)).toEqual(['ab', 'ac', 'bc'])
    for (const { estimate } of pairs) expect(estimate!.level).toBeCloseTo(1 - 0.05 / 3, 12)
    const [alone] = correctPairs(answers, 'points')
    expect(pairs[0]!.estimate!.high).toBeGreaterThan(alone!.estimate!.high)
  })

  it('corrects by category where two have 8 rated cases', () => {
    const categoryOf = (index: number) => (index % 5 === 0 ? 'facts' : index % 2 === 0 ? 'code' : undefined)
    const [pair] = correctPairs(
      makeAnswers(40, (own, index) => ({ ...own, category: categoryOf(index) })),
      'points',
    )
    expect(pair!.groups!.map(({ category, ratedCases, cases }) => [category, ratedCases, cases])).toEqual([
      ['facts', 8, 20],
      ['code', 16, 40],
    ])
    const few = makeAnswers(38, (own, index) => ({ ...own, category: index < 31 ? 'many' : 'few' }))
    expect(correctPairs(few, 'points')[0]).not.toHaveProperty('groups')
    expect(Object.keys(correctDifferenceByGroup({}))).toEqual([])
  })

  it('uses the ratings alone where no answer has a score, and only scored answers where some have', () => {
    const unscored = makeAnswers(40, ({ score: _score, passed: _passed, ...own }) => own)
    const [pair] = correctPairs(unscored, 'points')
    expect(pair!.estimate).toMatchObject({ method: 'rated-only', lambda: 0 })
    expect(pair!.estimate).not.toHaveProperty('leaning')
    expect(pair).not.toHaveProperty('judge')
    const some = makeAnswers(40, ({ score, ...own }, index) => (index % 4 === 0 ? own : { ...own, score: score! }))
    expect(correctPairs(some, 'points')[0]).toMatchObject({ ratedCases: 30, cases: 75 })
  })

  it('counts clusters: copies of a case add nothing', () => {
    const [once] = correctPairs(makeAnswers(40), 'points')
    const copied = makeAnswers(40).flatMap((own) => [
      { ...own, cluster: own.testCaseId },
      { ...own, testCaseId: `${own.testCaseId} again`, cluster: own.testCaseId },
    ])
    const [twice] = correctPairs(copied, 'points')
    expect(twice!.estimate!.low).toBeCloseTo(once!.estimate!.low, 12)
    expect(twice!.estimate!.lambda).toBeCloseTo(once!.estimate!.lambda, 12)
  })

  it('pass or fail: the difference of pass rates', () => {
    const verdicts = makeAnswers(40, (own) => ({ ...own, ratings: own.ratings.map((rating) => Number(rating >= 0.4)) }))
    const [pair] = correctPairs(verdicts, 'pass-fail')
    expect(pair!.scale).toBe('pass-fail')
    expect(Math.abs(pair!.estimate!.mean)).toBeLessThan(1)
    expect(pair!.estimate!.leaningInterval![0]).toBeLessThan(pair!.estimate!.leaning!)
  })
})
