import type { ReportSummary } from '../../../report/index.ts'
import {
  describeDisagreement,
  recommendNextStep,
  formatCount,
  listJudgingSections,
} from '../../../report/words/index.ts'
import { styleFor, type Terminal } from '../terminal.ts'
import { cleanText, wrapText } from '../text-table.ts'

/** A pipe or a report has the rest. */
const MAX_LINES = 8

export interface JudgingTextOptions {
  /** Also the ratings at equal length and formatting. */
  styleControl?: boolean
}

/** Before any number: that the judges disagree. */
export function drawDisagreement({ agreement, judging }: ReportSummary, terminal: Terminal): string {
  const text = describeDisagreement(agreement, judging.splits)
  if (text === undefined) return ''
  return `${styleFor(terminal)('yellow', wrapText(cleanText(text), terminal.columns, '  '))}\n\n`
}

function drawSection(title: string, lines: readonly string[], terminal: Terminal): string {
  const shown = Number.isFinite(terminal.columns) ? lines.slice(0, MAX_LINES) : lines
  const rest = lines.length - shown.length
  const all = [...shown, ...(rest > 0 ? [`… and ${formatCount(rest)} more: pipe this output, or write a report`] : [])]
  return `\n${title}\n${all.map((line) => `  ${wrapText(cleanText(line), terminal.columns, '    ')}\n`).join('')}`
}

/** What is known about the judges and what they judged by, and what to buy next. */
export function drawJudging(
  report: ReportSummary,
  terminal: Terminal,
  { styleControl = false }: JudgingTextOptions = {},
): string {
  const { judging, runIds } = report
  const sections = listJudgingSections(judging, { isSeries: runIds.length > 1 })
    .filter(({ isOptional = false }) => styleControl || !isOptional)
    .map(({ title, lines }) => drawSection(title, lines, terminal))
  const nextStep = recommendNextStep(report)
  return sections.join('') + (nextStep === undefined ? '' : `\n${wrapText(nextStep, terminal.columns, '  ')}\n`)
}
