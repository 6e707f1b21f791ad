import { describe, expect, it } from 'vitest'
import type { RunChange } from '../../contract/index.ts'
import { readChange, writeChange } from './notifications.ts'

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

describe('notifications about a run', () => {
  it('stay below the 8,000 bytes that PostgreSQL allows, and lose no cell', () => {
    const change: RunChange = {
      runId: '20261116-191612-krqu',
      hasMoved: true,
      started: range(990_000, 5000),
      finished: range(999_000, 801),
    }
    const payloads = [...writeChange(change)]
    for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8000)
    const read = payloads.map((payload) => readChange(payload)!)
    expect(read.every(({ runId }) => runId === change.runId)).toBe(true)
    expect(read.flatMap(({ started = [] }) => started)).toEqual(change.started)
    expect(read.flatMap(({ finished = [] }) => finished)).toEqual(change.finished)
    expect(read.filter(({ hasMoved }) => hasMoved)).toHaveLength(1)
  })

  it('that are not ours are ignored', () => {
    for (const payload of ['', 'x', '{}', '[]', 'null', '{"runId":1}', '{"runId":"a","finished":[-1]}'])
      expect(readChange(payload)).toBeUndefined()
  })
})
