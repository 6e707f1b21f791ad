import { describe, expect, it } from 'vitest'
import type { CellKey } from '../../contract/index.ts'
import { drawItems, type Population } from './draw-items.ts'

function makePopulation({ models = ['a', 'b'], cases = 20, runs = ['r1'] } = {}): Population {
  const casesOf = (modelId: string): Map<string, CellKey[]> =>
    new Map(
      Array.from({ length: cases }, (_, index) => {
        const testCaseId = `case ${index}`
        return [testCaseId, runs.map((runId) => ({ runId, testCaseId, modelId }))]
      }),
    )
  return new Map(models.map((modelId) => [modelId, casesOf(modelId)]))
}

describe('drawItems', () => {
  it('draws the same number of cases of each model, none twice, and says from how many', () => {
    const { items, strata } = drawItems(makePopulation({ runs: ['r1', 'r2'] }), { perModel: 7, seed: 's' })
    expect(strata).toEqual([
      { modelId: 'a', cases: 20, answers: 40, drawn: 7 },
      { modelId: 'b', cases: 20, answers: 40, drawn: 7 },
    ])
    expect(items.map(({ position }) => position)).toEqual(Array.from({ length: 14 }, (_, index) => index + 1))
    expect(new Set(items.map(({ modelId, testCaseId }) => `${modelId} ${testCaseId}`)).size).toBe(14)
  })

  it('is repeatable by its seed, whatever order the answers are stored in', () => {
    const population = makePopulation({ runs: ['r1', 'r2'] })
    const reversed: Population = new Map(
      [...population].reverse().map(([model, cases]) => [model, new Map([...cases].reverse())]),
    )
    const first = drawItems(population, { perModel: 5, seed: 's' })
    expect(drawItems(reversed, { perModel: 5, seed: 's' }).items).toEqual(first.items)
    expect(drawItems(population, { perModel: 5, seed: 't' }).items).not.toEqual(first.items)
  })

  it('lets the models take turns, in an order that cannot be foreseen', () => {
    const { items } = drawItems(makePopulation({ models: ['a', 'b', 'c'] }), { perModel: 20, seed: 's' })
    const rounds = Array.from({ length: 20 }, (_, round) =>
      items.slice(round * 3, round * 3 + 3).map(({ modelId }) => modelId),
    )
    for (const round of rounds) expect(round.toSorted()).toEqual(['a', 'b', 'c'])
    expect(new Set(rounds.map(String)).size).toBeGreaterThan(3)
  })

  it('draws more from what is left, after what was drawn', () => {
    const population = makePopulation()
    const { items: earlier } = drawItems(population, { perModel: 15, seed: 's' })
    const { items, strata } = drawItems(population, { perModel: 15, seed: 's', earlier })
    expect(items.slice(0, 30)).toEqual(earlier)
    expect(items).toHaveLength(40)
    expect(new Set(items.map(({ modelId, testCaseId }) => `${modelId} ${testCaseId}`)).size).toBe(40)
    expect(strata.map(({ drawn }) => drawn)).toEqual([20, 20])
  })

  it('every case and every repeat is equally likely', () => {
    const population = makePopulation({ models: ['a'], cases: 4, runs: ['r1', 'r2'] })
    const counts = new Map<string, number>()
    for (let seed = 0; seed < 4000; seed++)
      for (const { testCaseId, runId } of drawItems(population, { perModel: 2, seed: `seed ${seed}` }).items)
        counts.set(`${testCaseId} ${runId}`, (counts.get(`${testCaseId} ${runId}`) ?? 0) + 1)
    // 8000 draws over 8 answers; the standard deviation of each count is about 27.
    expect(counts.size).toBe(8)
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(120)
  })
})
