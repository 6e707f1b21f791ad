import { describe, expect, it } from 'vitest'
import { describeDisagreement, describeIdleCriteria, listJudgingSections } from './judging.ts'

const split = {
  testCaseId: 'sky',
  modelId: 'm',
  runNumber: 2,
  spread: 0.8,
  judges: [
    { judgeModelId: 'p', score: 0.2 },
    { judgeModelId: 'q', score: 1 },
  ],
}

describe('judges in a report', () => {
  it('that disagree come with the cases they split on', () => {
    const agreement = { judges: ['p', 'q'], answers: 9, alpha: 0.4, icc: 0.4, pairs: [], means: [] }
    const splits = { graded: 9, answers: [split], testCaseIds: ['sky'] }
    expect(describeDisagreement(agreement, splits)).toBe(
      'The judges disagree: read their reasons before relying on these scores. They are 30 points or more apart on 1 of 9 answers: case sky.',
    )
    expect(describeDisagreement({ ...agreement, alpha: Number.NaN }, splits)).toBeUndefined()
    expect(describeDisagreement(undefined, undefined)).toBeUndefined()
  })

  it('have a section for each kind of finding, and none for what there is not', () => {
    const criterion = {
      text: 'Is short',
      n: 12,
      cases: [],
      mean: 1,
      models: [
        { modelId: 'a', mean: 1, n: 6 },
        { modelId: 'b', mean: 1, n: 6 },
      ],
      neverDiscriminates: true,
    }
    const rating = { id: 'a', rating: 1042.4, low: 980, high: 1104, games: 9 }
    const sections = listJudgingSections(
      {
        splits: { graded: 9, answers: [split], testCaseIds: ['sky'] },
        missingJudges: [{ judgeModelId: 'r', answers: 1 }],
        criteria: [criterion],
        pairwise: {
          pairs: 9,
          cases: 3,
          order: { judged: 8, inconsistent: 2 },
          ratings: [rating],
          style: { ratings: [rating], weights: [{ feature: 'length', points: 35.2, low: -10.4, high: 80.8 }] },
          agreement: { models: 3, tau: 0.67, pairs: 8, agreed: 6 },
        },
      },
      { isSeries: true },
    )
    expect(sections.map(({ title, lines }) => [title, ...lines])).toEqual([
      [
        'Compared in pairs',
        '9 pairs on 3 cases; ratings with 95 % CI: a 1,042 (980 to 1,104)',
        '2 of 8 verdicts (25 %) changed with the order of the answers and count as ties.',
        "Ranking 3 models by comparisons and by scores: Kendall's tau 0.67; case by case, 6 of 8 pairs (75 %) come out the same way.",
      ],
      [
        'At equal length and formatting',
        'Ratings with 95 % CI: a 1,042 (980 to 1,104)',
        'What style is worth, in rating points: length +35 (−10 to +81)',
        expect.stringContaining('covariates'),
      ],
      [
        'Criteria',
        '“Is short” is met by all 12 answers: it tells no models apart.',
        '“Is short”: met 100 % (a 100 %, b 100 %)',
      ],
      [
        'Where the judges split',
        'The judges are 30 points or more apart on 1 of 9 answers: case sky.',
        'sky, m, run 2: p 20.0, q 100.0',
      ],
      ['Judges without a verdict', 'r gave no verdict on 1 answer; the rest of the panel scored it.'],
    ])
    expect(listJudgingSections({ missingJudges: [], criteria: [] }, { isSeries: false })).toEqual([])
  })

  it('have criteria that nobody meets named too', () => {
    const none = { text: 'Cites', n: 10, cases: [], mean: 0, models: [], neverDiscriminates: true }
    expect(describeIdleCriteria([none, { ...none, mean: 0.5 }])).toEqual([
      '“Cites” is met by none of 10 answers: it tells no models apart.',
      '“Cites” has the same verdict on all 10 answers: it tells no models apart.',
    ])
  })
})
