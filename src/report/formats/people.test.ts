import { describe, expect, it } from 'vitest'
import type { CellResult, RunResult } from '../../contract/index.ts'
import { describeInterval, formatScore } from '../words/index.ts'
import { buildReport } from '../model/report.ts'
import { formats } from '../formats.ts'
import { makeRunDocument } from './json.ts'
import { writeCsv } from './csv.ts'

const models = ['kind', 'fair']

/** A run whose judge is 20 points too kind to one model; 40 of 100 cases of each are rated by Ann, some by Bob too. */
function makeRun(change: Partial<RunResult> = {}): RunResult {
  const results = models.flatMap((modelId) =>
    Array.from({ length: 100 }, (_, index): CellResult => {
      const human = ((index * 37) % 80) / 100
      const isDrawn = index % 5 < 2
      return {
        testCaseId: `case ${index}`,
        modelId,
        outcome: 'ok',
        response: 'an answer',
        score: { score: human + (modelId === 'kind' ? 0.2 : 0) },
        ...(isDrawn && {
          ratings: [
            { rater: 'Ann', rating: human, queueId: 'q' },
            ...(index % 10 === 0 ? [{ rater: 'Bob', rating: human, note: 'so so', queueId: 'q' }] : []),
          ],
        }),
      }
    }),
  )
  const strata = models.map((modelId) => ({ modelId, cases: 100, answers: 100, drawn: 40 }))
  const queue = { id: 'q', runIds: ['run'], scale: 'points' as const, seed: 'seed 1', drawnAt: 0, strata, items: [] }
  return { id: 'run', models, results, ratingQueues: [queue], ...change }
}

const report = buildReport([makeRun()])

describe('scores corrected by ratings', () => {
  it('are the same numbers in every format', () => {
    const kind = report.people!.models.find(({ modelId }) => modelId === 'kind')!
    const { mean, low, high } = kind.estimate!
    expect(kind.judge!.mean - mean).toBeCloseTo(0.2, 2)
    // A table for a paper, a comment on a pull request and records for others are of the scores alone.
    const without = new Set(
      'latex pr-comment every-eval-ever inspect open-telemetry mlflow wandb hugging-face'.split(' '),
    )
    for (const { name, write } of formats.filter((format) => !without.has(format.name))) {
      const text = [write(report)].flat().join('')
      if (['json', 'csv', 'leaderboard-csv'].includes(name)) expect(text).toContain(String(mean))
      else {
        expect([name, text]).toEqual([name, expect.stringContaining(formatScore(mean))])
        expect([name, text]).toEqual([name, expect.stringContaining(describeInterval({ low, high }))])
      }
    }
    expect(makeRunDocument(report)['peopleRatings']).toBe(report.people)
  })

  it('have the corrected difference of each pair in words: how far apart, and whom the scores favour', () => {
    const run = makeRun({
      results: makeRun().results.map((result, index) =>
        result.modelId === 'kind'
          ? {
              ...result,
              score: { score: result.score!.score - (index % 3) / 50 },
              ...(result.ratings && {
                ratings: result.ratings.map((own) => ({ ...own, rating: own.rating! + 0.1 + (index % 3) / 100 })),
              }),
            }
          : result,
      ),
    })
    const apart = buildReport([run])
    const [pair] = apart.people!.pairs
    const { mean, low, high, leaning } = pair!.estimate!
    const sentence = `As people would score them, kind is ${formatScore(mean)} points ahead of fair (${describeInterval({ low, high })}; both answers rated on 40 of 100 cases); the scores lean ${formatScore(leaning!)} points towards kind (`
    for (const name of ['markdown', 'html']) {
      const text = [formats.find((format) => format.name === name)!.write(apart)].flat().join('')
      expect(text).toContain(sentence)
    }
    // Both got the same ratings on every case: that is no tie for certain.
    const equal = [formats.find(({ name }) => name === 'markdown')!.write(report)].flat().join('')
    expect(equal).toContain('As people would score them, kind and fair are too close to call (between fair +')
    const single = buildReport([
      makeRun({
        results: makeRun().results.map(({ ratings, ...result }, index) =>
          ratings && (result.modelId === 'kind') === (index % 2 === 0) ? { ...result, ratings } : result,
        ),
      }),
    ])
    expect([formats.find(({ name }) => name === 'markdown')!.write(single)].flat().join('')).toContain(
      'How far models are apart is not corrected yet: no case has rated answers of both, and 10 are needed.',
    )
  })

  it('come with how the answers were drawn, how far people agree and what the judge test needs', () => {
    const markdown = formats.find(({ name }) => name === 'markdown')!.write(report)
    const text = [markdown].flat().join('')
    expect(text).toContain('40 of 100 cases of each model, rated 0 to 100 (seed seed 1, 1970-01-01')
    expect(text).toContain('People agree well (2 people on 20 answers')
    expect(text).toContain('can be tested once 3 people have each rated 30 answers')
  })

  it('refuse in words: nothing drawn, too few, no better than chance', () => {
    const change = (map: (result: CellResult, index: number) => CellResult) =>
      [
        formats
          .find(({ name }) => name === 'markdown')!
          .write(buildReport([makeRun({ results: makeRun().results.map(map) })])),
      ]
        .flat()
        .join('')
    const chosen = change(({ ratings: _ratings, ...result }, index) =>
      index < 3 ? { ...result, rating: { rating: 1 } } : result,
    )
    expect(chosen).toContain('3 rated answers are not counted: hand-picked, not a random sample')
    // A table of models without an estimate, and what it would have taken, say nothing more.
    expect(chosen).not.toMatch(/no estimate|can be tested once/)
    const few = change(({ ratings, ...result }, index) =>
      index % 100 < 10 && ratings ? { ...result, ratings } : result,
    )
    expect(few).toContain('no estimate yet: 4 of at least 10 cases rated')
    const lying = change((result) => ({ ...result, score: { score: 1 - result.score!.score } }))
    expect(lying).toContain('the scores are no better than chance')
  })

  it('counts all ratings only if asked, and says so', () => {
    const all = buildReport([makeRun()], { countAllRatings: true })
    expect(all.people!.isDrawn).toBe(false)
    expect([formats.find(({ name }) => name === 'html')!.write(all)].flat().join('')).toContain('may be biased')
  })

  it('each rating is in the CSV, with its rater', () => {
    expect(writeCsv(report)).toContain('Ann: 0; Bob: 0 (so so)')
  })
})
