import { describe, expect, it } from 'vitest'
import { caseInterval } from '../intervals/case-interval.ts'
import { createRandom } from '../numbers/random.ts'
import { scoreByHistory } from './score-by-history.ts'

const history = [
  0.1, 0.9, 0.5, 0.7, 0.3, 1, 0.8, 0.6, 0.2, 0.4, 0.9, 0.7, 0.5, 1, 0.3, 0.6, 0.8, 0.2, 0.9, 0.4,
] as const
const scores = [0.2, 1, 0.4, 0.8, 0.5, 1, 0.7, 0.6, 0.1, 0.6]
const askedOf = (values: readonly number[], of: readonly number[]) =>
  values.map((score, index) => ({ score, history: of[index]! }))

/** A suite whose first `n` cases were asked, with scores that follow the history. */
function drawSuite(n: number, size: number) {
  const random = createRandom(`history ${n} ${size}`)
  const all = Array.from({ length: size }, () => random())
  return { asked: all.slice(0, n).map((one) => ({ score: 0.7 * one + 0.3 * random(), history: one })), history: all }
}

describe('scoreByHistory', () => {
  it('gives the worked value of 10 of 20 cases', () => {
    const { estimate, ofSuite, overCases } = scoreByHistory({ asked: askedOf(scores, history), history })
    expect(estimate).toBeCloseTo(0.627091, 6)
    expect(ofSuite[0]).toBeCloseTo(0.563426, 6)
    expect(ofSuite[1]).toBeCloseTo(0.690756, 6)
    expect(overCases[0]).toBeCloseTo(0.463958, 6)
    expect(overCases[1]).toBeCloseTo(0.790224, 6)
  })

  it('says that fewer than 30, or fewer than 5 scores above or below one half, are refused, with the plain interval', () => {
    const few = scoreByHistory({ asked: askedOf(scores, history), history })
    const { low, high } = caseInterval(scores)
    expect(few).toMatchObject({ isRefused: true, plain: [low, high] })
    expect(few.plainMean).toBeCloseTo(0.59, 12)
    expect(scoreByHistory(drawSuite(29, 100)).isRefused).toBe(true)
    expect(scoreByHistory(drawSuite(30, 100)).isRefused).toBe(false)
    const oneSided = (fails: number) => {
      const suite = drawSuite(60, 100)
      const asked = suite.asked.map((one, index) => ({ ...one, score: index < fails ? 0 : 1 }))
      return scoreByHistory({ ...suite, asked }).isRefused
    }
    expect([4, 5, 55, 56].map(oneSided)).toEqual([true, false, false, true])
  })

  it('knows the suite exactly if every case was asked, but not the cases like these', () => {
    const { asked, history: all } = drawSuite(40, 40)
    const { estimate, ofSuite, overCases } = scoreByHistory({ asked, history: all })
    expect(estimate).toBeCloseTo(asked.reduce((sum, { score }) => sum + score, 0) / 40, 12)
    expect(ofSuite[0]).toBeCloseTo(estimate, 12)
    expect(ofSuite[1]).toBeCloseTo(estimate, 12)
    expect(overCases[1] - overCases[0]).toBeGreaterThan(0.1)
  })

  it('is narrower than the asked cases alone where the history predicts the score', () => {
    const { ofSuite, overCases, plain } = scoreByHistory(drawSuite(50, 500))
    expect(ofSuite[1] - ofSuite[0]).toBeLessThan(0.6 * (plain[1] - plain[0]))
    expect(overCases[1] - overCases[0]).toBeLessThan(plain[1] - plain[0])
  })

  it('clips the slope to 0 … 2: a history that points the wrong way is not used', () => {
    const { history: all } = drawSuite(40, 100)
    const backwards = all.slice(0, 40).map((one) => ({ score: 1 - one, history: one }))
    const { estimate, plainMean } = scoreByHistory({ asked: backwards, history: all })
    expect(estimate).toBe(plainMean)
    const flat = all.map((one) => 0.4 + one / 10)
    const steep = flat.slice(0, 40).map((one) => ({ score: (one - 0.4) * 10, history: one }))
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const steepest = scoreByHistory({ asked: steep, history: flat })
    expect(steepest.estimate).toBeCloseTo(steepest.plainMean + 2 * (mean(flat) - mean(flat.slice(0, 40))), 12)
  })

  it('learns nothing from cases that were all equally hard', () => {
    const all = Array.from({ length: 80 }, () => 0.1 + 0.2)
    const asked = all.slice(0, 40).map((one, index) => ({ score: index % 2, history: one }))
    const { estimate, ofSuite } = scoreByHistory({ asked, history: all })
    expect(estimate).toBe(0.5)
    expect(ofSuite[0]).toBeLessThan(0.5)
  })

  it('stays within 0 and 1', () => {
    const asked = Array.from({ length: 40 }, (_, index) => ({
      score: index < 6 ? 0.4 : 1,
      history: index < 6 ? 0 : 0.4,
    }))
    const { estimate, ofSuite, overCases } = scoreByHistory({
      asked,
      history: [...asked.map((one) => one.history), ...Array.from({ length: 400 }, () => 1)],
    })
    expect(estimate).toBe(1)
    expect([ofSuite[1], overCases[1]]).toEqual([1, 1])
  })

  it('gives one or two cases their plain interval', () => {
    const { low, high } = caseInterval([0.4, 0.6])
    expect(scoreByHistory({ asked: askedOf([0.4, 0.6], history), history })).toMatchObject({
      estimate: 0.5,
      ofSuite: [low, high],
      overCases: [low, high],
      isRefused: true,
    })
  })

  it('refuses no cases, a history that lacks cases, and scores outside 0 to 1', () => {
    expect(() => scoreByHistory({ asked: [], history })).toThrow(RangeError)
    expect(() => scoreByHistory({ asked: askedOf(scores, history), history: [0.5] })).toThrow('10 cases were asked')
    expect(() => scoreByHistory({ asked: [{ score: 1.2, history: 0.5 }], history })).toThrow('is 1.2')
    expect(() => scoreByHistory({ asked: [{ score: 1, history: -0.5 }], history })).toThrow('history of asked cases[0]')
  })
})
