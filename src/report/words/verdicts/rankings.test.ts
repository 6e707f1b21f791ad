import { expect, it } from 'vitest'
import type { RunResult } from '../../../contract/index.ts'
import { buildRankings, type HeadToHead } from '../../../statistics/index.ts'
import { listRankingNotes, summariseRankingVerdicts } from './rankings.ts'

function pair(isSignificant?: boolean): HeadToHead {
  const comparison = isSignificant === undefined ? undefined : { paired: { isSignificant } }
  return { modelA: 'a', modelB: 'b', ...(comparison && { comparison }) } as HeadToHead
}

it('says how many of the pairs that met differ', () => {
  const summarise = (...pairs: HeadToHead[]) => summariseRankingVerdicts({ pairs })
  expect(summarise(pair(true), pair(true), pair(false), pair(false), pair())).toBe(
    '2 of 4 pairs differ; the other 2 are too close to call.',
  )
  expect(summarise(pair(true), pair(false))).toBe('1 of 2 pairs differs; the other is too close to call.')
  expect(summarise(pair(true), pair(true))).toBe('All 2 pairs differ.')
  expect(summarise(pair(false), pair(false))).toBe('2 pairs are too close to call.')
})

it('names the models whose rating and rank disagree, and says why', () => {
  // Steady wins 18 of 24 cases by a little and loses the others by much.
  const results = Array.from({ length: 24 }, (_, index) => [
    { testCaseId: `c${index}`, modelId: 'steady', score: { score: 0.5 } },
    { testCaseId: `c${index}`, modelId: 'brilliant', score: { score: index < 18 ? 0.45 : 1 } },
  ]).flat()
  const run: RunResult = { id: 'r', testSuiteName: 's', models: ['steady', 'brilliant'], results }
  const notes = (runs: RunResult[]) => listRankingNotes({ ...buildRankings(runs), older: 0 }, 'cases').join('\n')
  expect(notes([run])).toContain(
    'Ratings count won cases; ranks and verdicts, the size of the differences. steady is rated above brilliant because it wins more of their cases (18 to 6), but its losses are larger: brilliant scores 8.8 points more on average.',
  )
  const clear = { ...run, results: results.filter(({ testCaseId }) => Number(testCaseId.slice(1)) < 18) }
  expect(notes([clear])).not.toContain('Ratings count won cases')
})
