import { describe, expect, it } from 'vitest'
import type { ListedAudit } from '../../../server/judges/audits.ts'
import { groupByJudge, reachOf } from './audit-groups.ts'

const audit = (id: string, judgeModelId: string): ListedAudit => ({
  id,
  judgeModelId,
  savedAt: 0,
  timestamp: 0,
  source: 'built-in answers',
  status: 'completed',
  findings: [],
  asked: 0,
  failed: 0,
  cost: null,
  promptVersions: [],
  seed: 1,
})

describe('audits by judge', () => {
  it('keep the order of the list: the latest of each judge, then its earlier ones', () => {
    const groups = groupByJudge([audit('4', 'b'), audit('3', 'a'), audit('2', 'b'), audit('1', 'b')])
    expect(
      groups.map(({ judgeModelId, latest, earlier }) => [judgeModelId, latest.id, earlier.map(({ id }) => id)]),
    ).toEqual([
      ['b', '4', ['2', '1']],
      ['a', '3', []],
    ])
  })

  it('show changes on an axis of at least 20 points to either side', () => {
    expect(reachOf({ low: -0.01, high: 0.02 })).toBe(0.2)
    expect(reachOf({ low: -0.4, high: 0.02 })).toBe(0.4)
  })
})
