import { expect, it } from 'vitest'
import type { CellResult, RunResult } from '../../../contract/index.ts'
import { buildReport } from '../report.ts'
import { writeReport } from '../../formats.ts'
import { isExplained } from '../../words/verdicts/failures/broken-reasons.ts'
import { explainReport, listBrokenReasons } from './broken-reasons.ts'

const expected = new Map([
  ['a', 'Paris'],
  ['b', 'Rome'],
  ['c', '60 days'],
])

function runOf(...answers: [caseId: string, answer: Partial<CellResult>][]): RunResult {
  const results = answers.map(([testCaseId, answer], index): CellResult => ({
    testCaseId,
    modelId: `m${index}`,
    ...answer,
  }))
  return { id: 'r', models: results.map(({ modelId }) => modelId), status: 'completed', results }
}
const got = (response: string): Partial<CellResult> => ({ outcome: 'ok', response, score: { score: 0 } })

it('names the reasons by how many answers they explain, each with an example', () => {
  const run = runOf(
    ['c', got('Notice is 60 days in writing.')],
    ['a', got('It is Paris.')],
    ['a', got('Rome')],
    ['b', { ...got('The capital of It'), outcome: 'truncated' }],
    ['b', { outcome: 'error', error: 'invalid API key' }],
    ['a', { outcome: 'error', error: 'invalid API key' }],
    ['c', { outcome: 'error', error: 'invalid API key' }],
    ['b', got('no idea')],
  )
  expect(listBrokenReasons([run], expected)).toEqual([
    { kind: 'error', answers: 3, message: 'invalid API key' },
    {
      kind: 'says-more',
      answers: 2,
      example: { caseId: 'c', expected: '60 days', got: 'Notice is 60 days in writing.' },
    },
    { kind: 'shifted', answers: 1, example: { caseId: 'a', expected: 'Paris', got: 'Rome' } },
    { kind: 'cut-off', answers: 1, example: { caseId: 'b', expected: 'Rome', got: 'The capital of It' } },
  ])
})

it('finds nothing where nothing is known, and knows an answer that only differs in case or is empty', () => {
  expect(listBrokenReasons([runOf(['a', got('no idea')])], expected)).toEqual([])
  expect(listBrokenReasons([runOf(['x', got('anything')])], new Map())).toEqual([])
  expect(listBrokenReasons([runOf(['a', got('paris')], ['b', got(' ')])], expected).map(({ kind }) => kind)).toEqual([
    'other-case',
    'empty',
  ])
})

const suite = {
  name: 'Capitals',
  testCases: [
    { id: 'a', prompt: 'France?', expectedOutput: 'Paris', scoringMethod: 'exact-match', weight: 1 },
    { id: 'b', prompt: 'Italy?', expectedOutput: 'Rome', scoringMethod: 'exact-match', weight: 1 },
  ],
}

it('explains a report in which nothing passed, and no other; the HTML says the same', () => {
  const broken = buildReport({
    ...runOf(['a', got('It is Paris.')], ['b', got('It is <Rome>.')]),
    testSuiteSnapshot: suite,
  })
  expect(explainReport(broken)).toMatchObject({ cells: 2, reasons: [{ kind: 'says-more', answers: 2 }] })
  const page = String(writeReport(broken, { format: 'html' }))
  expect(page).toContain('<h2>Likely reasons</h2>')
  expect(page).toContain('2 of 2 answers contain the expected output and say more.')
  expect(page).toContain('a: expected Paris, got It is Paris.')
  const fine = buildReport({
    ...runOf(['a', { ...got('Paris'), score: { score: 1 } }], ['b', got('It is Rome.')]),
    testSuiteSnapshot: suite,
  })
  expect(explainReport(fine)).toBeUndefined()
  expect(String(writeReport(fine, { format: 'html' }))).not.toContain('Likely reasons')
})

it('explains enough with at least half of the answers', () => {
  expect(isExplained({ cells: 4, reasons: [{ kind: 'empty', answers: 2 }] })).toBe(true)
  expect(isExplained({ cells: 5, reasons: [{ kind: 'empty', answers: 2 }] })).toBe(false)
})
