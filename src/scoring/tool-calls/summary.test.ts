import { describe, expect, it } from 'vitest'
import { compareFiles } from './comparison.ts'
import { scoreRecord } from './score-record.ts'
import { createSummary } from './summary.ts'
import type { ToolCallRecord } from './calls.ts'

const record = (taskId: string, trial: number, { reward, ...rest }: Partial<ToolCallRecord>): ToolCallRecord => ({
  taskId,
  trial,
  ...(reward !== undefined && { reward }),
  expected: [{ name: 'pay', arguments: { payment_id: 'x', amount: 1 } }],
  calls: [{ name: 'pay', arguments: { payment_id: 'x', amount: 1 } }],
  problems: [],
  ...rest,
})
const wrongId = { calls: [{ name: 'pay', arguments: { payment_id: 'y', amount: 1 } }], reward: 0 }
const silent = { calls: [], reward: 0 }

function summarise(records: ToolCallRecord[]) {
  const summary = createSummary('calls')
  for (const toolCallRecord of records) summary.add(scoreRecord(toolCallRecord, { credit: 'calls' }))
  return { ...summary.finish(), rows: summary.rows() }
}

describe('summary of scored records', () => {
  const summary = summarise([
    record('1', 0, { reward: 1 }),
    record('1', 1, wrongId),
    record('2', 0, silent),
    record('2', 1, wrongId),
    record('3', 0, { reward: 1, expected: null }),
  ])

  it('counts scored records, and never scores a record without expectations as zero', () => {
    expect(summary).toMatchObject({ records: 5, scored: 4, tasks: 3, binary: { successes: 2, of: 5, average: 0.4 } })
    expect(summary.partial).toMatchObject({ average: (1 + 0.7 + 0 + 0.7) / 4, min: 0, max: 1 })
    expect(summary.distribution.map(({ count }) => count)).toEqual([1, 0, 0, 2, 0, 1])
  })

  it('counts which tools and arguments went wrong', () => {
    expect(summary.toolSelection).toEqual({ right: 3, of: 4 })
    expect(summary.argumentPrecision).toEqual({ mean: 2 / 3, of: 3 })
    expect(summary.tools).toEqual([{ tool: 'pay', expected: 4, exact: 1, argumentsDiffer: 2, missing: 1, extra: 0 }])
    expect(summary.arguments).toEqual([{ tool: 'pay', argument: 'payment_id', wrong: 2, of: 3 }])
  })

  it('estimates pass^k up to the fewest trials of a task: (1/2 + 0 + 1)/3 here', () => {
    expect(summary.passHatK.map(({ k, mean }) => [k, mean])).toEqual([[1, 0.5]])
  })

  it('has the AUC of both credits against the reward', () => {
    expect(summary.auc).toEqual({ calls: 1, effects: 1, successes: 1, failures: 3 })
  })

  it('counts a failed record with a score of 0.9 or more as a near miss', () => {
    const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, index]))
    const near = record('4', 0, {
      reward: 0,
      expected: [{ name: 'pay', arguments: eleven }],
      calls: [{ name: 'pay', arguments: { ...eleven, k0: 'other' } }],
    })
    expect(summarise([near]).nearMisses).toMatchObject({ count: 1, examples: [{ taskId: '4' }] })
  })
})

describe('comparison of files', () => {
  it('pairs by task, averages trials and adjusts p-values over the pairs', () => {
    const tasks = Array.from({ length: 12 }, (_, task) => String(task))
    const good = summarise(tasks.flatMap((task) => [record(task, 0, { reward: 1 }), record(task, 1, { reward: 1 })]))
    const bad = summarise(tasks.map((task) => record(task, 0, wrongId)))
    const worse = summarise(
      tasks
        .slice(0, 6)
        .reverse()
        .map((task) => record(task, 0, silent)),
    )
    const comparisons = compareFiles([
      { name: 'good', rows: good.rows },
      { name: 'bad', rows: bad.rows },
      { name: 'worse', rows: worse.rows },
    ])
    expect(comparisons.map(({ a, b, measure }) => `${measure}: ${a} ${b}`)).toHaveLength(6)
    const scores = comparisons.find(({ a, b, measure }) => a === 'good' && b === 'bad' && measure === 'partial score')
    expect(scores?.paired?.n).toBe(12)
    expect(scores?.paired?.meanDiff).toBeCloseTo(0.3, 12)
    // Exact sign flips: 2 of 2^12 are as extreme. All differences are the same, so what is unseen counts: 1.3^-12.
    expect(scores?.paired?.permutationP).toBeCloseTo(2 / 4096, 12)
    expect(scores?.paired?.verdictP).toBeCloseTo(1.3 ** -12, 12)
    // Holm over 3 pairs: 2 · 1.7^-6 of "bad" and "worse" is the larger one.
    expect(scores?.paired?.adjustedP).toBeCloseTo(2 * 1.7 ** -6, 12)
    const success = comparisons.find(({ a, b, measure }) => a === 'good' && b === 'bad' && measure === 'success')
    // McNemar's mid-p of 12 : 0, times 3.
    expect(success?.paired?.adjustedP).toBeCloseTo(3 / 4096, 12)
    expect(success?.paired?.isSignificant).toBe(true)
  })
})
