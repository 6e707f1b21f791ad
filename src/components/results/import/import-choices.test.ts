import { describe, expect, it } from 'vitest'
import { describeFile, describeMeans, joinSummaries, makeImportQuery, needsScale, noChoices } from './import-choices.ts'

const file = {
  tool: 'Inspect AI 0.3',
  task: 'popularity',
  models: [
    { modelId: 'a', mean: 0.525 },
    { modelId: 'b', mean: null },
  ],
  samples: 50,
  epochs: 5,
  scores: '',
  scored: 48,
  unscored: 1,
  errors: 1,
  isModelUnnamed: false,
  warnings: [],
  selection: 'x',
}

describe('the choices of an import', () => {
  it('are sent only if they were made', () => {
    expect(makeImportQuery('a.eval', noChoices)).toEqual({ name: 'a.eval' })
    expect(
      makeImportQuery('a.csv', {
        metric: 'grade',
        min: ' 0 ',
        max: '10',
        isLowerBetter: true,
        model: ' m ',
        columns: { id: 'a,b=c', score: 'grade', prompt: '' },
      }),
    ).toEqual({
      name: 'a.csv',
      metric: 'grade',
      min: '0',
      max: '10',
      lowerIsBetter: '1',
      model: 'm',
      columns: 'id=a%2Cb%3Dc,score=grade',
    })
    // Half a scale is none.
    expect(makeImportQuery('a.csv', { ...noChoices, min: '1' })).toEqual({ name: 'a.csv' })
  })

  it('come with the summary of a samples file, which is no file of its own', () => {
    const given = (path: string) => ({ path, file: new File(['{}'], path.split('/').at(-1)!) })
    const time = '2025-01-01T00-00-00.000001'
    const [samples, summary, other] = [
      given(`a/samples_t_${time}.jsonl`),
      given(`a/results_${time}.json`),
      given(`b/samples_t_${time}.jsonl`),
    ]
    const lone = given('a/results_2026-01-01T00-00-00.000001.json')
    const joined = joinSummaries([summary, samples, other, lone])
    expect(joined).toEqual([{ ...samples, summary: summary.file }, other, lone])
    expect(makeImportQuery(samples.file.name, noChoices, summary.file)).toEqual({
      name: `samples_t_${time}.jsonl`,
      beside: `results_${time}.json`,
      besideBytes: '2',
    })
  })

  it('are those of each of two logs that were written at the same time', () => {
    const logs = ['a_2025-01-01T00-00-00.json', 'b_2025-01-01T00-00-00.json'].map((path) => ({
      path,
      file: new File(['{}'], path),
    }))
    expect(joinSummaries(logs)).toEqual(logs)
  })

  it('ask for a scale only where one is missing', () => {
    const metrics = [
      { name: 'acc', state: 'ready' as const, count: 1, description: '' },
      { name: 'mae', state: 'scale' as const, count: 1, description: '' },
    ]
    expect(needsScale({ metrics, results: file, problem: null }, noChoices)).toBe(false)
    expect(needsScale({ metrics, results: null, problem: 'x' }, { ...noChoices, metric: 'mae' })).toBe(true)
    expect(needsScale({ metrics, results: null, problem: 'x' }, { ...noChoices, metric: 'acc' })).toBe(false)
  })

  it('are followed by what the file becomes', () => {
    expect(describeFile(file)).toBe('popularity · Inspect AI 0.3 · 50 samples, 5 epochs, 1 error, 1 unscored')
    expect(describeMeans(file)).toBe('a 52.5 · b –')
  })
})
