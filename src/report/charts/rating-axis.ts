import type { RankedModel } from '../model/arena/arena-ranking.ts'

export interface RatingAxis {
  domain: [number, number]
  /** Five, evenly spaced. */
  ticks: number[]
}

const STEPS = [25, 50, 100, 150, 200, 250, 300, 400, 500, 600, 750, 1000, 1500, 2000, 2500, 5000]

/** One axis for several tables: round ticks, wide enough for every interval and for 1000, the average. */
export function makeRatingAxis(models: readonly Pick<RankedModel, 'low' | 'high'>[]): RatingAxis {
  const low = Math.min(1000, ...models.map((model) => model.low))
  const high = Math.max(1000, ...models.map((model) => model.high))
  const step =
    STEPS.find((size) => Math.floor(low / size) * size + 4 * size >= high) ?? Math.ceil((high - low) / 3 / 1000) * 1000
  const start = Math.floor(low / step) * step
  const ticks = [0, 1, 2, 3, 4].map((index) => start + index * step)
  return { domain: [ticks[0]!, ticks[4]!], ticks }
}
