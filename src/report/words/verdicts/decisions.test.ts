import { describe, expect, it } from 'vitest'
import type { LiveDeciding } from '../../../contract/index.ts'
import type { ReportDecision, ReportDecisions } from '../../model/verdict/report-decisions.ts'
import { describeDecidingState, describeDecisions, describeEvidenceSoFar, formatEvidence } from './decisions.ts'

const pair: ReportDecision = {
  modelA: 'a',
  modelB: 'b',
  winner: 'a',
  at: 143,
  evidence: 21,
  adjustedP: 0.048,
  n: 143,
  meanDiff: 0.1,
  confidence95: [0, 0.2],
  wins: 30,
  losses: 12,
}
const facts: Omit<ReportDecisions, 'sentences'> = {
  question: 'all',
  isSettled: true,
  best: 'a',
  cases: 143,
  caseCount: 1000,
  pairs: [pair],
  dropped: [
    { modelId: 'a', at: 143 },
    { modelId: 'b', at: 143 },
  ],
  saved: { calls: 1714, of: 2000, cost: 1.2 },
  casesWithoutScore: 0,
}
const until = { isFinished: true, isUntil: true }

describe('what a run decided', () => {
  it('says who won at which case, what was saved and that the gap is likely too large', () => {
    expect(describeDecisions(facts, until)).toEqual([
      'Stopped when decided after 143 of 1,000 cases: a beats b.',
      'Saved 1,714 of 2,000 requests, about $1.20.',
      'An early stop makes the gap look larger; the interval allows for it.',
    ])
  })

  it('says which models were not waited for, and that there was nothing to decide', () => {
    const { winner: _winner, at: _at, ...open } = pair
    const failed = { modelId: 'c', at: 20, hasNoScore: true as const }
    const withC = [pair, { ...open, modelB: 'c' }, { ...open, modelA: 'b', modelB: 'c' }]
    expect(
      describeDecisions({ ...facts, pairs: withC, dropped: [failed, ...facts.dropped] }, until).slice(0, 2),
    ).toEqual([
      'Stopped when decided after 143 of 1,000 cases: a beats b.',
      'c was dropped after 20 cases, because none of them has a score.',
    ])
    const both = [failed, { ...failed, modelId: 'b' }]
    expect(
      describeDecisions(
        { ...facts, cases: 20, pairs: [{ ...open, modelA: 'b', modelB: 'c' }], dropped: both },
        until,
      )[0],
    ).toBe('Stopped after 20 of 1,000 cases: there is nothing to decide without scores.')
  })

  it('a screened run may decide after the screening', () => {
    const screened = { ...facts, question: 'best' as const, isSettled: false, cases: 1000, dropped: [] }
    expect(describeDecisions(screened, { isFinished: true, isUntil: false })[0]).toBe(
      'Decided after all 1,000 cases: a beats b.',
    )
  })

  it('an undecided run saved nothing and exaggerates nothing', () => {
    const { winner: _winner, at: _at, ...open } = pair
    expect(
      describeDecisions(
        { ...facts, isSettled: false, cases: 1000, dropped: [], pairs: [open], saved: { calls: 0, of: 2000 } },
        until,
      ),
    ).toEqual(['Not decided after all 1,000 cases: a and b are too close to call.'])
  })

  it('does not call models too close that differ, where the question is whether any is good enough', () => {
    const asked = { question: 'good-enough' as const, sameWithin: 0.03, isSettled: false, cases: 60, caseCount: 60 }
    expect(describeDecisions({ ...facts, ...asked, dropped: [] }, until)[0]).toBe(
      'Not decided after all 60 cases: which of a and b are within 3 points of the best is not settled.',
    )
  })

  it('names models that dropped out, and cases that do not count', () => {
    const sentences = describeDecisions(
      {
        ...facts,
        question: 'best',
        pairs: [pair, pair, pair],
        dropped: [
          { modelId: 'c', at: 12 },
          { modelId: 'd', at: 12 },
          { modelId: 'b', at: 143 },
        ],
        casesWithoutScore: 2,
      },
      until,
    )
    expect(sentences).toContain('Stopped when decided after 143 of 1,000 cases: a is the best.')
    expect(sentences).toContain('c and d were dropped after 12 cases.')
    expect(sentences.at(-1)).toMatch(/^Up to 2 cases count for no decision/)
  })

  it('says that the gap to a model that was dropped early is likely too large, also if all cases were asked', () => {
    const { winner: _winner, at: _at, ...open } = pair
    const whole = {
      ...facts,
      question: 'best' as const,
      isSettled: false,
      cases: 1000,
      pairs: [open, { ...pair, modelB: 'c', at: 12 }, { ...pair, modelA: 'b', modelB: 'c', winner: 'b', at: 30 }],
      dropped: [{ modelId: 'c', at: 12 }],
    }
    const about = (decided: typeof whole) => describeDecisions(decided, until).filter((text) => /gap/.test(text))
    expect(about(whole)).toEqual(['Dropping a model early makes the gap to c look larger; the interval allows for it.'])
    expect(about({ ...whole, dropped: [{ modelId: 'c', at: 1000 }] })).toEqual([])
    expect(about({ ...whole, pairs: [open] })).toEqual([])
  })
})

describe('evidence while a run decides', () => {
  const live: LiveDeciding = {
    cases: 40,
    caseCount: 400,
    line: 60,
    decided: 0,
    pairCount: 1,
    isSettled: false,
    pairs: [{ modelA: 'a', modelB: 'b', points: [[40, 3.46]] }],
    dropped: [],
  }

  it.each([
    [live, 'evidence 3.4 of 60'],
    [{ ...live, pairCount: 3, decided: 1 }, '1 of 3 pairs decided, evidence 3.4 of 60'],
    [{ ...live, isSettled: true }, 'decided'],
  ])('is one line', (deciding, line) => {
    expect(describeEvidenceSoFar(deciding)).toBe(line)
  })

  it('is a sentence with the winner in the end', () => {
    expect(describeDecidingState(live)).toBe('40 of 400 cases counted · evidence 3.4 of 60')
    const ended = { ...live, isSettled: true, pairs: [{ ...live.pairs[0]!, winner: 'b', at: 40 }] }
    expect(describeDecidingState(ended)).toBe('Stopped when decided after 40 of 400 cases: b beats a.')
  })

  it.each([
    [0.44, '0.4'],
    [9.99, '9.9'],
    [61.7, '61'],
    [1234.5, '1,234'],
    [1e12, 'over a million'],
  ])('%d is written %s: never rounded up to the line', (evidence, text) => {
    expect(formatEvidence(evidence)).toBe(text)
  })
})
