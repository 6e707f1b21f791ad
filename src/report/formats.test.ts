import { describe, expect, it } from 'vitest'
import type { RunResult } from '../contract/index.ts'
import { buildReport, findFormat, formats, writeReport, type ReportFormat } from './index.ts'

const run: RunResult = {
  id: 'r',
  models: ['m'],
  results: [{ testCaseId: 'c', modelId: 'm', response: 'x', score: { score: 1 } }],
}
const report = buildReport([run])

describe('the formats of a report', () => {
  it('are found by name and by extension, with or without its dot', () => {
    for (const format of formats)
      for (const name of [format.name, format.extension, format.extension.slice(1), format.extension.toUpperCase()])
        expect(findFormat(name)).toBe(format)
    expect(findFormat('pdf')).toBeUndefined()
  })
  it('have unique names and extensions', () => {
    const names = formats.flatMap(({ name, extension }) => [...new Set([name, extension.slice(1)])])
    expect(new Set(names).size).toBe(names.length)
  })
  it('are all written by writeReport', () => {
    for (const { name } of formats) expect(writeReport(report, { format: name })).toContain('m')
    expect(writeReport(report, { format: 'md' })).toBe(writeReport(report, { format: 'markdown' }))
  })
  it('may be custom, with text returned whole or in pieces', () => {
    const own: ReportFormat = {
      name: 'lines',
      label: 'Lines',
      extension: '.txt',
      mediaType: 'text/plain',
      *write({ rows }) {
        for (const { modelId, score } of rows) yield `${modelId} ${score?.mean}\n`
      },
    }
    expect(writeReport(report, { format: own })).toBe('m 1\n')
    expect(writeReport(report, { format: { ...own, write: () => 'whole' } })).toBe('whole')
  })
  it('are listed when an unknown one is requested', () => {
    expect(() => writeReport(report, { format: 'pdf' })).toThrow(
      'there is no format pdf; use one of html, json, csv, markdown, junit',
    )
  })
})

it('a report is built from one run as from a list of one', () => {
  expect(buildReport(run)).toEqual(buildReport([run]))
})
