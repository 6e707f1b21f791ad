import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { createRandom } from '../numbers/random.ts'
import { rateBradleyTerry } from './bradley-terry.ts'
import { rateModels } from './model-ratings.ts'
import { countOrderEffects, listComparedPairs } from './pairwise-games.ts'
import { leadOf, playWithStyle, rateWithStyle, type StyledGame } from './style-control.ts'

const plain = { length: 100, headers: 0, listItems: 0, bold: 0, codeBlocks: 0 }
const unit = 400 / Math.LN10

/** Games of three equal models, of which `chatty` writes longer answers; length is worth `weight` a unit of lead. */
function simulate(seed: string, weight: number, cases = 200): StyledGame[] {
  const random = createRandom(seed)
  const models = ['chatty', 'plain', 'terse']
  return Array.from({ length: cases }, (_, index) => {
    const styles = [0.6, 0, -0.6].map((mean) => mean + 0.6 * (random() - 0.5))
    return models.flatMap((a, i) =>
      models.slice(i + 1).map((b, offset): StyledGame => {
        const lead = styles[i]! - styles[i + 1 + offset]!
        const scoreA = random() < 1 / (1 + Math.exp(-weight * lead)) ? 1 : 0
        return { a, b, scoreA, cluster: `c${index}`, lead: { length: lead } }
      }),
    )
  }).flat()
}

describe('style control', () => {
  it('gives equal ratings to models that differ only in the length that the judge likes, and shows its weight', () => {
    const games = simulate('length', 2)
    const raw = new Map(rateBradleyTerry(games).map((rating) => [rating.id, rating]))
    expect(raw.get('chatty')!.low).toBeGreaterThan(raw.get('terse')!.high)
    const { ratings, weights } = rateWithStyle(games)!
    for (const { low, high } of ratings) expect(low <= 1000 && high >= 1000).toBe(true)
    const scale = Math.sqrt(games.reduce((sum, { lead }) => sum + lead.length! ** 2, 0) / games.length)
    expect(weights.map(({ feature }) => feature)).toEqual(['length'])
    const [{ low, high, points }] = weights as [(typeof weights)[0]]
    expect(low < 2 * scale * unit && 2 * scale * unit < high).toBe(true)
    expect(low).toBeGreaterThan(0)
    expect((low + high) / 2).toBeCloseTo(points, 9)
  })

  it('finds no weight where style does not matter', () => {
    const held = Array.from({ length: 20 }, (_, index) => rateWithStyle(simulate(`none ${index}`, 0, 60))!.weights[0]!)
    expect(held.filter(({ low, high }) => low <= 0 && high >= 0).length).toBeGreaterThanOrEqual(17)
  })

  it('agrees with plain Bradley-Terry where a feature has nothing to do with who wins', () => {
    const games = simulate('balanced', 0, 100).map((game, index) => ({
      ...game,
      lead: { bold: index % 2 === 0 ? 1 : -1 },
    }))
    const mirrored = games.flatMap((game) => [game, { ...game, lead: { bold: -game.lead.bold } }])
    const controlled = rateWithStyle(mirrored)!
    expect(controlled.weights[0]!.points).toBeCloseTo(0, 6)
    const raw = rateBradleyTerry(mirrored)
    controlled.ratings.forEach(({ id, rating }, index) => {
      expect(id).toBe(raw[index]!.id)
      expect(rating).toBeCloseTo(raw[index]!.rating, 4)
    })
  })

  it('measures a lead as a share of both answers, and needs answers that differ in style', () => {
    expect(leadOf({ ...plain, length: 300 }, plain).length).toBeCloseTo(200 / 401, 12)
    expect(leadOf({ ...plain, headers: 1 }, plain).headers).toBe(0.5)
    expect(rateWithStyle([])).toBeUndefined()
    expect(rateWithStyle([{ a: 'x', b: 'y', scoreA: 1, lead: { length: 0 } }])).toBeUndefined()
  })
})

describe('compared answers as games', () => {
  const compared = (modelId: string, length: number, ...comparisons: [string, number, boolean?][]) => ({
    testCaseId: 'c',
    modelId,
    score: {
      score: 0.5,
      style: { ...plain, length },
      comparisons: comparisons.map(([opponentId, score, isConsistent = true]) => ({
        opponentId,
        score,
        judges: [{ judgeModelId: 'j', score, isConsistent, reasoning: '' }],
      })),
    },
  })
  const run = (score: number): RunResult => ({
    id: 'r',
    models: ['a', 'b'],
    results: [compared('b', 50, ['a', 1 - score, false]), compared('a', 100, ['b', score, false])],
  })

  it('are read once a pair, as the mean over runs, with one cluster a case', () => {
    expect(listComparedPairs([run(1), run(0.5)])).toEqual([{ testCaseId: 'c', modelA: 'a', modelB: 'b', scoreA: 0.75 }])
    expect(countOrderEffects([run(1)])).toEqual({ judged: 1, inconsistent: 1 })
    expect(playWithStyle([run(1)])).toMatchObject([
      { a: 'a', b: 'b', scoreA: 1, cluster: 'c', lead: { length: 50 / 151 } },
    ])
  })

  it('rate models by what was found better, not by scores', () => {
    expect(rateModels([run(1)]).map(({ id }) => id)).toEqual(['a', 'b'])
  })
})
