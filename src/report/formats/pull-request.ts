import { filterChanges, type CaseChange } from '../comparing/case-changes.ts'
import type { LabelledPair } from '../comparing/comparison.ts'
import type { Report } from '../model/report.ts'
import type { ReportRow } from '../model/report-row.ts'
import {
  describeCell,
  describeChanges,
  describeInterval,
  describeLead,
  describeNotCompared,
  describePassChanges,
  describeVerdict,
  excerpt,
  formatCount,
  formatDifference,
  formatP,
  formatPassed,
  formatRank,
  formatScore,
  formatSpent,
} from '../words/index.ts'
import { describeMissing } from '../words/missing.ts'
import { escapeMarkdown, table } from './markdown.ts'
import type { ReportFormat } from './report-format.ts'

/** The first line: a later comment of the same kind replaces the one that has it. */
const MARKER = '<!-- benchmaker -->'

/** The comment is read among others: it must fit a screen. */
const MAX_ROWS = 8
const MAX_CASES = 5
const MAX_ID_LENGTH = 60

const name = (modelId: string) => escapeMarkdown(excerpt(modelId, 80))

function describePair({ comparison, changes }: LabelledPair): string[] {
  const { paired } = comparison ?? {}
  return [
    paired ? formatDifference(paired.meanDiff) : '–',
    paired ? describeInterval({ low: paired.confidence95[0], high: paired.confidence95[1] }) : '–',
    paired ? formatP(paired.verdictP) : '–',
    formatCount(changes.better),
    formatCount(changes.worse),
    formatCount(changes.lost),
  ]
}

function formatPairs(pairs: readonly LabelledPair[]): string {
  const shown = pairs.slice(0, MAX_ROWS)
  const title = (pair: LabelledPair) =>
    pair.before === pair.after ? name(pair.after) : `${name(pair.labels[0])} → ${name(pair.labels[1])}`
  const left = pairs.length - shown.length
  return (
    table(
      [
        { title: 'Model' },
        ...['Change', '95 % interval', 'p', 'Better', 'Worse', 'Newly failing'].map((head) => ({
          title: head,
          right: true,
        })),
      ],
      shown.map((pair) => [title(pair), ...describePair(pair)]),
    ) + (left > 0 ? `\n… and ${formatCount(left, 'pair')} more\n` : '')
  )
}

function formatBoard({ rows }: Report): string {
  const shown = rows.slice(0, MAX_ROWS)
  const left = rows.length - shown.length
  const format = (row: ReportRow) => [
    formatRank(row.rank),
    name(row.modelId) + (row.isSimulated ? ' (simulated)' : ''),
    row.score ? `**${formatScore(row.score.mean)}**` : 'no score',
    row.score ? describeInterval(row.score) : '–',
    row.score ? formatPassed(row.score) : '–',
    formatCount(row.unscored + row.errors),
    formatSpent(row),
  ]
  return (
    table(
      [
        { title: '#', right: true },
        { title: 'Model' },
        ...['Score', '95 % interval', 'Passed', 'Missing', 'Cost'].map((head) => ({ title: head, right: true })),
      ],
      shown.map(format),
    ) + (left > 0 ? `\n… and ${formatCount(left, 'model')} more\n` : '')
  )
}

function listCases(pairs: readonly LabelledPair[], kind: 'worse' | 'better'): string[] {
  const isOne = pairs.length === 1
  const changed = pairs.flatMap((pair) => filterChanges(pair.changes, kind).map((change) => ({ pair, change })))
  const sizeOf = ({ pass, difference = 0 }: CaseChange) => Math.abs(difference) + (pass ? 1 : 0)
  const shown = changed.toSorted((a, b) => sizeOf(b.change) - sizeOf(a.change)).slice(0, MAX_CASES)
  const lines = shown.map(({ pair, change }) => {
    const whose = isOne ? '' : ` (${name(pair.labels[1])})`
    return `- ${escapeMarkdown(excerpt(change.id, MAX_ID_LENGTH))}${whose}: ${describeCell(change.before)} → ${describeCell(change.after)}`
  })
  const left = changed.length - shown.length
  return left > 0 ? [...lines, `- … and ${formatCount(left)} more`] : lines
}

function fold(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n<details><summary>${title}</summary>\n\n${lines.join('\n')}\n</details>\n`
}

/** The verdicts that matter: real differences first, then a count of the others. */
function describeVerdicts(pairs: readonly LabelledPair[]): string {
  const compared = pairs.flatMap(({ comparison, labels: [before, after] }) =>
    comparison ? [{ ...comparison, modelA: after, modelB: before }] : [],
  )
  if (compared.length === 0) return 'No case can be compared.'
  if (compared.length === 1) return describeVerdict(compared[0]!)
  const real = compared.filter(({ paired }) => paired?.isSignificant)
  if (real.length === 0)
    return `None of the ${formatCount(compared.length)} models changed by more than chance explains.`
  const worse = real.filter(({ paired }) => paired!.meanDiff < 0)
  const parts = [
    worse.length > 0 && `${formatCount(worse.length, 'model is', 'models are')} significantly worse`,
    real.length > worse.length &&
      `${formatCount(real.length - worse.length, 'model is', 'models are')} significantly better`,
    compared.length > real.length && `${formatCount(compared.length - real.length)} cannot be told apart from before`,
  ]
  return `Of ${formatCount(compared.length)} models, ${parts.filter((part) => part !== false).join(', ')}.`
}

function sumChanges(pairs: readonly LabelledPair[]) {
  const sum = (field: 'better' | 'worse' | 'same' | 'lost' | 'gained') =>
    pairs.reduce((total, { changes }) => total + changes[field], 0)
  return { better: sum('better'), worse: sum('worse'), same: sum('same'), lost: sum('lost'), gained: sum('gained') }
}

/** How many answers came from the cache: one place, so that every comment says it. */
function describeProvenance(report: Report): string[] {
  const { runs, caseCount } = report
  return [
    `${formatCount(caseCount, 'case')} × ${formatCount(report.rows.length, 'model')}`,
    ...(runs.length > 1 ? [formatCount(runs.length, 'run')] : []),
    `cost ${formatSpent(report)}`,
    ...runs.slice(0, 4).map(({ id }) => `run ${escapeMarkdown(id)}`),
  ]
}

function formatMissing({ missing }: Report): string[] {
  return missing
    .slice(0, MAX_CASES)
    .map((summary) => `- ${name(summary.modelId)}: ${escapeMarkdown(describeMissing(summary))}`)
}

/** A comment for a pull request: what got better and worse, in at most about 40 lines, with the rest folded. */
function writePullRequest(report: Report): string {
  const { title, rows, comparisons, comparison, unfinished } = report
  const pairs = comparison?.pairs ?? []
  const verdict =
    pairs.length > 0
      ? describeVerdicts(pairs)
      : describeLead(
          rows,
          comparisons.map((pair) => pair.comparison),
        )
  const changes = sumChanges(pairs)
  const counts = [
    pairs.length > 0 && describeChanges(changes),
    pairs.length > 0 && describePassChanges(changes),
    pairs.length === 1 && describeNotCompared(pairs[0]!.changes.notCompared),
  ].filter((text) => text !== false && text !== undefined)
  const notes = comparison?.notes ?? []
  return [
    `${MARKER}\n### ${escapeMarkdown(excerpt(title, 120))}\n\n**${escapeMarkdown(verdict)}**\n`,
    counts.length > 0 && `\n${counts.join(' ')} A is before, B after.\n`,
    unfinished.map(({ sentence }) => `\n**${escapeMarkdown(sentence)}.**\n`).join(''),
    `\n${pairs.length > 0 ? formatPairs(pairs) : formatBoard(report)}`,
    fold('Got worse', listCases(pairs, 'worse')),
    fold('Got better', listCases(pairs, 'better')),
    fold('Without a score', formatMissing(report)),
    fold(
      'What else differs',
      notes.slice(0, MAX_CASES).map((note) => `- ${escapeMarkdown(note)}`),
    ),
    `\n<sub>${describeProvenance(report).join(' · ')}</sub>\n`,
  ]
    .filter((part) => part !== false)
    .join('')
}

export const pullRequestFormat: ReportFormat = {
  name: 'pr-comment',
  label: 'Pull request comment',
  extension: '.pr.md',
  mediaType: 'text/markdown',
  write: writePullRequest,
}
