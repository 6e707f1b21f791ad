import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../contract/index.ts'
import { writeReport } from '../../formats.ts'
import { familyOf } from './judge-notes.ts'
import { buildReport } from '../report.ts'

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

describe('a simulated judge', () => {
  const judgedBy = (models: string[]): RunResult => ({
    ...run,
    models,
    judgeModel: 'demo/judge',
    results: run.results.map((cell, index) => ({ ...cell, modelId: models[index]! })),
  })
  const real = judgedBy(['demo/good', 'acme/large'])

  it.each(['json', 'markdown', 'html', 'latex', 'pr-comment'])('of real answers is named in %s', (format) => {
    expect(writeReport(buildReport([real], { calibrations: [] }), { format })).toContain(
      'demo/judge is a simulated judge: its grades of real answers mean nothing.',
    )
  })

  it('has a mark of its own in JSON and on the verdict card, and no advice to calibrate it', () => {
    const { judgeNotes } = JSON.parse(writeReport(buildReport([real], { calibrations: [] }), { format: 'json' }))
    expect(judgeNotes).toMatchObject([{ judgeModelId: 'demo/judge', reason: 'is-simulated' }])
    const { caveats, next } = buildReport([real], { calibrations: [] }).verdictCard
    expect(caveats).toMatchObject([{ kind: 'judge-is-simulated' }])
    expect(next.kind).not.toBe('calibrate')
  })

  it('is fit for simulated answers', () => {
    const { judgeNotes } = buildReport([judgedBy(['demo/good', 'demo/fair'])])
    expect(judgeNotes).toEqual([])
  })
})

describe('models', () => {
  it('belong to a family by the letters that their names begin with', () => {
    expect(
      ['openrouter/anthropic/claude-sonnet-4.5@terse', 'Claude-3', 'openai/o3', 'meta/llama3.1'].map(familyOf),
    ).toEqual(['claude', 'claude', 'o3', 'llama'])
  })
})
