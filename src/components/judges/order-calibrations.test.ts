import { expect, it } from 'vitest'
import type { Calibration } from '../../server/judges/calibrations.ts'
import { orderCalibrations } from './order-calibrations.ts'

const summary = {
  totalSamples: 8,
  passedSamples: 8,
  passRate: 1,
  meanAbsoluteError: 0,
  maxError: 0,
  bias: 0,
  correlation: 1,
}

const made = (savedAt: number, judgeModelId: string, promptVersion: string): Calibration => ({
  id: String(savedAt),
  savedAt,
  source: 'built-in samples',
  result: { judgeModelId, promptVersion, timestamp: savedAt, samples: [], summary },
  interpretation: { rating: 'excellent', summary: '', advice: '', certainty: '' },
  samples: [],
})

it('keeps the prompts of a judge together, the last calibration first', () => {
  const ordered = orderCalibrations([
    made(1, 'a', 'p/1'),
    made(4, 'a', 'p/2'),
    made(3, 'b', 'p/1'),
    made(2, 'a', 'p/1'),
  ])
  expect(ordered.map(({ id }) => id)).toEqual(['4', '2', '1', '3'])
})
