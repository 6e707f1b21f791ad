import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { writeReport } from '../formats.ts'
import { familyOf } from './judge-notes.ts'
import { buildReport } from './report.ts'

const run: RunResult = {
  id: 'run',
  testSuiteName: 'Suite',
  models: ['x/judge@terse', 'y/other'],
  judgeModel: 'x/judge',
  status: 'completed',
  results: ['x/judge@terse', 'y/other'].map((modelId) => ({
    testCaseId: 'case',
    modelId,
    outcome: 'ok',
    response: 'yes',
    score: { score: 0.5 },
  })),
}

describe('a judge that is also a contestant', () => {
  it.each(['json', 'markdown', 'html', 'latex', 'pr-comment'])('is named in %s', (format) => {
    expect(writeReport(buildReport([run]), { format })).toContain('x/judge also judges')
  })

  it('is noted whether calibrations were looked up or not', () => {
    const reasonsOf = (calibrations?: []) =>
      buildReport([run], { calibrations }).judgeNotes.map(({ judgeModelId, reason }) => [judgeModelId, reason])
    expect(reasonsOf()).toEqual([['x/judge', 'is-contestant']])
    expect(reasonsOf([])).toEqual([
      ['x/judge', 'is-contestant'],
      ['x/judge', 'not-calibrated'],
    ])
  })
})

describe('models', () => {
  it('belong to a family by the letters that their names begin with', () => {
    expect(
      ['openrouter/anthropic/claude-sonnet-4.5@terse', 'Claude-3', 'openai/o3', 'meta/llama3.1'].map(familyOf),
    ).toEqual(['claude', 'claude', 'o3', 'llama'])
  })
})
