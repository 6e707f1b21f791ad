import { expect, it } from 'vitest'
import type { RunResult } from '../contract/index.ts'
import { summariseMissing } from './missing-cells.ts'

it('reasons are counted whatever they are called', () => {
  const codes = ['constructor', '__proto__', 'toString', 'constructor', '__proto__', 'own-code']
  const run: RunResult = {
    id: 'r',
    models: ['m'],
    results: codes.map((code, index) => ({
      testCaseId: `c${index}`,
      modelId: 'm',
      unscored: { code, message: 'not for this scorer' },
    })),
  }
  const [missing] = summariseMissing([run, { ...run, id: 's' }])
  expect(Object.entries(missing!.reasons)).toEqual([
    ['constructor', 4],
    ['__proto__', 4],
    ['toString', 2],
    ['own-code', 2],
  ])
})
