import type { FileComparison, ToolCallSummary } from '../../../scoring/tool-calls/index.ts'
import {
  describeInterval,
  describePlan,
  describeVerdictTest,
  formatCount,
  formatP,
  formatPoints,
  joinWords,
  BEATS,
  TOO_CLOSE,
} from '../index.ts'
import { makeVisibleLine } from '../visible-text.ts'
import { fixed } from './statistics-text.ts'

const MAX_ROWS = 12

/** Printed after the statistics: how good the score is, and which tools and arguments went wrong. */
export function formatInsights(summary: ToolCallSummary): string {
  const { credit, auc, partial, ranges, toolSelection, argumentPrecision, nearMisses, passHatK } = summary
  const share = (part: number, whole: number) => `${part}/${whole} (${fixed((part / whole) * 100, 1)}%)`
  const lines = [
    `=== TOOL CALLS (${credit} credit) ===`,
    ...(partial
      ? [`Mean ${fixed(partial.average, 3)}, 95% interval over ${partial.tasks} tasks ${bounds(partial.interval)}`]
      : []),
    Object.entries(ranges)
      .map(([label, count]) => `${label} ${count}`)
      .join(', '),
    ...(toolSelection
      ? [`Tool selection: ${share(toolSelection.right, toolSelection.of)} of the expected calls were made`]
      : []),
    ...(argumentPrecision
      ? [`Argument precision: ${fixed(argumentPrecision.mean, 3)} over ${argumentPrecision.of} calls of the right tool`]
      : []),
    ...(summary.binary
      ? [
          `Near misses (failed with 0.9 or more): ${nearMisses.count}`,
          ...nearMisses.examples.map(
            ({ taskId, trial, score }) => `  Task ${makeVisibleLine(taskId)}, trial ${trial}: ${fixed(score, 3)}`,
          ),
        ]
      : []),
    ...(auc
      ? [
          `AUC against the reward: calls ${fixed(auc.calls, 3)}, effects ${fixed(auc.effects, 3)} ` +
            `(0.5 is chance; ${auc.successes} successes, ${auc.failures} failures)`,
        ]
      : []),
    ...(passHatK.length > 0
      ? [passHatK.map(({ k, mean, low, high }) => `pass^${k} ${fixed(mean, 3)} ${bounds({ low, high })}`).join('  ')]
      : []),
    ...formatTools(summary),
    ...formatArguments(summary),
    '',
  ]
  return lines.join('\n')
}

function bounds({ low, high }: { low: number; high: number }): string {
  return `[${fixed(low, 3)}, ${fixed(high, 3)}]`
}

function formatTools({ tools }: ToolCallSummary): string[] {
  const rows = tools.filter(({ argumentsDiffer, missing, extra }) => argumentsDiffer + missing + extra > 0)
  if (rows.length === 0) return []
  const shown = rows.slice(0, MAX_ROWS)
  const width = Math.max(4, ...shown.map(({ tool }) => makeVisibleLine(tool).length))
  const columns = (cells: (string | number)[]) => cells.map((cell) => String(cell).padStart(9)).join('')
  return [
    '',
    `${'Tool'.padEnd(width)}${columns(['expected', 'exact', 'differs', 'missing', 'extra'])}`,
    ...shown.map(
      ({ tool, expected, exact, argumentsDiffer, missing, extra }) =>
        `${makeVisibleLine(tool).padEnd(width)}${columns([expected, exact, argumentsDiffer, missing, extra])}`,
    ),
    ...more(rows.length),
  ]
}

function formatArguments({ arguments: rows }: ToolCallSummary): string[] {
  if (rows.length === 0) return []
  const shown = rows.slice(0, MAX_ROWS)
  const width = Math.max(...shown.map(({ tool }) => makeVisibleLine(tool).length))
  return [
    '',
    'Arguments most often wrong, where the tool was called:',
    ...shown.map(
      ({ tool, argument, wrong, of }) =>
        `  ${makeVisibleLine(tool).padEnd(width)}  \`${makeVisibleLine(argument)}\` wrong in ${wrong} of ${of}`,
    ),
    ...more(rows.length),
  ]
}

function more(count: number): string[] {
  return count > MAX_ROWS ? [`  … and ${count - MAX_ROWS} more (--json has them all)`] : []
}

/** The names of formats for a reader. */
const FORMAT_NAMES: Readonly<Record<string, string>> = {
  'tau-bench': 'tau-bench',
  'tau2-bench': 'tau2-bench',
  bfcl: 'BFCL',
  'openai-messages': 'OpenAI messages',
  'anthropic-messages': 'Anthropic messages',
}

/** Why results of different benchmarks must not be compared like two agents on the same tasks; empty if they are the same. */
export function warnOfFormats(files: readonly { name: string; format: string }[]): string[] {
  const byFormat = Map.groupBy(files, ({ format }) => format)
  if (byFormat.size < 2) return []
  const named = [...byFormat].map(
    ([format, own]) => `${own.map(({ name }) => name).join(', ')} (${FORMAT_NAMES[format] ?? format})`,
  )
  const areTau = byFormat.has('tau-bench') && byFormat.has('tau2-bench')
  return [
    `These files are of different benchmarks: ${joinWords(named)}. ${
      areTau
        ? 'tau2-bench has other tasks under the same numbers, gives the simulated user tools and judges by other checks, so a difference says nothing about which agent is better.'
        : 'Tasks with the same id need not be the same, so a difference says nothing about which agent is better.'
    }`,
  ]
}

/** Compares files task by task. */
export function formatComparisons(comparisons: readonly FileComparison[]): string {
  return ['=== COMPARISON, TASK BY TASK ===', ...comparisons.map(formatComparison), ''].join('\n')
}

/** Compares two files: which is better and by how much, then the tasks behind it. */
export function formatComparison({ a, b, measure, paired }: FileComparison): string {
  if (!paired) return `${measure}: ${a} and ${b} have no task in common`
  const { meanDiff, shownInterval, n, wins, ties, losses, verdictP, verdictTest, adjustedP, isSignificant, plan } =
    paired
  const [low, high] = shownInterval
  const [better, worse] = meanDiff >= 0 ? [a, b] : [b, a]
  const [from, to] = meanDiff >= 0 ? [low, high] : [-high, -low]
  const size = `${formatPoints(meanDiff)} (${describeInterval([from, to])})`
  const verdict = isSignificant
    ? `${better} ${BEATS} ${worse} by ${size}`
    : `${a} and ${b} are ${TOO_CLOSE}; the difference is ${size}${meanDiff === 0 ? '' : ` for ${better}`}`
  const p =
    adjustedP === verdictP ? formatP(verdictP) : `${formatP(verdictP)}, after Holm's correction ${formatP(adjustedP)}`
  const needed = plan ? `\n  ${describePlan(plan, { case: 'task', run: 'trial' })}` : ''
  return `${measure}: ${verdict}\n  ${formatCount(n, 'task')} in common, ${a} better on ${formatCount(wins)}, equal on ${formatCount(ties)}, worse on ${formatCount(losses)}; ${describeVerdictTest(verdictTest)} ${p}${needed}`
}
