import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../contract/index.ts'
import { describeHosts } from '../../words/index.ts'
import { buildReport } from '../report.ts'

interface Answer {
  score: number
  host?: string
  latencyMs?: number
  isValid?: boolean
}

function makeRun(models: Record<string, Answer[]>): RunResult {
  const count = Math.max(...Object.values(models).map(({ length }) => length))
  return {
    id: 'r',
    models: Object.keys(models),
    testSuiteSnapshot: {
      name: 'S',
      testCases: Array.from({ length: count }, (_, i) => ({ id: `c${i}`, prompt: 'p', weight: 1 })),
    },
    results: Object.entries(models).flatMap(([modelId, answers]) =>
      answers.map(({ score, host, latencyMs = 500, isValid }, i) => ({
        testCaseId: `c${i}`,
        modelId,
        response: 'x',
        latencyMs,
        ...(host !== undefined && { servedBy: host }),
        score: {
          score,
          ...(isValid !== undefined && {
            checks: [
              { scoringMethod: 'json-schema', weight: 1, score: isValid ? 1 : 0 },
              { scoringMethod: 'exact-match', weight: 1, score },
            ],
          }),
        },
      })),
    ),
  }
}

const answers = (count: number, of: (i: number) => Answer) => Array.from({ length: count }, (_, i) => of(i))
const right = answers(100, (i) => ({ score: i % 10 === 0 ? 0 : 1, isValid: true }))
/** Fails 15 of the cases that the reference passes. */
const worse = answers(100, (i) => ({
  score: i % 10 === 0 || i % 6 === 1 ? 0 : 1,
  isValid: i % 6 !== 1,
  latencyMs: 900,
}))

describe('one model at several hosts', () => {
  it('is compared with the first, with flips, validity and latency beside it', () => {
    const { hosts } = buildReport(makeRun({ 'm#a': right, 'm#b': worse }))
    expect(hosts!.groups).toHaveLength(1)
    const [first, second] = hosts!.groups[0]!.served
    expect(first).toMatchObject({ modelId: 'm#a', medianLatencyMs: 500, valid: { count: 100, of: 100 } })
    expect(second!.comparison!.paired).toMatchObject({ isSignificant: true, flips: { helpful: { count: 0 } } })
    const [sentence] = describeHosts(hosts)
    expect(sentence).toMatch(/^m#a beats m#b by 1\d\.\d points/)
    expect(sentence).toMatch(/Of 100 cases, 1\d pass only at m#a and 0 only at m#b/)
    expect(sentence).toContain('at m#a 100 of 100 valid')
    expect(sentence).toContain('Median latency: 900 ms, at m#a 500 ms.')
  })

  it('takes the unpinned model as the reference, keeps variants apart and leaves other models out', () => {
    const { hosts } = buildReport(
      makeRun({ 'm#b': worse, m: right, other: right, 'm#b@short': right, 'm@short': right }),
    )
    expect(hosts!.groups.map(({ reference, served }) => [reference, served.length])).toEqual([
      ['m', 2],
      ['m@short', 2],
    ])
  })

  it('compares all others with a chosen reference: endpoints, quantisations', () => {
    const { hosts } = buildReport(makeRun({ 'local/q4': worse, 'local/q8': right }), {
      reference: 'local/q8',
      sameWithin: 0.05,
    })
    expect(hosts!.groups[0]).toMatchObject({ reference: 'local/q8' })
    expect(describeHosts(hosts)[0]).toContain('more than the 5 points that matter')
    expect(() => buildReport(makeRun({ a: right, b: right }), { reference: 'c' })).toThrow(
      'c is not in this run, which has a, b',
    )
  })

  it('says for which pairs its intervals hold where the report compares more', () => {
    const sentences = (models: Record<string, Answer[]>) => describeHosts(buildReport(makeRun(models)).hosts)
    const two = { 'm#a': right, 'm#b': worse }
    expect(sentences(two).join(' ')).not.toContain('together')
    expect(sentences({ ...two, other: right }).at(-1)).toBe(
      'This interval holds for this pair (95 %), all others for all 3 pairs together.',
    )
    expect(sentences({ ...two, 'm#c': right }).at(-1)).toBe(
      'These intervals hold for these 2 pairs together (95 %), all others for all 3 pairs.',
    )
  })

  it('says who answered for a model that was not pinned, and that this is no comparison', () => {
    const mixed = answers(60, (i) => ({ score: i % 3 === 0 ? 0 : 1, host: i < 50 ? 'Alpha' : 'Beta' }))
    const { hosts } = buildReport(makeRun({ m: mixed }))
    expect(hosts).toMatchObject({
      groups: [],
      shares: [
        { host: 'Alpha', cells: 50 },
        { host: 'Beta', cells: 10 },
      ],
    })
    expect(describeHosts(hosts)[0]).toMatch(
      /^m was served by Alpha \(50 cells, mean \d+\.\d, 500 ms\) and Beta \(10 cells.*run m#Alpha and m#Beta to compare them\.$/,
    )
  })

  it('is absent where every model is served in one place', () => {
    expect(buildReport(makeRun({ a: right, b: worse })).hosts).toBeUndefined()
  })
})
