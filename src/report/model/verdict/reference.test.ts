import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../contract/index.ts'
import { createRandom, testEquivalence } from '../../../statistics/index.ts'
import { describeAgainstReference } from '../../words/verdicts/pairs/reference.ts'
import { compareWithReference } from './reference.ts'

const random = createRandom('reference')
const cases = Array.from({ length: 40 }, () => random() * 0.5)
const scores: Record<string, number[]> = {
  a: cases.map((level) => level + 0.3 + random() / 20),
  b: cases.map((level) => level + 0.3 + random() / 20),
  c: cases.map((level) => level + random() / 20),
}
const run: RunResult = {
  id: 'run',
  models: [...Object.keys(scores), 'silent'],
  results: Object.entries(scores).flatMap(([modelId, own]) =>
    own.map((score, index) => ({ testCaseId: `c${index}`, modelId, score: { score } })),
  ),
}

describe('compareWithReference', () => {
  it('has the careful interval at the level of the pairs with the reference', () => {
    const [b] = compareWithReference([run], { model: 'a', margin: 0.05 })
    const differences = scores['b']!.map((score, index) => score - scores['a']![index]!)
    // A model without a score is no pair.
    const { low, high } = testEquivalence(differences, { margin: 0.05, pairs: 2 })
    expect(b!.interval!.low).toBeCloseTo(low, 12)
    expect(b!.interval!.high).toBeCloseTo(high, 12)
  })

  it('says of each model whether it may be worse by the margin, and of which nothing is known', () => {
    const reference = { model: 'a', margin: 0.05 }
    const found = compareWithReference([run], reference)
    expect(found.map(({ modelId, isNotWorse }) => [modelId, isNotWorse])).toEqual([
      ['b', true],
      ['c', false],
      ['silent', false],
    ])
    expect(found.map((one) => describeAgainstReference(one, reference))).toEqual([
      expect.stringMatching(
        /^b is not worse than a by 5 points or more: the difference is −\d\.\d to \d\.\d points \(95 % CI for both comparisons with a together\)$/,
      ),
      expect.stringMatching(
        /^c may be worse than a by 5 points or more: the difference is −3\d\.\d to −2\d\.\d points/,
      ),
      'silent shares no scored case with a',
    ])
  })

  it('says of how many comparisons the interval holds, which is wider over all pairs of the report', () => {
    const models = ['a', 'b', 'c', 'd']
    const results = models.flatMap((modelId) =>
      (scores[modelId] ?? cases).map((score, index) => ({ testCaseId: `c${index}`, modelId, score: { score } })),
    )
    const reference = { model: 'a', margin: 0.05 }
    const sentenceOf = (names: string[]) => {
      const [first] = compareWithReference(
        [{ id: 'run', models: names, results: results.filter(({ modelId }) => names.includes(modelId)) }],
        reference,
      )
      return describeAgainstReference(first!, reference)
    }
    expect(sentenceOf(['a', 'b'])).toMatch(/\(95 % CI\)$/)
    expect(sentenceOf(models)).toMatch(/\(95 % CI for all 3 comparisons with a together\)$/)
  })

  it('refuses a reference that the runs do not have', () => {
    expect(() => compareWithReference([run], { model: 'z', margin: 0.05 })).toThrow('z is not in this run')
  })
})
