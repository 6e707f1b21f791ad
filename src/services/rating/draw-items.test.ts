import { describe, expect, it } from 'vitest'
import type { CellKey } from '../../contract/index.ts'
import { drawItems, drawSameCases, type Population } from './draw-items.ts'

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

describe('drawSameCases', () => {
  it('draws cases that all models answered, an answer of every model each, of the same run', () => {
    const population = makePopulation({ models: ['a', 'b', 'c'], runs: ['r1', 'r2'] })
    population.get('c')!.delete('case 3')
    const { items, strata } = drawSameCases(population, { perModel: 19, seed: 's' })
    expect(strata).toEqual(['a', 'b', 'c'].map((modelId) => ({ modelId, cases: 19, answers: 38, drawn: 19 })))
    expect(items.map(({ position }) => position)).toEqual(Array.from({ length: 57 }, (_, index) => index + 1))
    for (let start = 0; start < items.length; start += 3) {
      const ofCase = items.slice(start, start + 3)
      expect(new Set(ofCase.map(({ testCaseId, runId }) => `${testCaseId} ${runId}`)).size).toBe(1)
      expect(ofCase.map(({ modelId }) => modelId).toSorted()).toEqual(['a', 'b', 'c'])
    }
    expect(items.some(({ testCaseId }) => testCaseId === 'case 3')).toBe(false)
    expect(new Set(items.map(({ runId }) => runId)).size).toBe(2)
    expect(drawSameCases(population, { perModel: 19, seed: 's' }).items).toEqual(items)
  })

  it('takes the answers of other runs where no run has them all', () => {
    const population = makePopulation({ cases: 3 })
    for (const [testCaseId, cells] of population.get('b')!)
      population.get('b')!.set(
        testCaseId,
        cells.map((cell) => ({ ...cell, runId: 'r9' })),
      )
    const { items } = drawSameCases(population, { perModel: 3, seed: 's' })
    expect(new Set(items.map(({ modelId, runId }) => `${modelId} ${runId}`))).toEqual(new Set(['a r1', 'b r9']))
    expect(items).toHaveLength(6)
  })

  it('draws clusters whole, each as likely as the others, and more from what is left', () => {
    const clusterOf = (testCaseId: string) => `cluster ${Number(testCaseId.slice(5)) % 4}`
    const options = { perModel: 6, seed: 's', clusterOf }
    const first = drawSameCases(makePopulation(), options)
    const cases = [...new Set(first.items.map(({ testCaseId }) => testCaseId))]
    expect(cases).toHaveLength(10)
    expect(new Set(cases.map(clusterOf)).size).toBe(2)
    const more = drawSameCases(makePopulation(), { ...options, perModel: 100, earlier: first.items })
    expect(more.items.slice(0, 20)).toEqual(first.items)
    expect(more.items).toHaveLength(40)
    expect(more.strata[0]).toMatchObject({ cases: 20, drawn: 20 })
    const counts = new Map<string, number>()
    for (let seed = 0; seed < 2000; seed++) {
      const { items } = drawSameCases(makePopulation(), { ...options, perModel: 1, seed: `seed ${seed}` })
      const cluster = clusterOf(items[0]!.testCaseId)
      counts.set(cluster, (counts.get(cluster) ?? 0) + 1)
    }
    // 2000 draws of 4 clusters; the standard deviation of each count is about 19.
    for (const count of counts.values()) expect(Math.abs(count - 500)).toBeLessThan(80)
  })
})
