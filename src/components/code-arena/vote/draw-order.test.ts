import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawOrder } from './draw-order.ts'

describe('the order of the pages', () => {
  it('is a permutation, the same each time', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 6 }), fc.string(), fc.string(), (models, runId, voter) => {
        const order = drawOrder(models, { runId, voter })
        expect(order.toSorted()).toEqual(models.toSorted())
        expect(drawOrder(models, { runId, voter })).toEqual(order)
      }),
    )
  })

  it('puts each model first about equally often, over runs and over people', () => {
    const models = ['demo/good', 'demo/fair', 'demo/poor']
    for (const draw of [
      (index: number) => drawOrder(models, { runId: `run-${index}`, voter: 'me' }),
      (index: number) => drawOrder(models, { runId: 'run', voter: `person-${index}` }),
    ]) {
      const orders = Array.from({ length: 3000 }, (_, index) => draw(index).join())
      const counts = [...Map.groupBy(orders, (order) => order).values()].map(({ length }) => length)
      // Six orders, 500 expected of each; five standard deviations are 102.
      expect(counts).toHaveLength(6)
      for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(102)
    }
  })
})
