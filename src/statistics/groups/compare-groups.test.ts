import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { compareAllModels } from '../compare-models.ts'
import { createRandom } from '../numbers/random.ts'
import { adjustHolm } from '../tests/holm.ts'
import { compareGroups } from './compare-groups.ts'
import { poolGroups } from './pool-groups.ts'

type Scores = Record<string, (number | undefined)[]>

/** Each model's scores, case by case. */
function makeRun(scores: Scores, cases: { cluster?: string; weight?: number }[] = []): RunResult {
  const length = Math.max(...Object.values(scores).map((own) => own.length))
  return {
    id: 'run',
    models: Object.keys(scores),
    testSuiteSnapshot: {
      name: 'suite',
      testCases: Array.from({ length }, (_, index) => ({
        id: `c${index}`,
        prompt: '?',
        scoringMethod: 'exact-match',
        weight: 1,
        ...cases[index],
      })),
    },
    results: Object.entries(scores).flatMap(([modelId, own]) =>
      own.flatMap((score, index) =>
        score === undefined ? [] : [{ testCaseId: `c${index}`, modelId, score: { score } }],
      ),
    ),
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

/** 8, 12, 10 and 6 cases; A is far better in the first group only. */
const sizes = [8, 12, 10, 6]
const groups = sizes.map((size, index) => {
  const from = sizes.slice(0, index).reduce((sum, own) => sum + own, 0)
  return range(from, from + size)
})
const random = createRandom('groups')
const noise = range(0, 36).map(() => random() / 10)
const run = makeRun({
  a: range(0, 36).map((index) => (index < 8 ? 0.9 : 0.5) + noise[index]! / 2),
  b: range(0, 36).map((index) => 0.5 + noise[(index * 7) % 36]! / 2),
})

const inGroup = ({ results, ...rest }: RunResult, cases: readonly number[]): RunResult => ({
  ...rest,
  results: results.filter(({ testCaseId }) => cases.includes(Number(testCaseId.slice(1)))),
})

describe('compareGroups', () => {
  it("has the comparison of each group's own cases, with Holm's correction and intervals over groups × pairs", () => {
    const compared = compareGroups(run, groups)
    const alone = groups.map((cases) => compareAllModels(inGroup(run, cases))[0]!.paired!)
    const pairs = compared.groups.map((group) => group.pairs[0]!)
    expect(compared.tests).toBe(4)
    const adjusted = adjustHolm(alone.map(({ verdictP }) => verdictP))
    for (const [index, pair] of pairs.entries()) {
      expect(Math.abs(pair.meanDiff)).toBeCloseTo(Math.abs(alone[index]!.meanDiff), 12)
      expect(pair.verdictP).toBeCloseTo(alone[index]!.verdictP, 12)
      expect(pair.adjustedP).toBeCloseTo(adjusted[index]!, 12)
      expect(pair.shownLevel).toBeCloseTo(1 - 0.05 / 4, 12)
    }
    expect(pairs.map(({ isSignificant }) => isSignificant)).toEqual([true, false, false, false])
    expect(pairs[0]!.shownInterval[0]).toBeGreaterThan(0)
    for (const { shownInterval } of pairs.slice(1)) expect(shownInterval[0]).toBeLessThanOrEqual(0)
  })

  it('pools differences and scores as poolGroups does, where a group has fewer than 30 cases', () => {
    const scoresOf = (modelId: string, cases: readonly number[]) =>
      inGroup(run, cases)
        .results.filter((result) => result.modelId === modelId)
        .map(({ score }) => score!.score)
    const expected = Object.values(
      poolGroups(
        Object.fromEntries(
          groups.map((cases, index) => [
            `g${index}`,
            scoresOf('a', cases).map((score, at) => score - scoresOf('b', cases)[at]!),
          ]),
        ),
      ),
    )
    const compared = compareGroups(run, groups)
    for (const [index, group] of compared.groups.entries()) {
      expect(group.pairs[0]!.pooled!.estimate).toBeCloseTo(expected[index]!.estimate, 9)
      expect(group.pairs[0]!.pooled!.low).toBeCloseTo(expected[index]!.low, 9)
      expect([...group.pooled.keys()].toSorted()).toEqual(['a', 'b'])
    }
    const large = makeRun({ a: range(0, 50).map((index) => (index % 5) / 5) })
    const few = compareGroups(large, [range(0, 30), range(30, 40), range(40, 50)])
    expect(few.groups.map((group) => group.pooled.has('a'))).toEqual([false, true, true])
  })

  it('pools no fewer than 3 groups, and none that share cases', () => {
    const isPooled = (own: number[][]) => compareGroups(run, own).groups.some(({ pooled }) => pooled.size > 0)
    expect(isPooled(groups.slice(0, 2))).toBe(false)
    expect(isPooled(groups.slice(0, 3))).toBe(true)
    expect(isPooled([...groups.slice(0, 3), range(6, 10)])).toBe(false)
  })

  it('counts weights and clusters: a cluster may reach into several groups', () => {
    const cases = range(0, 36).map((index) => ({ cluster: `k${index % 9}`, weight: 1 + (index % 3) }))
    const clustered = compareGroups(makeRun({ a: range(0, 36).map(() => 0.9), b: noise }, cases), groups)
    const [first] = clustered.groups
    expect(first!.pairs[0]).toMatchObject({ n: 8, clusters: 8 })
    expect(clustered.groups[1]!.pairs[0]).toMatchObject({ n: 12, clusters: 9 })
    expect(Number.isFinite(first!.pooled.get('b')!.estimate)).toBe(true)
  })

  it('copes with one group, a group of one case, and a model without a score in a group', () => {
    const [only] = compareGroups(run, [range(0, 36)]).groups
    expect(only!.pairs[0]!.verdictP).toBeCloseTo(compareAllModels(run)[0]!.paired!.verdictP, 12)
    const single = compareGroups(run, [[0], range(1, 20), range(20, 36)])
    expect(single.groups[0]!.pairs[0]).toMatchObject({ n: 1, isSignificant: false })
    const gap = makeRun({ a: range(0, 12).map(() => 1), b: range(0, 12).map((index) => (index < 6 ? 0 : undefined)) })
    const gapped = compareGroups(gap, [range(0, 6), range(6, 12)])
    expect(gapped.tests).toBe(1)
    expect(gapped.groups.map(({ pairs }) => pairs.length)).toEqual([1, 0])
    expect(compareGroups(makeRun({ a: [1, 0, 1] }), [[0], [1], [2]]).groups[1]!.pairs).toEqual([])
    expect(compareGroups(run, []).groups).toEqual([])
  })

  it('compares only the pairs in question if they are given, in their direction', () => {
    const three = makeRun({
      a: range(0, 36).map((index) => 0.5 + noise[index]! / 2),
      b: noise,
      c: range(0, 36).map((index) => 0.2 + noise[index]! / 3),
    })
    const { groups: compared, tests } = compareGroups(three, groups, { pairs: [['c', 'a']] })
    expect(tests).toBe(4)
    expect(compared.map(({ pairs }) => pairs.map(({ modelA, modelB }) => [modelA, modelB]))).toEqual(
      groups.map(() => [['c', 'a']]),
    )
    expect(compared[0]!.pairs[0]!.meanDiff).toBeLessThan(0)
  })

  it('compares only with the leader if there are very many pairs, and corrects for all of them', () => {
    const draw = createRandom('many models')
    const many = makeRun(
      Object.fromEntries(range(0, 12).map((model) => [`m${model}`, range(0, 120).map(() => (draw() < 0.5 ? 1 : 0))])),
    )
    const split = range(0, 20).map((group) => range(group * 6, group * 6 + 6))
    const compared = compareGroups(many, split)
    expect(compared.tests).toBe(20 * 66)
    expect(compared.leader).toBeDefined()
    for (const { pairs } of compared.groups) {
      expect(pairs.every(({ modelA }) => modelA === compared.leader)).toBe(true)
      expect(pairs).toHaveLength(11)
    }
    expect(compared.groups[0]!.pairs[0]!.shownLevel).toBeCloseTo(1 - 0.05 / 1320, 12)
  })
})
