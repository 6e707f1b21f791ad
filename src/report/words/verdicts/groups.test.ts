import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../contract/index.ts'
import { createRandom } from '../../../statistics/index.ts'
import { buildReport, writeReport } from '../../index.ts'
import { listGroups } from '../../model/standings/groups.ts'
import { groupTable } from '../../tables/groups.ts'
import { describeGroupSize } from '../groups.ts'
import { describeGroups, describeGroupVerdict, explainGroups, formatGroupDifference, formatInGroup } from './groups.ts'

/** Small differences that differ from case to case. */
const random = createRandom('groups in words')
const jitter = () => random() / 10

interface Case {
  category: string
  scores: Record<string, number>
}

function makeCases(category: string, count: number, scores: Record<string, number>): Case[] {
  return Array.from({ length: count }, () => ({
    category,
    scores: Object.fromEntries(Object.entries(scores).map(([model, score]) => [model, score + jitter()])),
  }))
}

const makeRun = (cases: Case[]): RunResult => ({
  id: 'run',
  models: Object.keys(cases[0]!.scores),
  testSuiteSnapshot: {
    name: 'Suite',
    testCases: cases.map(({ category }, index) => ({
      id: `c${index}`,
      prompt: '?',
      scoringMethod: 'exact-match',
      weight: 1,
      metadata: { category },
    })),
  },
  results: cases.flatMap(({ scores }, index) =>
    Object.entries(scores).map(([modelId, score]) => ({ testCaseId: `c${index}`, modelId, score: { score } })),
  ),
})

const equal = { a: 0.5, b: 0.5 }
const run = makeRun([
  ...makeCases('algebra', 12, { a: 0.8, b: 0.5 }),
  ...makeCases('code', 10, equal),
  ...makeCases('facts', 10, equal),
  ...makeCases('style', 2, equal),
])
const breakDown = (given: RunResult, options = {}) => listGroups(buildReport(given, options))[0]!

describe('a breakdown in words', () => {
  it('says who wins where, and how many groups are open', () => {
    expect(describeGroups(breakDown(run))).toMatch(
      /^By category: a beats b in algebra by \d+\.\d points; the other 3 groups are too close to call\.$/,
    )
  })

  it('names each group that a pair differs in, the largest gap first, in either direction', () => {
    const both = makeRun([
      ...makeCases('algebra', 12, { a: 0.7, b: 0.5 }),
      ...makeCases('code', 12, { a: 0.9, b: 0.5 }),
      ...makeCases('style', 12, { a: 0.3, b: 0.5 }),
    ])
    expect(describeGroups(breakDown(both))).toMatch(
      /^By category: a beats b in code by \d+\.\d and in algebra by \d+\.\d points; b beats a in style by \d+\.\d points\.$/,
    )
  })

  it('says that no difference holds, that all groups are too small, or that the models are the same', () => {
    const open = makeRun([...makeCases('x', 12, equal), ...makeCases('y', 12, equal)])
    expect(describeGroups(breakDown(open))).toBe('By category: no group shows a difference that holds.')
    expect(describeGroups(breakDown(open, { sameWithin: 0.2 }))).toBe(
      'By category: practically the same (within 20 points) in every group.',
    )
    const small = makeRun([...makeCases('x', 3, { a: 0.9, b: 0 }), ...makeCases('y', 3, equal)])
    expect(describeGroups(breakDown(small))).toBe(
      'By category: every group has too few cases for a verdict (at least 6).',
    )
    expect(
      describeGroups(breakDown(makeRun([...makeCases('x', 6, { a: 0.9 }), ...makeCases('y', 6, { a: 0.9 })]))),
    ).toBe(undefined)
  })

  it('counts cases that belong together as one', () => {
    const cases = [...makeCases('x', 12, equal), ...makeCases('y', 12, equal)]
    const { testSuiteSnapshot, ...rest } = makeRun(cases)
    const testCases = testSuiteSnapshot!.testCases.map((testCase, index) => ({
      ...testCase,
      cluster: `template ${Math.floor(index / 4)}`,
    }))
    const clustered = breakDown({ ...rest, testSuiteSnapshot: { ...testSuiteSnapshot!, testCases } })
    expect(describeGroups(clustered)).toBe(
      'By category: every group has too few independent cases for a verdict (at least 6).',
    )
    const [first] = clustered.groups
    expect(describeGroupVerdict(first!)).toBe('too few independent cases for a verdict')
    const cells = groupTable('category', ['a', 'b'], clustered.groups).find(({ key }) => key === 'cases')!
    expect(cells.text(first!)).toBe('12 in 3 groups')
    expect(describeGroupSize({ caseCount: 12, clusterCount: 3 }, 24)).toMatch(/^12 of 24 cases in 3 groups, a small/)
  })

  it('counts what it has no room to name', () => {
    const models = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name, index) => [name, 0.85 - index * 0.2]))
    const many = makeRun(['x', 'y'].flatMap((category) => makeCases(category, 20, models)))
    expect(describeGroups(breakDown(many))).toMatch(/; 12 more differences hold\.$/)
  })

  it('has the verdict of each group in its table, and the pooled figures beside the raw ones', () => {
    const { groups } = breakDown(run)
    expect(groups.map(describeGroupVerdict)).toEqual([
      expect.stringMatching(/^a beats b by \d+\.\d points \(\d+\.\d to \d+\.\d\)$/),
      expect.stringMatching(/^too close to call \(−\d+\.\d to \d+\.\d\)$/),
      expect.stringMatching(/^too close to call/),
      'too few cases for a verdict',
    ])
    const row = groups[0]!.rows.find(({ modelId }) => modelId === 'a')!
    expect(formatInGroup(row)).toMatch(/^86\.\d · \d\d\.\d$/)
    expect(formatInGroup(row, { withInterval: true })).toMatch(/^86\.\d · \d\d\.\d \(\d+\.\d to \d+\.\d\)$/)
    expect(formatGroupDifference(groups[0]!)).toMatch(/^\+\d+\.\d · \+\d+\.\d \(\d+\.\d to \d+\.\d\)$/)
    expect(groupTable('category', ['a', 'b'], groups).map(({ label }) => label)).toContain('a − b')
  })

  it('explains the correction and the second figure', () => {
    const [together, pooled] = explainGroups(breakDown(run))
    expect(together).toBe('Verdicts and their intervals hold for all 4 comparisons together (95 %).')
    expect(pooled).toMatch(/^The second figure/)
  })

  it('stands in HTML, Markdown and JSON', () => {
    const report = buildReport(run)
    const sentence = describeGroups(listGroups(report)[0]!)!
    expect(writeReport(report, { format: 'html' })).toContain(sentence)
    expect(writeReport(report, { format: 'markdown' })).toContain(sentence)
    const { groups } = JSON.parse(writeReport(report, { format: 'json' }))
    expect(groups[0]).toMatchObject({ by: 'category', tests: 4, leftOut: 0, ungrouped: 0 })
    expect(groups[0].groups[0]).toMatchObject({
      value: 'algebra',
      cases: 12,
      pairs: [{ modelA: 'a', modelB: 'b', isSignificant: true, shownLevel: 1 - 0.05 / 4 }],
    })
    expect(groups[0].groups[0].pairs[0].pooled.estimate).toBeGreaterThan(0)
  })
})
