import {
  adjustComparisons,
  comparePaired,
  type ComparisonOptions,
  type PairedComparison,
} from '../../statistics/paired-comparison.ts'
import type { RepeatsByCase } from '../../statistics/run-scores.ts'
import { isSuccess } from './score-ranges.ts'
import type { SummaryRow } from './summary.ts'

export interface ComparedFile {
  name: string
  rows: readonly SummaryRow[]
}

export interface FileComparison {
  a: string
  b: string
  measure: 'partial score' | 'success'
  /** `null` if the files have no task in common. */
  paired: PairedComparison | null
}

/** Compares every pair of files task by task; trials are averaged, p-values adjusted over all pairs of a measure. */
export function compareFiles(
  files: readonly ComparedFile[],
  options: Pick<ComparisonOptions, 'smallestDifference' | 'sameWithin'> = {},
): FileComparison[] {
  const scoreOf = ({ score }: SummaryRow) => score
  const successOf = ({ reward }: SummaryRow) => (reward === undefined ? null : isSuccess(reward) ? 1 : 0)
  const hasRewards = files.every(({ rows }) => rows.some(({ reward }) => reward !== undefined))
  return [
    ...(hasRewards ? comparePairs(files, { measure: 'success' as const, valueOf: successOf, ...options }) : []),
    ...comparePairs(files, { measure: 'partial score' as const, valueOf: scoreOf, ...options }),
  ]
}

interface Measured<Row, Measure> extends Pick<ComparisonOptions, 'smallestDifference' | 'sameWithin'> {
  measure: Measure
  valueOf: (row: Row) => number | null
}

/** Compares every pair of contestants task by task on one measure; p-values are adjusted over all pairs. */
export function comparePairs<Row extends { taskId: string }, Measure>(
  files: readonly { name: string; rows: readonly Row[] }[],
  { measure, valueOf, smallestDifference, sameWithin }: Measured<Row, Measure>,
): { a: string; b: string; measure: Measure; paired: PairedComparison | null }[] {
  const repeats = files.map(({ rows }) => collectByTask(rows, valueOf))
  const pairCount = (files.length * (files.length - 1)) / 2
  const pairs = files.flatMap((a, first) =>
    files.slice(first + 1).map((b, offset) => ({
      a: a.name,
      b: b.name,
      paired: comparePaired(repeats[first]!, repeats[first + 1 + offset]!, {
        comparisons: pairCount,
        smallestDifference,
        sameWithin,
      }),
    })),
  )
  const adjusted = adjustComparisons(
    pairs.map(({ paired }) => paired),
    { sameWithin },
  )
  return pairs.map(({ a, b }, index) => ({ a, b, measure, paired: adjusted[index] ?? null }))
}

function collectByTask<Row extends { taskId: string }>(
  rows: readonly Row[],
  valueOf: (row: Row) => number | null,
): RepeatsByCase {
  const repeats: RepeatsByCase = new Map()
  for (const row of rows) {
    const score = valueOf(row)
    if (score === null) continue
    const { taskId } = row
    const task = repeats.get(taskId) ?? { testCaseId: taskId, weight: 1, scores: [] }
    repeats.set(taskId, task)
    task.scores.push(score)
  }
  return repeats
}
