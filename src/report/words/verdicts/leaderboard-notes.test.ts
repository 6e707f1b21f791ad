import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../contract/index.ts'
import { buildReport } from '../../model/report.ts'
import { makeRunDocument } from '../../formats/json.ts'
import { writeReport } from '../../formats.ts'
import { describeReportLead } from './lead.ts'
import { describeLeaderboard, describeReadings } from './leaderboard-notes.ts'

type Scores = Record<string, Record<string, number>>

/** A run of one model, as an imported file has it. */
const makeRuns = (scores: Scores): RunResult[] =>
  Object.entries(scores).map(([modelId, cases]) => ({
    id: `run-${modelId}`,
    models: [modelId],
    status: 'completed',
    results: Object.entries(cases).map(([testCaseId, score]) => ({
      testCaseId,
      modelId,
      outcome: 'ok',
      response: 'x',
      score: { score },
    })),
  }))

const level = (score: number, from: number, to: number) =>
  Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`c${from + i}`, score + 0.01 * (i % 3)]))

describe('a leaderboard of models that do not have the same cases', () => {
  const worked = buildReport(makeRuns({ A: { c1: 1, c2: 0.5, c4: 1, c5: 0 }, B: { c1: 0.5, c2: 0.5, c3: 0, c4: 1 } }))

  it('says which cases it is over, what each model lacks, its own mean and bounds', () => {
    expect(describeLeaderboard(worked)).toEqual([
      'Scores and ranks are over the 3 of 5 cases that all models have a score for.',
      'A lacks 1 of 5 cases: own mean 62.5; 50.0 to 70.0 if they all scored 0 or 100.',
      'B lacks 1 of 5 cases: own mean 50.0; 40.0 to 60.0 if they all scored 0 or 100.',
    ])
  })
  it('says the same in every format, and has one mean of each model in JSON', () => {
    for (const format of ['html', 'markdown', 'latex', 'pr-comment'] as const)
      expect(writeReport(worked, { format })).toContain('A lacks 1 of 5 cases')
    expect(writeReport(worked, { format: 'leaderboard-csv' })).toMatch(/ownMean.*lacks/)
    const { scores, comparisons } = JSON.parse(JSON.stringify(makeRunDocument(worked)))
    expect(scores.A).toMatchObject({ mean: expect.closeTo(5 / 6), own: { mean: 0.625, lacks: 1, of: 5 } })
    expect(scores.B).toMatchObject({ mean: expect.closeTo(2 / 3), own: { mean: 0.5 } })
    const means = { [comparisons[0].modelA]: comparisons[0].meanA, [comparisons[0].modelB]: comparisons[0].meanB }
    expect(means).toEqual({ A: scores.A.mean, B: scores.B.mean })
    expect(comparisons[0].test).toBe('pooled t-test over runs')
  })
  it('a model whose hard cases are missing does not lead, and one that lacks most is left out', () => {
    const hard = level(0.3, 20, 40)
    const report = buildReport(
      makeRuns({
        easy: level(0.9, 0, 20),
        whole: { ...level(0.95, 0, 20), ...hard },
        other: { ...level(0.5, 0, 20), ...hard },
      }),
    )
    expect(report.rows.map(({ modelId, rank, isLeftOut = false }) => [modelId, rank !== undefined, isLeftOut])).toEqual(
      [
        ['whole', true, false],
        ['other', true, false],
        ['easy', false, true],
      ],
    )
    expect(describeLeaderboard(report)).toContain(
      'easy is left out of the ranking: it lacks 20 of 40 cases (own mean 91.0; 45.5 to 95.5 if they all scored 0 or 100).',
    )
  })
  it('without a case in common there is no ranking, and no number that is none', () => {
    const report = buildReport(makeRuns({ A: { c1: 1, c2: 0.5 }, B: { c3: 1 } }))
    expect(describeLeaderboard(report)[0]).toBe(
      'No ranking: there is no case that two models have a score for. Each mean is over other cases.',
    )
    expect(describeReportLead(report)).toBe('No ranking: there is no case that two models have a score for.')
    expect(report.verdictCard).toMatchObject({
      outcome: 'No ranking: there is no case that two models have a score for.',
      next: { kind: 'add-cases' },
    })
    for (const format of ['html', 'markdown', 'latex', 'leaderboard-csv'] as const)
      expect(writeReport(report, { format })).not.toMatch(/NaN|undefined/)
  })
  it('says nothing if all models have all cases and luck is small, or there is one model', () => {
    const [a, b] = [level(0.9, 0, 30), level(0.4, 0, 30)]
    expect(describeLeaderboard(buildReport(makeRuns({ a, b })))).toEqual([])
    expect(describeLeaderboard(buildReport(makeRuns({ a })))).toEqual([])
  })
  it('“beats” says whether all missing answers could turn it around', () => {
    const sentence = (a: Record<string, number>, b: Record<string, number>) =>
      buildReport(makeRuns({ a, b })).comparisons[0]!.sentence
    expect(sentence(level(0.9, 0, 39), level(0.4, 0, 40))).toContain(', even if all missing answers count against a.')
    expect(sentence(level(0.9, 0, 20), level(0.6, 0, 40))).toMatch(/^a beats b by [^,]*\)\./)
  })
})

it('rare failures: a gap of 2 points of 92 turns around at 2.2 % of cases, which 40 cannot exclude up to 7.2 %', () => {
  const wave = (score: number) =>
    Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`c${i}`, score + (i % 2 === 0 ? 0.005 : -0.005)]))
  const flat = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`c${i}`, 0.9]))
  const { comparison, sentence } = buildReport(makeRuns({ A: wave(0.92), B: flat })).comparisons[0]!
  expect(comparison.paired?.rareFailures?.rate).toBeCloseTo(0.021739, 6)
  expect(comparison.paired?.rareFailures?.possible).toBeCloseTo(0.072158, 6)
  expect(sentence).toContain(
    'Turns around if A fails completely on more than 2.2 % of cases; these 40 cannot exclude 7.2 %.',
  )
})

it('the readings of passes and failures are named once, for all models', () => {
  const row = (modelId: string, looser: number, stricter: number) => ({
    modelId,
    readings: { scored: 10, passed: 6, looser, stricter },
  })
  expect(describeReadings([row('a', 2, 1), row('b', 1, 0)])).toBe(
    '3 failures contain the expected answer, and 1 pass may not give it. Passed (read loosely, read strictly): a 60.0 % (80.0 %, 50.0 %); b 60.0 % (70.0 %, 60.0 %).',
  )
  expect(describeReadings([row('a', 0, 1)])).toBe(
    '1 pass may not give the expected answer. Passed (read strictly): a 60.0 % (50.0 %).',
  )
  expect(describeReadings([row('a', 0, 0)])).toBeUndefined()
})
