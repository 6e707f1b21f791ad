import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Write } from './operation.ts'
import { WriteGroup } from './write-group.ts'

const write: Write<unknown> = {
  operation: () => {
    throw new Error('not here')
  },
}

describe('a group of writes', () => {
  it('rests after calls that arrived during a commit: it plans no turns without end', async () => {
    let commits = 0
    let later: Promise<unknown> | undefined
    const group = new WriteGroup({
      async perform(writes) {
        if (++commits === 1) {
          await nextTurn()
          later = group.add(write)
        }
        await nextTurn()
        return writes.map(() => undefined)
      },
      affectsAll: () => true,
    })
    await group.add(write)
    await later
    let isIdle = false
    void group.drain().then(() => (isIdle = true))
    for (let turn = 0; turn < 100; turn++) await nextTurn()
    expect([commits, isIdle]).toEqual([2, true])
  })
})
