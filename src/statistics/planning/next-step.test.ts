import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { caseInterval } from '../intervals/case-interval.ts'
import { createRandom } from '../numbers/random.ts'
import { weightedMoments } from '../numbers/weighted-moments.ts'
import { planNextStep } from './next-step.ts'

type Grades = Record<string, number[][]>

/** Runs of models with `[run][case]` scores, each a number or one a judge. */
function runsOf(grades: Record<string, (number | number[])[][]>): RunResult[] {
  const models = Object.keys(grades)
  return grades[models[0]!]!.map((_, run) => ({
    id: `r${run}`,
    models,
    results: models.flatMap((modelId) =>
      grades[modelId]![run]!.map((grade, index) => {
        const judges = [grade].flat().map((score, judge) => ({ judgeModelId: `j${judge}`, score, reasoning: '' }))
        const score = judges.reduce((sum, judge) => sum + judge.score, 0) / judges.length
        return { testCaseId: `c${index}`, modelId, score: { score, ...(judges.length > 1 && { judges }) } }
      }),
    ),
  }))
}

describe('what to do next', () => {
  it('twice the cases narrow the interval by 29 %: 1 − √½', () => {
    const plan = planNextStep(runsOf({ a: [[0.2, 0.5, 0.9, 0.4]] }), { modelA: 'a' })
    expect(plan?.gain).toEqual({ twiceTheCases: 1 - Math.SQRT1_2, twiceTheRuns: null, oneMoreJudge: null })
    expect(plan).toMatchObject({ cases: 4, runs: 1, judges: 1 })
  })

  it('repeats gain as much as cases where only runs vary, and nothing where only cases do', () => {
    const onlyRuns = runsOf({
      a: [
        [1, 0, 1, 0],
        [0, 1, 0, 1],
      ],
    })
    expect(planNextStep(onlyRuns, { modelA: 'a' })?.gain.twiceTheRuns).toBeCloseTo(1 - Math.SQRT1_2, 12)
    const onlyCases = runsOf({
      a: [
        [1, 0, 0.5, 0],
        [1, 0, 0.5, 0],
      ],
    })
    expect(planNextStep(onlyCases, { modelA: 'a' })?.gain.twiceTheRuns).toBe(0)
  })

  it('weights cases: repeats gain most where the heavy ones vary from run to run', () => {
    const runs = runsOf({
      a: [
        [1, 0, 1, 0, 1, 0, 1, 0],
        [0, 1, 1, 0, 1, 0, 1, 0],
      ],
    })
    const weigh = (weight: number): RunResult[] =>
      runs.map((run) => ({
        ...run,
        testSuiteSnapshot: {
          name: 'Weighted',
          testCases: Array.from({ length: 8 }, (_, index) => ({
            id: `c${index}`,
            prompt: '?',
            weight: index < 2 ? weight : 1,
          })),
        },
      }))
    const gainOf = (weight: number) => planNextStep(weigh(weight), { modelA: 'a' })!.gain.twiceTheRuns!
    expect(gainOf(1)).toBe(planNextStep(runs, { modelA: 'a' })!.gain.twiceTheRuns)
    expect(gainOf(100)).toBeGreaterThan(gainOf(1) + 0.01)
  })

  it('a third judge gains nothing where judges agree, and up to 1 − √⅔ where only they vary', () => {
    const agree = runsOf({
      a: [
        [
          [1, 1],
          [0, 0],
          [0.5, 0.5],
        ],
      ],
    })
    expect(planNextStep(agree, { modelA: 'a' })?.gain.oneMoreJudge).toBeCloseTo(0, 12)
    const random = runsOf({
      a: [
        [
          [1, 0],
          [0, 1],
          [1, 0],
          [0, 1],
        ],
      ],
    })
    const plan = planNextStep(random, { modelA: 'a' })
    expect(plan?.gain.oneMoreJudge).toBeCloseTo(1 - Math.sqrt(2 / 3), 12)
    expect(plan?.judges).toBe(2)
  })

  it('an answer that a judge missed does not hide what repeats would do', () => {
    const runs = runsOf({
      a: [
        [[1, 1], [0, 0], [1, 1], [0]],
        [[0, 0], [1, 1], [0, 0], [1]],
      ],
    })
    const complete = planNextStep(runs, { modelA: 'a' })
    runs[1]!.results[2]!.score!.judges!.pop()
    const plan = planNextStep(runs, { modelA: 'a' })
    expect(complete?.gain.twiceTheRuns).toBeCloseTo(1 - Math.SQRT1_2, 12)
    expect(plan?.gain.twiceTheRuns).toBeCloseTo(1 - Math.SQRT1_2, 12)
  })

  it('a judge that is kinder to everything does not widen the comparison of two models', () => {
    const cases: Grades = {
      a: [
        [0.9, 0.7],
        [0.6, 0.4],
        [1, 0.8],
      ],
      b: [
        [0.5, 0.3],
        [0.4, 0.2],
        [0.3, 0.1],
      ],
    }
    const plan = planNextStep(runsOf({ a: [cases['a']!], b: [cases['b']!] }), { modelA: 'a', modelB: 'b' })
    expect(plan?.spread.judges).toBeCloseTo(0, 12)
    expect(plan?.spread.judgesByCase).toBeCloseTo(0, 12)
    const alone = planNextStep(runsOf({ a: [cases['a']!] }), { modelA: 'a' })
    expect(alone?.spread.judges).toBeCloseTo(Math.sqrt(0.02), 12)
  })

  it.each([
    { cases: 30, runs: 3, judges: 1, byCase: 0.08, byRun: 0.1, byJudge: 0, judged: 1 },
    { cases: 12, runs: 2, judges: 1, byCase: 0.1, byRun: 0.05, byJudge: 0, judged: 1 },
    { cases: 30, runs: 1, judges: 3, byCase: 0.05, byRun: 0, byJudge: 0.08, judged: 1 },
    { cases: 30, runs: 2, judges: 2, byCase: 0.06, byRun: 0.05, byJudge: 0.06, judged: 1 },
    { cases: 40, runs: 1, judges: 2, byCase: 0.05, byRun: 0, byJudge: 0.15, judged: 0.2 },
    { cases: 40, runs: 2, judges: 2, byCase: 0.05, byRun: 0.05, byJudge: 0.1, judged: 0.5 },
  ])(
    'predicts what really narrows the interval, simulated: $cases cases, $runs runs, $judges judges, $judged judged',
    (size) => {
      const random = createRandom('purchase')
      const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
      const times = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make)
      /** `[case][run][judge]` with a quarter of the given standard deviations: grades are 0 to 1. */
      const draw = ({ cases, runs, judges, byCase, byRun, byJudge, judged }: typeof size) =>
        Array.from({ length: cases }, (_, index) => {
          const isJudged = index < judged * cases
          const [level, tastes] = [byCase * normal(), isJudged ? times(judges, () => byJudge * normal()) : [0]]
          return times(runs, () => {
            const answer = level + byRun * normal()
            return tastes.map((taste) => 0.5 + (answer + taste) / 4)
          })
        })
      const widthOf = (grades: number[][][]) => {
        const means = grades.map((answers) => weightedMoments(answers.flat()).mean)
        const { low, high } = caseInterval(means)
        return high - low
      }
      const draws = 150
      const meanOf = (make: () => number) => times(draws, make).reduce((sum, value) => sum + value, 0) / draws
      const predicted = times(draws, () => {
        const grades = draw(size)
        const byRun = grades[0]!.map((_, run) => grades.map((answers) => answers[run]!))
        return planNextStep(runsOf({ a: byRun }), { modelA: 'a' })!.gain
      })
      const now = meanOf(() => widthOf(draw(size)))
      const real = (more: Partial<typeof size>) => 1 - meanOf(() => widthOf(draw({ ...size, ...more }))) / now
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
      // Few cases gain a little more than 29 %: Student's t falls as well. The rest is the noise of 150 draws.
      const cases = real({ cases: 2 * size.cases }) - mean(predicted.map(({ twiceTheCases }) => twiceTheCases))
      expect(cases).toBeGreaterThan(-0.03)
      expect(cases).toBeLessThan(0.06)
      const runs = predicted.flatMap(({ twiceTheRuns }) => twiceTheRuns ?? [])
      if (runs.length > 0) expect(Math.abs(real({ runs: 2 * size.runs }) - mean(runs))).toBeLessThan(0.035)
      const judges = predicted.flatMap(({ oneMoreJudge }) => oneMoreJudge ?? [])
      if (judges.length > 0) expect(Math.abs(real({ judges: size.judges + 1 }) - mean(judges))).toBeLessThan(0.035)
    },
  )

  it('recommends cases, unless runs or judges narrow it about as much as an equal increase in cases', () => {
    const bestOf = (byRun: number[][]) => planNextStep(runsOf({ a: byRun }), { modelA: 'a' })?.best
    expect(bestOf([[0.2, 0.5, 0.9, 0.4]])).toBe('cases')
    expect(
      bestOf([
        [0.2, 0.5, 0.9, 0.4],
        [0.3, 0.5, 0.8, 0.4],
      ]),
    ).toBe('cases')
    expect(
      bestOf([
        [0, 1, 0, 1],
        [1, 0, 1, 0],
      ]),
    ).toBe('runs')
  })

  it('says nothing about a single case or scores that are all the same', () => {
    expect(planNextStep(runsOf({ a: [[0.5]] }), { modelA: 'a' })).toBeUndefined()
    expect(planNextStep(runsOf({ a: [[0.5, 0.5, 0.5]] }), { modelA: 'a' })).toBeUndefined()
  })
})
