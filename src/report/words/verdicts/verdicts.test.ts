import { describe, expect, it } from 'vitest'
import type { CellResult, RunResult } from '../../../contract/index.ts'
import { writeReport } from '../../formats.ts'
import { buildReport } from '../../model/report.ts'
import { describeEvidence } from './verdicts.ts'

/** `narrow` loses all ten cases that both have, but has ten easy ones to itself and so the higher mean. */
const lopsided: RunResult = {
  id: 'r',
  models: ['narrow', 'wide'],
  results: Array.from({ length: 20 }, (_, index): CellResult[] => {
    const testCaseId = `c${index}`
    const narrow = { testCaseId, modelId: 'narrow', score: { score: index < 10 ? 0.3 + 0.01 * (index % 3) : 1 } }
    const wide = { testCaseId, modelId: 'wide' }
    return [narrow, index < 10 ? { ...wide, score: { score: 0.5 } } : { ...wide, outcome: 'timeout', error: 'late' }]
  }).flat(),
}

describe('the evidence for a verdict', () => {
  const report = buildReport([lopsided])
  const { comparison, sentence } = report.comparisons[0]!

  it('is stated from the side of the winner that the verdict names', () => {
    expect(comparison).toMatchObject({ modelA: 'narrow', paired: { wins: 0, losses: 10, isSignificant: true } })
    expect(sentence).toMatch(/^wide beats narrow by /)
    expect(describeEvidence(comparison.paired!)).toMatch(
      / · Hedges' g_z \d+\.\d+ · 10 won, 0 tied, 0 lost of 10 cases$/,
    )
  })

  it('is the same in every report, and from model A in JSON', () => {
    for (const format of ['markdown', 'html'])
      expect(writeReport(report, { format })).toContain('10 won, 0 tied, 0 lost of 10 cases')
    const { comparisons } = JSON.parse(writeReport(report, { format: 'json' }))
    expect(comparisons[0]).toMatchObject({ modelA: 'narrow', paired: { wins: 0, losses: 10 } })
  })

  it('is stated from the first model if neither wins', () => {
    const open = { ...comparison.paired!, isSignificant: false }
    expect(describeEvidence(open)).toMatch(/g_z −\d+\.\d+ · 0 won, 0 tied, 10 lost of 10 cases$/)
  })
})
