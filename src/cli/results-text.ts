import type { RunResult, Suite } from '../contract/index.ts'
import {
  aggregateScores,
  compareAllModels,
  describeComparison,
  formatReportLine,
  formatScore,
  indistinguishableGroups,
  multiRunStats,
  rankModels,
  summariseMissing,
  type AggregateScore,
  type MissingSummary,
  type ModelComparison,
  type MultiRunStats,
} from '../statistics/index.ts'
import { styleFor, type Style, type Terminal } from './terminal.ts'
import { cleanText, formatTable, shorten, wrapText } from './text-table.ts'

/** Everything a results table and the JSON output show, computed once. */
export interface Results {
  runs: RunResult[]
  /** Best first. For a series: the last run's. */
  scores: [model: string, score: AggregateScore][]
  stats: Map<string, MultiRunStats>
  comparisons: ModelComparison[]
  ranks: Map<string, number>
  missing: MissingSummary[]
}

function bestFirst(stats: Map<string, MultiRunStats>): MultiRunStats[] {
  return [...stats.values()].toSorted((a, b) => b.mean - a.mean)
}

export function computeResults(runs: RunResult[]): Results {
  const stats = multiRunStats(runs)
  const comparisons = compareAllModels(runs)
  const ordered = bestFirst(stats).map(({ modelId }) => modelId)
  const lastScores = aggregateScores(runs.at(-1)!)
  return {
    runs,
    scores: ordered.flatMap((model): Results['scores'] => {
      const score = lastScores.get(model)
      return score ? [[model, score]] : []
    }),
    stats,
    comparisons,
    ranks: rankModels(ordered, comparisons),
    missing: summariseMissing(runs),
  }
}

const AXIS_WIDTH = 41

/** A dot with its interval on a shared axis from 0 to 100. */
function drawInterval(mean: number, low: number, high: number, style: Style): string {
  const at = (score: number) => Math.round(score * (AXIS_WIDTH - 1))
  const cells = Array.from({ length: AXIS_WIDTH }, (_, index) => {
    if (index === at(mean)) return style('cyan', '●')
    if (index === at(low)) return '├'
    if (index === at(high)) return '┤'
    if (index > at(low) && index < at(high)) return '─'
    return style('dim', index % 10 === 0 ? '┊' : ' ')
  })
  return cells.join('')
}

function formatLeaderboard({ stats, ranks, missing }: Results, terminal: Terminal): string {
  const style = styleFor(terminal)
  const longestName = Math.max(12, terminal.columns - AXIS_WIDTH - 45)
  const missingOf = new Map(missing.map(({ modelId, unscored, errors }) => [modelId, unscored + errors]))
  const rows = bestFirst(stats).map(({ modelId, mean, overCases: { low, high, n } }) => [
      String(ranks.get(modelId) ?? ''),
      shorten(cleanText(modelId), longestName),
      style('bold', formatScore(mean)),
      `${formatScore(low)}–${formatScore(high)}`,
      drawInterval(mean, low, high, style),
      String(n),
      String(missingOf.get(modelId) ?? 0),
    ])
  return formatTable(
    [
      { title: '#', align: 'right' },
      { title: 'Model' },
      { title: 'Score', align: 'right' },
      { title: '95 % interval', align: 'right' },
      { title: '0         25        50        75      100' },
      { title: 'n', align: 'right' },
      { title: 'Missing', align: 'right' },
    ],
    rows,
  )
}

function formatComparisons({ comparisons }: Results, terminal: Terminal): string {
  const { columns } = terminal
  const style = styleFor(terminal)
  const indent = '    '
  return comparisons
    .map((comparison) => {
      const { paired } = comparison
      const mark = paired?.isSignificant ? style('green', '  ≠ ') : style('yellow', '  ≈ ')
      const sentence = `${mark}${wrapText(cleanText(describeComparison(comparison)), columns, indent)}\n`
      if (!paired) return sentence
      const effect = Number.isNaN(paired.effectSize) ? '' : ` · Hedges' g ${paired.effectSize.toFixed(2)} (${paired.effectSizeWord})`
      const figures = `p ${formatP(paired.adjustedP)}${effect} · ${paired.wins} won, ${paired.ties} tied, ${paired.losses} lost of ${paired.n} cases`
      return `${sentence}${indent}${style('dim', wrapText(figures, columns, indent))}\n`
    })
    .join('')
}

function formatP(p: number): string {
  return p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`
}

function formatGroups({ stats, comparisons }: Results): string {
  const ordered = bestFirst(stats).map(({ modelId }) => modelId)
  const different = new Set(
    comparisons.filter(({ paired }) => paired?.isSignificant).flatMap(({ modelA, modelB }) => [JSON.stringify([modelA, modelB]), JSON.stringify([modelB, modelA])]),
  )
  const groups = indistinguishableGroups(ordered, (a, b) => different.has(JSON.stringify([a, b]))).filter(({ length }) => length > 1)
  return groups.map((group) => `  Cannot be told apart: ${group.map(cleanText).join(', ')}\n`).join('')
}

function formatSeries({ runs, stats }: Results): string {
  if (runs.length < 2) return ''
  const lines = bestFirst(stats).map((entry) => `  ${formatReportLine(cleanText(entry.modelId), entry)}\n`)
  return `\nOver ${runs.length} runs of the same cases (mean ± SD over runs, interval for more such runs)\n${lines.join('')}`
}

/** Why cells are missing, and what the means would be at worst and at best. */
function formatMissing({ missing }: Results, terminal: Terminal): string {
  const lines = missing.map(({ modelId, cells, unscored, errors, reasons, boundsWithMissing: [low, high] }) => {
    const gone = unscored + errors
    const why = Object.entries(reasons)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([reason, times]) => `${times} × ${reason}`)
      .join(', ')
    if (gone === cells) return `  ${cleanText(modelId)}: none of its ${cells} cells has a score (${why})\n`
    const bounds = `its mean would be ${formatScore(low)} to ${formatScore(high)} were they all 0 or all 100`
    return `  ${cleanText(modelId)}: ${gone} without a score (${why}); ${bounds}\n`
  })
  return lines.length > 0 ? `\n${styleFor(terminal)('yellow', 'Missing')}\n${lines.join('')}` : ''
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

export function formatResults(results: Results, suite: Suite, terminal: Terminal): string {
  const { runs, comparisons } = results
  const runCount = runs.length === 1 ? '' : ` × ${runs.length} runs`
  return [
    `${styleFor(terminal)('bold', cleanText(suite.name))} · ${count(suite.testCases.length, 'case')} × ${count(new Set(runs.flatMap(({ models }) => models)).size, 'model')}${runCount}\n\n`,
    formatLeaderboard(results, terminal),
    comparisons.length > 0 ? `\nWhich differences are real (paired by case${comparisons.length > 1 ? ', Holm-corrected' : ''})\n` : '',
    formatComparisons(results, terminal),
    formatGroups(results),
    formatSeries(results),
    formatMissing(results, terminal),
  ].join('')
}

/** The JSON document of `--json`. */
export function resultsDocument({ runs, scores, stats, comparisons }: Results): unknown {
  return {
    runs,
    scores: Object.fromEntries(
      scores.map(([model, { missing, ...score }]) => [model, { ...score, unscored: missing.unscored, errors: missing.errors, missingReasons: missing.reasons }]),
    ),
    ...(runs.length > 1 && { series: Object.fromEntries(stats) }),
    comparisons,
    cost: runs.flatMap(({ results }) => results).reduce((sum, { cost = 0 }) => sum + cost, 0),
  }
}
