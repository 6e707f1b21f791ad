import { describe, expect, it } from 'vitest'
import { describeAuditReplies, formatAuditFigure, formatAuditInterval, summariseAudit } from './audit.ts'

describe('words of an audit', () => {
  it('show a figure by its unit', () => {
    const interval = { low: -0.012, high: 0.2 }
    expect(formatAuditFigure({ unit: 'points', value: 0.104 })).toBe('10.4')
    expect(formatAuditFigure({ unit: 'change', value: 0.104 })).toBe('+10.4')
    expect(formatAuditFigure({ unit: 'share', value: 0.104 })).toBe('10 %')
    expect(formatAuditFigure({ unit: 'correlation', value: 0.104 })).toBe('0.10')
    expect(formatAuditInterval({ unit: 'change', ...interval })).toBe('−1.2 to 20.0')
    expect(formatAuditInterval({ unit: 'share', low: 0, high: 0.2 })).toBe('0 to 20 %')
    expect(formatAuditInterval({ unit: 'correlation', ...interval })).toBe('−0.01 to 0.20')
  })

  it('say what a judge replied, by what it was shown', () => {
    const replies = [
      { label: 'as it is', score: 0.5 },
      { label: 'as it is', score: 0.6 },
      { label: 'padded', problem: 'unreadable' },
    ]
    expect(describeAuditReplies({ replies })).toBe('as it is: 50, 60 · padded: no score')
    expect(
      describeAuditReplies({
        replies: [
          { label: 'A first', winner: 'first' },
          { label: 'B first', winner: 'tie' },
        ],
      }),
    ).toBe('A first: the first wins · B first: a tie')
  })

  it('sum up what was found; not tested is never "no fault found"', () => {
    expect(summariseAudit([{ audit: 'position', status: 'not-found' }])).toBe('No fault found')
    expect(summariseAudit([{ audit: 'position', status: 'not-tested' }])).toBe('not tested: position')
    expect(
      summariseAudit([
        { audit: 'position', status: 'found' },
        { audit: 'canaries', status: 'not-tested' },
        { audit: 'verbosity', status: 'not-found' },
      ]),
    ).toBe('Prefers a position; not tested: canaries')
  })
})
