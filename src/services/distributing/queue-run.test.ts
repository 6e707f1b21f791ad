import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divideNewRun } from './queue-run.ts'

const run = { runId: 'run', index: 0, nextRunId: 'next' }

describe('dividing a run', () => {
  it('has every case in exactly one part, in order, and at most 50 cells in a part of several cases', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 120 }), (count, models) => {
        const ids = Array.from({ length: count }, (_, index) => `case-${index}`)
        const parts = divideNewRun(run, ids, models).map(({ testCaseIds }) => testCaseIds)
        expect(parts.flat()).toEqual(ids)
        for (const [index, part] of parts.entries()) {
          expect(part.length).toBeGreaterThan(0)
          if (part.length > 1) expect(part.length * models).toBeLessThanOrEqual(50)
          // One more case would not have fitted.
          if (index < parts.length - 1) expect((part.length + 1) * models).toBeGreaterThan(50)
        }
      }),
    )
  })
})
