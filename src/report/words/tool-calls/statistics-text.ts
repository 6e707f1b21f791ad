// oxlint-disable house/no-number-format -- The text is the one that the original Python script prints, digit by digit.
import { makeVisibleLine } from '../visible-text.ts'
import type { Example, ToolCallSummary } from '../../../scoring/tool-calls/index.ts'

/** The statistics in the exact layout of the reference implementation. */
export function formatStatistics(summary: ToolCallSummary): string {
  const { records, binary, partial, distribution, failedButHigh, passedButLow } = summary
  return [
    '=== SCORING STATISTICS ===',
    `Total tasks: ${records}`,
    '',
    'Binary Scoring:',
    ...(binary
      ? [
          `  Success rate: ${binary.successes}/${binary.of} (${fixed((binary.successes / binary.of) * 100, 1)}%)`,
          `  Average: ${fixed(binary.average, 3)}`,
        ]
      : ['  No rewards in this file']),
    '',
    'Partial Scoring:',
    ...(partial
      ? [
          `  Average: ${fixed(partial.average, 3)}`,
          `  Min: ${fixed(partial.min, 3)}`,
          `  Max: ${fixed(partial.max, 3)}`,
        ]
      : ['  No scores']),
    '',
    'Partial Score Distribution:',
    ...distribution.map(
      ({ label, count, share }) =>
        `  ${label}: ${String(count).padStart(3)} tasks (${fixed(share * 100, 1).padStart(5)}%)`,
    ),
    '',
    'Interesting Cases:',
    ...formatCases('Binary fail but partial > 0.7', failedButHigh),
    ...(passedButLow.count > 0 ? formatCases('Binary success but partial < 0.8', passedButLow) : []),
    '',
  ].join('\n')
}

function formatCases(title: string, { count, examples }: { count: number; examples: Example[] }): string[] {
  return [
    `  ${title}: ${count} tasks`,
    ...examples.map(({ taskId, score }) => `    Task ${makeVisibleLine(taskId)}: partial=${fixed(score, 2)}`),
  ]
}

/** Rounds like Python's format: a value exactly between two goes to the even one. */
export function fixed(value: number, digits: number): string {
  const exact = value.toFixed(20)
  const cut = exact.indexOf('.') + 1 + digits
  if (!/^50*$/.test(exact.slice(cut))) return value.toFixed(digits)
  const below = digits === 0 ? exact.slice(0, cut - 1) : exact.slice(0, cut)
  return /[02468]$/.test(below) ? below : value.toFixed(digits)
}
