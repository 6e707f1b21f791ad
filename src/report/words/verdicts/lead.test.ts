import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../contract/index.ts'
import { writeReport } from '../../formats.ts'
import { buildReport } from '../../model/report.ts'
import { buildSummary } from '../../model/summary.ts'
import { describeLead } from './lead.ts'
import { formatReportSentence } from './verdicts.ts'

/** A run of 30 cases in which each model scores its mean plus a little noise of its own. */
function summarise(means: Record<string, number>) {
  const run: RunResult = {
    id: 'r',
    models: Object.keys(means),
    results: Object.entries(means).flatMap(([modelId, mean], model) =>
      Array.from({ length: 30 }, (_, index) => ({
        testCaseId: `c${index}`,
        modelId,
        score: { score: mean + 0.04 * Math.sin(index * (model + 2)) },
      })),
    ),
  }
  return buildSummary([run])
}

function leadOf(means: Record<string, number>): string {
  const { rows, comparisons } = summarise(means)
  return describeLead(
    rows,
    comparisons.map(({ comparison }) => comparison),
  )
}

describe('the outcome in one sentence', () => {
  it('names the winner and its margin over the second', () => {
    expect(leadOf({ a: 0.9, b: 0.5 })).toMatch(/^a beats b by \d+ points \(95 % CI \d+ to \d+\)\.$/)
    expect(leadOf({ c: 0.2, a: 0.9, b: 0.5 })).toMatch(/^a is best: it beats b by \d+ points \(95 % CI \d+ to \d+\)\.$/)
  })
  it('says between whom it is too close, and how many others may be best', () => {
    expect(leadOf({ a: 0.9, b: 0.9 })).toMatch(/^Too close to call: between [ab] \+\d\.\d and [ab] \+\d\.\d points\.$/)
    expect(leadOf({ a: 0.9, b: 0.9, c: 0.1 })).toMatch(
      /^Too close to call: between [ab] \+\d\.\d and [ab] \+\d\.\d points\.$/,
    )
    const many = leadOf(Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, 0.5])))
    expect(many).toMatch(/^Too close to call: between . \+\d\.\d and . \+\d\.\d points; 4 more models may be best\.$/)
  })
  it('gives the score of a single model, and says if there is none', () => {
    expect(leadOf({ only: 0.5 })).toMatch(/^only scored 50\.\d \(95 % CI \d+\.\d to \d+\.\d\)\.$/)
    expect(describeLead([{ modelId: 'a' }], [])).toBe('No model has a score.')
  })
})

describe('a run in which everything fails', () => {
  const run = (scores: Record<string, number[]>): RunResult => ({
    id: 'r',
    models: Object.keys(scores),
    results: Object.entries(scores).flatMap(([modelId, own]) =>
      own.map((score, index) => ({ testCaseId: `c${index}`, modelId, score: { score } })),
    ),
  })
  const zeros = Array.from({ length: 12 }, () => 0)
  const sentence =
    'Everything fails: all 24 answers scored 0. Check the expected outputs or the scorer before the models.'

  it('says so instead of a tie, on every surface, and asks for no cases', () => {
    const report = buildReport(run({ a: zeros, b: zeros }))
    for (const format of ['html', 'markdown', 'pr-comment']) {
      const text = writeReport(report, { format })
      expect(text).toContain(sentence)
      expect(text).not.toContain('add cases')
    }
    expect(report.verdictCard).toMatchObject({
      state: 'broken',
      // Its next step is beside it.
      outcome: 'Everything fails: all 24 answers scored 0.',
      next: { kind: 'rescore' },
    })
    expect(report.verdictCard.next.text).not.toMatch(/cases/)
  })

  it('does not say so if one answer passes, or one model has no score', () => {
    const lead = (scores: Record<string, number[]>) => buildReport(run(scores)).verdictCard.outcome
    expect(lead({ a: zeros.with(3, 0.1), b: zeros })).not.toContain('Everything fails')
    expect(lead({ a: [], b: [] })).toBe('No model has a score.')
    expect(lead({ a: zeros, b: [] })).toContain('all 12 answers')
  })
})

describe('the sentence to report', () => {
  it('has the paired difference with its interval, p and n, and not the intervals of the means', () => {
    const { comparisons } = summarise({ b: 0.5, a: 0.9, c: 0.2 })
    const comparison = comparisons[0]!.comparison
    const { paired } = comparison
    const [low, high] = paired!.shownInterval.map((bound) => (bound * 100).toFixed(1))
    expect(formatReportSentence(comparison, { pairs: 3 })).toBe(
      `a scored ${(paired!.meanDiff * 100).toFixed(1)} points higher than b (paired difference, simultaneous 95% CI: [${low}, ${high}]; p < 0.001, sign flips, Holm-corrected over 3 pairs; n = 30 cases).`,
    )
  })
  it('turns the difference round so that the better model comes first', () => {
    const { comparison } = summarise({ a: 0.9, b: 0.5 }).comparisons[0]!
    const { paired, modelA, modelB } = comparison
    const turned = {
      ...comparison,
      modelA: modelB,
      modelB: modelA,
      paired: {
        ...paired!,
        meanDiff: -paired!.meanDiff,
        shownInterval: [-paired!.shownInterval[1], -paired!.shownInterval[0]] as [number, number],
      },
    }
    expect(formatReportSentence(turned)).toBe(formatReportSentence(comparison))
    expect(formatReportSentence(comparison)).not.toContain('Holm')
  })
  it('says so if two models score the same, or share no case', () => {
    const { comparison } = summarise({ a: 0.9, b: 0.5 }).comparisons[0]!
    const same = { ...comparison.paired!, meanDiff: 0.0001, shownInterval: [-0.05, 0.05] as [number, number] }
    expect(formatReportSentence({ ...comparison, paired: same })).toContain('a scored as high as b (paired difference')
    const { paired: _paired, ...unpaired } = comparison
    expect(formatReportSentence(unpaired)).toBe('a and b have no scored case in common.')
  })
})
