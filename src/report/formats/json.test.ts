import { describe, expect, it } from 'vitest'
import type { CellResult, RunResult } from '../../contract/index.ts'
import { parseRunFile } from '../../import/results/run-file.ts'
import { buildReport } from '../model/report.ts'
import type { ReportCost } from '../model/standings/report-row.ts'
import { writeJson } from './json.ts'

const cell = (testCaseId: string, fields: Partial<CellResult>): CellResult => ({
  testCaseId,
  modelId: 'm',
  response: '',
  ...fields,
})
const run = (id: string, results: CellResult[]): RunResult => ({ id, models: ['m'], results })
const documentOf = (runs: RunResult[], cost?: ReportCost) => JSON.parse(writeJson(buildReport(runs, cost && { cost })))
const unscored = { code: 'judge-unreadable', message: 'no' }

describe('the JSON document of a run', () => {
  const [good, bad] = [{ score: { score: 1 } }, { score: { score: 0 } }]

  it('has cost null, never 0, if no cost is known', () => {
    expect(documentOf([run('r', [cell('a', good), cell('b', good)])])).toMatchObject({ cost: null, unknownCosts: 2 })
    expect(documentOf([run('r', [{ testCaseId: 'a', modelId: 'm', outcome: 'error', error: 'no' }])])).toMatchObject({
      cost: null,
    })
    expect(documentOf([run('r', [cell('a', good)])], { total: 0, unknown: 3 })).toMatchObject({
      cost: null,
      unknownCosts: 3,
    })
  })
  it('has the sum of the known costs, and the number of unknown ones', () => {
    expect(documentOf([run('r', [cell('a', { ...good, cost: 0.5 }), cell('b', good)])])).toMatchObject({
      cost: 0.5,
      unknownCosts: 1,
    })
    const free = documentOf([run('r', [cell('a', { ...good, cost: 0 })])])
    expect([free.cost, free.unknownCosts]).toEqual([0, undefined])
  })
  it('counts missing cells over all runs of a series, and shows how consistent models are', () => {
    const runs = [
      run('1', [cell('a', good), cell('b', { unscored })]),
      run('2', [cell('a', bad), cell('b', { unscored })]),
      run('3', [cell('a', good), cell('b', good)]),
    ]
    const document = documentOf(runs)
    expect(Object.keys(document)).toEqual([
      'runs',
      'scores',
      'series',
      'comparisons',
      'nextStep',
      'cost',
      'unknownCosts',
    ])
    expect(document.scores.m).toMatchObject({
      // Over all runs: a scored 1, 0 and 1, b once 1.
      count: 4,
      mean: expect.closeTo((2 / 3 + 1) / 2),
      unscored: 2,
      errors: 0,
      missingReasons: { 'judge-unreadable': 2 },
    })
    expect(document.series.m).toMatchObject({
      runIds: ['1', '2', '3'],
      unscored: 2,
      errors: 0,
      passed: 3,
      count: 4,
      passRate: expect.closeTo(5 / 6),
      passAtK: [expect.closeTo(5 / 6)],
      passHatK: [expect.closeTo(5 / 6)],
      flaky: ['a'],
    })
    expect(parseRunFile(JSON.stringify(document), 'r.json')).toEqual(
      runs.map((stored) => ({ kind: 'suite', ...stored })),
    )
  })
})
