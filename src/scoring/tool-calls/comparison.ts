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
  { smallestDifference }: Pick<ComparisonOptions, 'smallestDifference'> = {},
): FileComparison[] {
  const scoreOf = ({ score }: SummaryRow) => score
  const successOf = ({ reward }: SummaryRow) => (reward === undefined ? null : isSuccess(reward) ? 1 : 0)
  const hasRewards = files.every(({ rows }) => rows.some(({ reward }) => reward !== undefined))
  return [
    ...(hasRewards ? comparePairs(files, { measure: 'success', valueOf: successOf, smallestDifference }) : []),
    ...comparePairs(files, { measure: 'partial score', valueOf: scoreOf, smallestDifference }),
  ]
}

interface Measured extends Pick<ComparisonOptions, 'smallestDifference'> {
  measure: FileComparison['measure']
  valueOf: (row: SummaryRow) => number | null
}

function comparePairs(
  files: readonly ComparedFile[],
  { measure, valueOf, smallestDifference }: Measured,
): FileComparison[] {
  const repeats = files.map(({ rows }) => collectByTask(rows, valueOf))
  const pairCount = (files.length * (files.length - 1)) / 2
  const pairs = files.flatMap((a, first) =>
    files.slice(first + 1).map((b, offset) => ({
      a: a.name,
      b: b.name,
      paired: comparePaired(repeats[first]!, repeats[first + 1 + offset]!, {
        comparisons: pairCount,
        smallestDifference,
      }),
    })),
  )
  const adjusted = adjustComparisons(pairs.map(({ paired }) => paired))
  return pairs.map(({ a, b }, index) => ({ a, b, measure, paired: adjusted[index] ?? null }))
}

function collectByTask(rows: readonly SummaryRow[], valueOf: (row: SummaryRow) => number | null): RepeatsByCase {
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
