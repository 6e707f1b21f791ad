import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ScoredRecord, ToolCallSummary } from '../../scoring/tool-calls/index.ts'
import { formatExplanation } from '../../report/words/tool-calls/explanation.ts'
import { addPartialScore } from './scored-copy.ts'
import { fixed, formatStatistics } from '../../report/words/tool-calls/statistics-text.ts'

const add = (record: string, score: number | null = 0.5, isReplaced = false) =>
  Buffer.concat(addPartialScore(Buffer.from(record), { score, isReplaced })).toString('utf8')

describe('a record with its score added', () => {
  it.each([
    ['{"a": 1.0, "b": 1e5}', '{"a": 1.0, "b": 1e5, "partial_score": 0.5}'],
    ['{"a":1.0,"b":"\\u00e9"}', '{"a":1.0,"b":"\\u00e9","partial_score":0.5}'],
    ['{\n    "a": 1\n  }', '{\n    "a": 1,\n    "partial_score": 0.5\n  }'],
    ['{\r\n\t"a": 1\r\n}', '{\r\n\t"a": 1,\r\n\t"partial_score": 0.5\r\n}'],
    ['{}', '{"partial_score": 0.5}'],
    ['{ }', '{"partial_score": 0.5}'],
    ['{"k\\"": {"partial_score": 1}}', '{"k\\"": {"partial_score": 1}, "partial_score": 0.5}'],
  ])('%j becomes %j', (record, expected) => {
    expect(add(record)).toBe(expected)
  })

  it.each([
    ['{"partial_score": 1, "b": [1, {"partial_score": 2}]}', '{"partial_score": 0.5, "b": [1, {"partial_score": 2}]}'],
    [
      '{"a": "partial_score", "partial\\u005fscore": {"x": [1]} }',
      '{"a": "partial_score", "partial\\u005fscore": 0.5 }',
    ],
    ['{"partial_score" : null , "partial_score": "x"}', '{"partial_score" : 0.5 , "partial_score": 0.5}'],
  ])('%j, which has one already, becomes %j', (record, expected) => {
    expect(add(record, 0.5, true)).toBe(expected)
  })

  it('writes whole numbers as Python does, and no score as null', () => {
    expect([add('{"a": 1}', 1), add('{"a": 1}', 0), add('{"a": 1}', null)].map((text) => text.slice(9))).toEqual([
      '"partial_score": 1.0}',
      '"partial_score": 0.0}',
      '"partial_score": null}',
    ])
  })

  it('changes nothing else, whatever the record and its indentation', () => {
    const record = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { minKeys: 0, maxKeys: 5 })
    fc.assert(
      fc.property(record, fc.constantFrom(undefined, 1, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const scored: unknown = JSON.parse(add(text, 0.25, Object.hasOwn(value, 'partial_score')))
        expect(scored).toEqual({ ...JSON.parse(text), partial_score: 0.25 })
      }),
    )
  })
})

describe('the statistics block', () => {
  const example = (taskId: string, score: number) => ({ taskId, trial: 0, score })
  const bins = { '[0.0-0.2)': 40, '[0.2-0.4)': 10, '[0.4-0.6)': 29, '[0.6-0.8)': 19, '[0.8-1.0)': 32, '[1.0]': 70 }
  const summary: ToolCallSummary = {
    credit: 'calls',
    records: 200,
    scored: 200,
    tasks: 50,
    binary: { successes: 93, of: 200, average: 0.465 },
    partial: { average: 0.644, min: 0, max: 1, interval: { low: 0.6, high: 0.7, method: 't' }, tasks: 50 },
    distribution: Object.entries(bins).map(([label, count]) => ({ label, count, share: count / 200 })),
    ranges: { perfect: 70, 'near miss': 0, 'partial success': 80, 'wrong approach': 50 },
    failedButHigh: { count: 50, examples: [example('0', 0.96), example('3', 0.83), example('6', 0.93)] },
    passedButLow: { count: 0, examples: [] },
    nearMisses: { count: 0, examples: [] },
    toolSelection: null,
    argumentPrecision: null,
    tools: [],
    arguments: [],
    passHatK: [],
    auc: null,
  }

  it('is the seed’s example output, to the column', () => {
    expect(formatStatistics(summary)).toBe(`=== SCORING STATISTICS ===
Total tasks: 200

Binary Scoring:
  Success rate: 93/200 (46.5%)
  Average: 0.465

Partial Scoring:
  Average: 0.644
  Min: 0.000
  Max: 1.000

Partial Score Distribution:
  [0.0-0.2):  40 tasks ( 20.0%)
  [0.2-0.4):  10 tasks (  5.0%)
  [0.4-0.6):  29 tasks ( 14.5%)
  [0.6-0.8):  19 tasks (  9.5%)
  [0.8-1.0):  32 tasks ( 16.0%)
  [1.0]:  70 tasks ( 35.0%)

Interesting Cases:
  Binary fail but partial > 0.7: 50 tasks
    Task 0: partial=0.96
    Task 3: partial=0.83
    Task 6: partial=0.93
`)
  })

  it('adds the second kind of case when there are any', () => {
    const text = formatStatistics({ ...summary, passedButLow: { count: 1, examples: [example('9', 0.5)] } })
    expect(text).toContain('  Binary success but partial < 0.8: 1 tasks\n    Task 9: partial=0.50\n')
  })

  it('rounds as Python’s format does: ties to even, exactly', () => {
    expect([fixed(6.25, 1), fixed(18.75, 1), fixed(0.125, 2), fixed(0.35, 1), fixed(2.5, 0), fixed(0, 3)]).toEqual([
      '6.2',
      '18.8',
      '0.12',
      '0.3',
      '2',
      '0.000',
    ])
  })
})

describe('the explanation of a record', () => {
  const record: ScoredRecord = {
    taskId: 'a\u0007',
    trial: 0,
    score: 0.7,
    scores: { calls: 0.7, effects: 0.7 },
    problems: [],
    reasons: {
      credit: 'calls',
      actions: [
        {
          index: 0,
          name: 'pay',
          arguments: { id: 'x', text: 'long '.repeat(30) },
          score: 0.7,
          kind: 'arguments differ',
          call: { index: 2, name: 'pay', arguments: { id: 'y\u009b', text: 'long '.repeat(30) } },
          argumentScore: 0.5,
          differences: [{ path: 'id', kind: 'changed', expected: 'x', actual: 'y\u009b' }],
        },
      ],
      extraCalls: [],
      leftOut: [],
    },
  }

  it('stays within the width of the terminal', () => {
    for (const columns of [60, 80, 200])
      for (const line of formatExplanation(record, { style: (_format, text) => text, columns }).split('\n'))
        expect(line.length).toBeLessThanOrEqual(columns)
  })

  it('never passes control characters of the file on to the terminal', () => {
    const shown = formatExplanation(record, { style: (_format, text) => text, columns: 80 }).replaceAll('\n', '')
    expect(shown).not.toMatch(/\p{Cc}/u)
  })

  it('marks what differs, in colour when asked', () => {
    const text = formatExplanation(record, { style: (_format, plain) => plain, columns: 80 })
    expect(text).toContain('~ pay 0.700')
    expect(text).toContain('! id: expected "x", got ')
    expect(formatExplanation(record, { style: (format, plain) => `<${format}>${plain}`, columns: 80 })).toContain(
      '<red>',
    )
  })
})
