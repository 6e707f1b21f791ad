import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readGrade } from './read-grade.ts'

describe("the grade in a judge's answer", () => {
  it.each([
    ['{"score": 8, "reasoning": "Good."}', 8],
    ['```json\n{"score": 7.5, "reasoning": "It names 3 of 4."}\n```', 7.5],
    ['{"score": "9", "reasoning": ""}', 9],
    ['Here is my grade: {"score": 0, "reasoning": "Wrong in 2 places."}', 0],
    ['{"score": 6, "reasoning": "cut off he', 6],
    ['{"score": 10}', 10],
    ['{"score": "8/10", "reasoning": "2 of 3 parts"}', 8],
    ['{"verdict": {"score": 3}}', 3],
    ['{"score": "4', 4],
    ['My verdict is "score": 4. Done in 2 steps.', 4],
    ['Score: 8/10', 8],
    ['8 out of 10', 8],
    ['I give it 8. Yes, 8/10.', 8],
    ['7', 7],
    ['**Score:** 4.5', 4.5],
  ])('%j is %d', (answer, score) => expect(readGrade(answer)?.score).toBe(score))

  it.each([
    '',
    'Good answer!',
    '{"reasoning": "no score"}',
    '{"score": null}',
    '{"score": 11}',
    '{"score": -1}',
    '{"score": 8} or {"score": 6}',
    'Between 6 and 8.',
    '{"score": "N/A", "reasoning": "The response lists 5 items"}',
    '{"score": null, "reasoning": "3 mistakes"}',
    '{"score": null, "reasoning": "3 mist',
    '```json\n{"score": [], "reasoning": "3"}\n```',
    '{"Score": "none", "reasoning": "5"}',
    '{"score": "8 or 9"}',
    '{"score": 8, "retry": {"score": null}}',
    '{"reasoning": "3 mistakes"}',
    '{"score": true, "reasoning": "7"}',
    '85/100',
    '11/10',
    'NaN',
    '{"score": "high"}',
    '{"score": 1e3}',
  ])('%j is unreadable: it is never clamped and never 0', (answer) => expect(readGrade(answer)).toBeUndefined())

  it('keeps the reasoning', () => expect(readGrade('{"score": 8, "reasoning": "Good."}')?.reasoning).toBe('Good.'))
  it('reads any grade written as JSON', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 10, noNaN: true }), fc.string(), (score, reasoning) => {
        const text = JSON.stringify({ score, reasoning })
        // A reasoning that quotes a score adds a second one.
        if (!reasoning.includes('score')) expect(readGrade(text)?.score).toBe(score)
      }),
    )
  })
})
