import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../contract/index.ts'
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
    expect(leadOf({ a: 0.9, b: 0.5 })).toMatch(/^a beats b by \d+\.\d points \(\d+\.\d to \d+\.\d\)\.$/)
    expect(leadOf({ c: 0.2, a: 0.9, b: 0.5 })).toMatch(
      /^a is better than both others\. a beats b by \d+\.\d points \(\d+\.\d to \d+\.\d\)\.$/,
    )
  })
  it('says that leaders cannot be told apart, and names at most four', () => {
    expect(leadOf({ a: 0.9, b: 0.9 })).toMatch(/^a and b are too close to call|^b and a are too/)
    expect(leadOf({ a: 0.9, b: 0.9, c: 0.1 })).toMatch(/^No clear winner: [ab] and [ab] are too close to call\.$/)
    const many = leadOf(Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, 0.5])))
    expect(many).toMatch(/^No clear winner: ., ., . and 3 others are too close to call\.$/)
  })
  it('gives the score of a single model, and says if there is none', () => {
    expect(leadOf({ only: 0.5 })).toMatch(/^only scored 50\.\d \(\d+\.\d to \d+\.\d\)\.$/)
    expect(describeLead([{ modelId: 'a' }], [])).toBe('No model has a score.')
  })
})

describe('the sentence to report', () => {
  it('has the paired difference with its interval, p and n, and not the intervals of the means', () => {
    const { comparisons } = summarise({ b: 0.5, a: 0.9, c: 0.2 })
    const comparison = comparisons[0]!.comparison
    const { paired } = comparison
    const [low, high] = paired!.confidence95.map((bound) => (bound * 100).toFixed(1))
    expect(formatReportSentence(comparison, { pairs: 3 })).toBe(
      `a scored ${(paired!.meanDiff * 100).toFixed(1)} points higher than b (paired difference, 95% CI: [${low}, ${high}]; p < 0.001, sign flips, Holm-corrected over 3 pairs; n = 30 cases).`,
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
        confidence95: [-paired!.confidence95[1], -paired!.confidence95[0]] as [number, number],
      },
    }
    expect(formatReportSentence(turned)).toBe(formatReportSentence(comparison))
    expect(formatReportSentence(comparison)).not.toContain('Holm')
  })
  it('says so if two models score the same, or share no case', () => {
    const { comparison } = summarise({ a: 0.9, b: 0.5 }).comparisons[0]!
    const same = { ...comparison.paired!, meanDiff: 0.0001, confidence95: [-0.05, 0.05] as [number, number] }
    expect(formatReportSentence({ ...comparison, paired: same })).toContain('a scored as high as b (paired difference')
    const { paired: _paired, ...unpaired } = comparison
    expect(formatReportSentence(unpaired)).toBe('a and b have no scored case in common.')
  })
})
