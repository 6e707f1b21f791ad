import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findFrontier, placeScatter, type ScatterBox, type ScatterPoint } from './scatter.ts'

const box: ScatterBox = { width: 480, height: 260, margin: { top: 10, right: 10, bottom: 36, left: 40 } }
const point = (id: string, x: number, mean = 0.5): ScatterPoint => ({
  id,
  x,
  mean,
  low: mean - 0.05,
  high: mean + 0.05,
})

describe('placeScatter', () => {
  it('is linear from 0 up to a ratio of 20, and logarithmic above', () => {
    expect(placeScatter([point('a', 1), point('b', 20)], box).isLog).toBe(false)
    expect(placeScatter([point('a', 1), point('b', 21)], box).isLog).toBe(true)
  })

  it('reserves space on a logarithmic axis for models that cost nothing', () => {
    const { points, xTicks, isLog } = placeScatter([point('free', 0), point('a', 0.001), point('b', 1)], box)
    expect(isLog).toBe(true)
    expect(points[0]!.x).toBe(box.margin.left)
    expect(points[1]!.x).toBeGreaterThan(points[0]!.x + 30)
    expect(xTicks[0]).toEqual({ value: 0, at: box.margin.left })
  })

  it('leaves out ticks whose labels would run into each other, next to 0 too', () => {
    for (const width of [300, 480])
      for (const costs of [
        [0, 0.0001, 0.003],
        [0, 0.00019, 0.5],
        [0.0001, 9],
      ]) {
        const { xTicks } = placeScatter(
          costs.map((cost) => point(`${cost}`, cost)),
          { ...box, width },
        )
        expect(xTicks.length).toBeGreaterThanOrEqual(2)
        for (const [index, { at }] of xTicks.slice(1).entries())
          expect(at - xTicks[index]!.at).toBeGreaterThanOrEqual(54)
      }
  })

  it('draws a better score higher', () => {
    const { points } = placeScatter([point('good', 1, 0.9), point('poor', 1, 0.2)], box)
    expect(points[0]!.y).toBeLessThan(points[1]!.y)
    expect(points[0]!.yHigh).toBeLessThan(points[0]!.yLow)
  })

  it('shortens a long name in the middle', () => {
    const label = placeScatter([point(`openrouter/first${'x'.repeat(200)}-end`, 1)], box).points[0]!.label
    expect(label!.text).toMatch(/^firstx+…x+-end$/)
    expect(label!.text.length).toBeLessThanOrEqual(24)
  })

  it('puts a label where no interval crosses it, if there is room', () => {
    const wide = { ...point('b', 1.1, 0.5), low: 0, high: 1 }
    const [a] = placeScatter([point('vendor/model-a', 1), wide], box).points
    expect(a!.label).toMatchObject({ text: 'model-a', anchor: 'end' })
  })

  it('keeps every point in the box and overlaps no labels, for any data', () => {
    const anyPoint = fc.record({
      x: fc.double({ min: 0, max: 1e6, noNaN: true }),
      mean: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(anyPoint, { minLength: 1, maxLength: 25 }), (values) => {
        const { points } = placeScatter(
          values.map(({ x, mean }, index) => ({ id: `model-${index}`, x, mean, low: mean, high: mean })),
          box,
        )
        const labels = points.flatMap(({ label }) => label ?? [])
        for (const { x, y } of points) {
          expect(x).toBeGreaterThanOrEqual(box.margin.left - 1e-6)
          expect(x).toBeLessThanOrEqual(box.width - box.margin.right + 1e-6)
          expect(y).toBeGreaterThanOrEqual(box.margin.top - 1e-6)
          expect(y).toBeLessThanOrEqual(box.height - box.margin.bottom + 1e-6)
        }
        const boxes = labels.map(({ text, x, y, anchor }) => ({
          left: anchor === 'end' ? x - text.length * 6.3 : x,
          width: text.length * 6.3,
          y,
        }))
        for (const [index, one] of boxes.entries())
          for (const other of boxes.slice(index + 1)) {
            const apart =
              Math.abs(one.y - other.y) >= 13 - 1e-6 ||
              one.left + one.width <= other.left + 1e-6 ||
              other.left + other.width <= one.left + 1e-6
            expect(apart).toBe(true)
          }
      }),
    )
  })
})

it('the frontier has the points that none is both cheaper and better than', () => {
  const points = [
    { id: 'best', x: 10, mean: 0.9 },
    { id: 'dear', x: 20, mean: 0.9 },
    { id: 'value', x: 2, mean: 0.8 },
    { id: 'beaten', x: 3, mean: 0.7 },
    { id: 'twin', x: 2, mean: 0.8 },
    { id: 'cheap', x: 0, mean: 0.1 },
  ]
  expect([...findFrontier(points)]).toEqual(['cheap', 'value', 'best'])
})
