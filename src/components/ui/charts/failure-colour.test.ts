import { expect, it } from 'vitest'
import { failureLevel } from './failure-colour.ts'

it('a lower score stands out more', () => {
  expect([0, 0.19, 0.2, 0.49, 0.5, 0.74, 0.75, 0.94].map(failureLevel)).toEqual([4, 4, 3, 3, 2, 2, 1, 1])
})
