import { describe, expect, it } from 'vitest'
import type { CellResult, RunResult } from '../../../../contract/index.ts'
import { createRandom } from '../../../../statistics/index.ts'
import { formats } from '../../../formats.ts'
import { buildReport, type Report } from '../../../model/report.ts'
import { describeReportLead } from '../lead.ts'

/** Models that these judges put `gap` apart, each judge by as much. */
function makeReport(judges: readonly string[], gap: number, isPartial = false): Report {
  const random = createRandom('by whom')
  const results = Array.from({ length: 30 }, (_, index) => {
    const base = 0.3 + 0.3 * random()
    return ['a', 'b'].map((modelId): CellResult => {
      const score = base + (modelId === 'a' ? gap : 0) + 0.1 * random()
      const present = isPartial ? judges.filter((_judge, position) => position !== index % judges.length) : judges
      const verdicts = present.map((judgeModelId) => ({ judgeModelId, score, reasoning: 'why' }))
      return { testCaseId: `case ${index}`, modelId, outcome: 'ok', response: 'x', score: { score, judges: verdicts } }
    })
  }).flat()
  const run: RunResult = { id: 'run', models: ['a', 'b'], results, judgeModel: judges.join(', ') }
  return buildReport([run])
}

const write = (report: Report, name: string) =>
  [formats.find((format) => format.name === name)!.write(report)].flat().join('').replaceAll('\\', '')

describe('a verdict by one or two judges', () => {
  it('says by whom, and what would turn it around, on every surface', () => {
    const report = makeReport(['judge'], 0.2)
    const { sentence } = report.comparisons[0]!
    expect(sentence).toMatch(
      /^a beats b by \d+\.\d points \(.*\) as judged by judge; holds unless judge leans more than (\d+\.\d) points towards a\.$/,
    )
    const lean = /as judged by judge; holds unless judge leans more than \d+\.\d points towards a/.exec(sentence)![0]
    expect(report.verdictCard.conditions.join(' ')).toContain(lean.slice(4))
    expect(describeReportLead(report)).toContain(lean.slice(1))
    for (const name of ['html', 'markdown', 'pr-comment'])
      expect([name, write(report, name)]).toEqual([name, expect.stringContaining(lean.slice(1))])
    expect(report.comparisons[0]!.comparison.paired!.judging).toEqual({ judges: ['judge'] })
    expect(write(report, 'json')).toMatch(/"judging": \{\s*"judges": \[\s*"judge"\s*\]/)
    expect(write(report, 'markdown')).toContain('n = 30 cases; as judged by judge).')
    expect(report.method.join(' ')).toContain('take it for neutral')
    expect(makeReport(['p', 'q'], 0.2).comparisons[0]!.sentence).toMatch(
      /as judged by p and q; holds unless they lean more than \d+\.\d points towards a\.$/,
    )
  })

  it('says by whom where nothing is decided', () => {
    const report = makeReport(['judge'], 0.004)
    expect(report.comparisons[0]!.sentence).toMatch(/too close to call: between .* points as judged by judge\. /)
    expect(report.verdictCard.conditions).toEqual(['As judged by judge.'])
    expect(report.comparisons[0]!.sentence).not.toContain('holds unless')
  })
})

describe('a verdict by a panel', () => {
  it('has how far the judges differ in its interval, and says so in the method', () => {
    const report = makeReport(['p', 'q', 'r'], 0.2)
    expect(report.comparisons[0]!.sentence).not.toContain('judged by')
    expect(report.verdictCard.conditions.join(' ')).not.toContain('judged by')
    expect(report.method.join(' ')).toContain('count as drawn at random')
  })

  it('is as judged by them where no case has a grade by all', () => {
    const report = makeReport(['p', 'q', 'r'], 0.2, true)
    expect(report.comparisons[0]!.sentence).toMatch(
      /as judged by [pqr], [pqr] and [pqr]; holds unless they lean more than/,
    )
    expect(report.method.join(' ')).not.toContain('count as drawn at random')
  })
})
