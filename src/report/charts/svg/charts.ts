import { InputError } from '../../../contract/index.ts'
import { writeDrawing, type ChartTheme, type Drawing } from './canvas.ts'
import {
  drawCost,
  drawDifferences,
  drawLatency,
  drawLeaderboard,
  drawRuns,
  type ChartedReport,
} from './report-charts.ts'

interface ReportChart {
  /** Shown in menus and help. */
  label: string
  draw(report: ChartedReport): Drawing | undefined
  /** Why there is no such chart of a report. */
  missing: string
}

/** The charts of a report, in menu order. */
export const reportCharts = {
  leaderboard: { label: 'Leaderboard', draw: drawLeaderboard, missing: 'no model has a score' },
  differences: { label: 'Differences', draw: drawDifferences, missing: 'no two models can be compared' },
  cost: { label: 'Score and cost', draw: drawCost, missing: 'no model has a score and a known cost' },
  latency: { label: 'Score and latency', draw: drawLatency, missing: 'no model has a score and a latency' },
  runs: { label: 'Runs of a series', draw: drawRuns, missing: 'only a series of two or more runs has it' },
} satisfies Record<string, ReportChart>

export type ReportChartKind = keyof typeof reportCharts

export const reportChartKinds = Object.keys(reportCharts) as ReportChartKind[]

/** The chart as an SVG file. Throws if the report does not have it. */
export function writeChart(report: ChartedReport, kind: ReportChartKind, theme: ChartTheme = 'light'): string {
  const { draw, missing } = reportCharts[kind]
  const drawing = draw(report)
  if (!drawing) throw new InputError(`there is nothing to draw: ${missing}`)
  return writeDrawing(drawing, theme)
}
