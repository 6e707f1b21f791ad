import { expect, it } from 'vitest'
import { numberChanges } from './changes.ts'

it('numbers the points where something changed, in order', () => {
  expect(
    numberChanges([
      { changes: [] },
      { changes: [{ kind: 'system-prompt' }, { kind: 'suite-version', from: '1', to: '2' }] },
      { changes: [] },
      { changes: [{ kind: 'variants' }] },
    ]),
  ).toEqual([
    { number: 1, index: 1, text: 'system prompt edited; suite version 1 → 2' },
    { number: 2, index: 3, text: 'variants edited' },
  ])
})
