import { describe, expect, it } from 'vitest'
import { createDemoClient, scoreCodeArena } from '../src/index.ts'

describe('scoreCodeArena', () => {
  it('returns the four criteria and their weighted total, 40/30/20/10 (seed 4.6), for a page with screenshots', async () => {
    const result = await scoreCodeArena({
      prompt: 'a pricing page',
      code: '<!doctype html><html lang="en"><title>Plans</title><main><h1>Plans</h1><button>Choose</button></main></html>',
      screenshots: [{ width: 375, image: 'data:image/png;base64,AQID' }],
      client: createDemoClient(),
      judgeModelId: 'demo/judge',
    })
    const { visualAccuracy, codeQuality, functionality, responsiveness } = result.criteria
    const points = [visualAccuracy, codeQuality, functionality, responsiveness].map(
      ({ score, weight }) => (score ?? NaN) * weight,
    )
    expect([visualAccuracy, codeQuality, functionality, responsiveness].map(({ weight }) => weight)).toEqual([
      0.4, 0.3, 0.2, 0.1,
    ])
    expect(result.score).toBeCloseTo(points.reduce((sum, point) => sum + point, 0) / 100, 12)
  })
})
