import { describe, expect, it } from 'vitest'
import { toScoreTable, type RunResult } from '../contract/index.ts'
import { normalQuantile } from './numbers/distributions.ts'
import { createRandom } from './numbers/random.ts'
import { estimateUserShare } from './user-share.ts'

interface Repeat {
  testCaseId: string
  words?: number
  score: number
}

/** One list for each repeat of the suite. */
const estimate = (repeats: Repeat[][]) =>
  estimateUserShare(
    toScoreTable(
      repeats.map((cells, index): RunResult => ({
        id: `r${index}`,
        models: ['m'],
        results: cells.map(({ testCaseId, words, score }) => ({
          testCaseId,
          modelId: 'm',
          response: '',
          score: { score, ...(words !== undefined && { userWords: words }) },
        })),
      })),
    ),
  )

/** The user picks one of three scripts at random, and the agent adds chance of its own. */
function simulate(
  seed: string,
  { user, agent, cases = 40, count = 6 }: Record<string, number> & { user: number; agent: number },
) {
  const random = createRandom(seed)
  const normal = () => normalQuantile(Math.min(1 - 1e-9, Math.max(1e-9, random())))
  const shifts = Array.from({ length: cases }, () => [0, 1, 2].map(() => user * normal()))
  return Array.from({ length: count }, () =>
    shifts.map((scripts, index): Repeat => {
      const words = Math.floor(random() * 3)
      return { testCaseId: `c${index}`, words, score: 0.5 + scripts[words]! + agent * normal() }
    }),
  )
}

describe('how much of the variation between repeats is the user’s', () => {
  it('agrees with the sums over pairs: the squares of a group are those of its pairs, divided by its size', () => {
    const repeats = simulate('pairs', { user: 0.05, agent: 0.04 })
    const all = repeats.flat()
    const ofGroups = (keyOf: (repeat: Repeat) => string) => {
      let squares = 0
      let degrees = 0
      for (const group of Map.groupBy(all, keyOf).values()) {
        let pairs = 0
        for (const [i, a] of group.entries()) for (const b of group.slice(i + 1)) pairs += (a.score - b.score) ** 2
        squares += pairs / group.length
        degrees += group.length - 1
      }
      return squares / degrees
    }
    const expected = 1 - ofGroups((one) => `${one.testCaseId} ${one.words}`) / ofGroups((one) => one.testCaseId)
    const found = estimate(repeats)
    expect(found).toMatchObject({ kind: 'share', share: expect.closeTo(expected, 12) })
  })

  it.each([
    [0.06, 0.02],
    [0.03, 0.05],
    [0, 0.05],
  ])('finds the variances %f of the user and %f of the agent that were put in, within its interval', (user, agent) => {
    // Drawn with replacement, one of three scripts has two thirds of the variance of its shift.
    const truth = ((2 / 3) * user ** 2) / ((2 / 3) * user ** 2 + agent ** 2)
    const shares: number[] = []
    let covered = 0
    const RUNS = 200
    for (let index = 0; index < RUNS; index++) {
      const found = estimate(simulate(`${user} ${index}`, { user, agent }))
      if (found?.kind !== 'share') throw new Error('it has a share')
      shares.push(found.share)
      if (found.low <= truth + 1e-12 && truth <= found.high) covered++
    }
    const mean = shares.reduce((sum, share) => sum + share, 0) / RUNS
    expect(Math.abs(mean - truth)).toBeLessThan(user === 0 ? 0.06 : 0.03)
    expect(covered / RUNS).toBeGreaterThan(0.9)
  })

  it('is an upper bound where the user’s words follow from what the agent did', () => {
    const random = createRandom('follows')
    // The user has no chance of its own: it says one thing if the agent did well and another if not.
    const repeats = Array.from({ length: 6 }, () =>
      Array.from({ length: 30 }, (_, index): Repeat => {
        const score = random()
        return { testCaseId: `c${index}`, words: score > 0.5 ? 1 : 0, score }
      }),
    )
    // A uniform score within its half has a quarter of the variance.
    expect(estimate(repeats)).toMatchObject({ kind: 'share', share: expect.closeTo(0.75, 1) })
  })

  it.each<[string, (repeat: number, index: number) => Omit<Repeat, 'testCaseId'>, object | undefined]>([
    ['nothing without a simulated user', (repeat) => ({ score: repeat / 9 }), undefined],
    ['that all repeats scored the same', (repeat) => ({ score: 0.5, words: repeat }), { kind: 'no-variation' }],
    ['that the user said the same', (repeat) => ({ score: repeat / 9, words: 1 }), { kind: 'same-words' }],
    [
      'that it cannot be told if it never said the same',
      (repeat) => ({ score: repeat / 9, words: repeat }),
      { kind: 'unknown', pairs: 0 },
    ],
    [
      'that all of it may be the user’s if the same words had the same score',
      (repeat) => ({ score: (repeat % 2) / 2, words: repeat % 2 }),
      { kind: 'share', share: 1, low: 0, high: 1 },
    ],
  ])('says %s', (_what, draw, expected) => {
    const repeats = Array.from({ length: 4 }, (_, repeat) =>
      Array.from({ length: 10 }, (__, index) => ({ testCaseId: `c${index}`, ...draw(repeat, index) })),
    )
    expect(estimate(repeats)).toEqual(expected)
  })

  it('says nothing of a single run', () => {
    expect(estimate(simulate('one', { user: 0.1, agent: 0.1, count: 1 }))).toBeUndefined()
  })
})
