import { describe, expect, it } from 'vitest'
import { labelColumns, pairModels } from './pair-models.ts'

describe('pairModels', () => {
  it('pairs each shared model with itself, once', () => {
    expect(pairModels(['x', 'y', 'y'], ['y', 'z', 'y'])).toEqual([['y', 'y']])
  })
  it('pairs the chosen models, or the chosen one with every model of the other side', () => {
    const sides = [
      ['x', 'y'],
      ['y', 'z'],
    ] as const
    expect(pairModels(...sides, { chosen: { before: 'x', after: 'y' } })).toEqual([['x', 'y']])
    expect(pairModels(...sides, { chosen: { before: 'x' } })).toEqual([
      ['x', 'y'],
      ['x', 'z'],
    ])
    expect(pairModels(...sides, { chosen: { after: 'z' } })).toEqual([
      ['x', 'z'],
      ['y', 'z'],
    ])
  })
  it('never pairs a model with itself within the same runs', () => {
    expect(pairModels(['x', 'y', 'z'], ['x', 'y', 'z'], { isSameRuns: true })).toEqual([
      ['x', 'y'],
      ['x', 'z'],
      ['y', 'z'],
    ])
    expect(pairModels(['x', 'y'], ['x', 'y'], { isSameRuns: true, chosen: { before: 'y' } })).toEqual([['y', 'x']])
    expect(pairModels(['x'], ['x'], { isSameRuns: true })).toEqual([])
  })
})

describe('labelColumns', () => {
  const at = (minute: number) => `12 Nov 14:0${minute}`
  it('names a model alone if it occurs once, else with the time of its run, its second, else with the run', () => {
    const columns = [
      { modelId: 'x', runId: 'r1', startedAt: 1 },
      { modelId: 'x', runId: 'r2', startedAt: 2 },
      { modelId: 'y', runId: 'r2', startedAt: 2 },
    ]
    expect(labelColumns(columns, at)).toEqual(['x · 12 Nov 14:01', 'x · 12 Nov 14:02', 'y'])
    const atSecond = (second: number, { withSeconds = false } = {}) => (withSeconds ? `14:03:0${second}` : '14:03')
    expect(labelColumns(columns, atSecond)).toEqual(['x · 14:03:01', 'x · 14:03:02', 'y'])
    expect(labelColumns(columns, () => 'the same')).toEqual(['x · r1', 'x · r2', 'y'])
    expect(
      labelColumns(
        columns.map(({ startedAt: _at, ...rest }) => rest),
        at,
      ),
    ).toEqual(['x · r1', 'x · r2', 'y'])
  })
  it('prefers the name that people gave to a run, unless two have the same', () => {
    const named = (...names: (string | undefined)[]) =>
      labelColumns(
        names.map((name, index) => ({ modelId: 'x', runId: `r${index}`, startedAt: index, name, file: 'x.csv' })),
        at,
      )
    expect(named('Baseline', 'New prompt')).toEqual(['x · Baseline', 'x · New prompt'])
    expect(named('Baseline', undefined)).toEqual(['x · Baseline', 'x · x.csv'])
    expect(named('Same', 'Same')).toEqual(['x · r0', 'x · r1'])
  })
})
