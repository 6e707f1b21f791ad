import { describeZoom } from '../../words/numbers.ts'
import type { Report } from '../../model/report.ts'
import type { ReportRow } from '../../model/standings/report-row.ts'
import { html } from '../../formats/html/html-markup.ts'
import {
  describeInterval,
  formatCosts,
  formatCount,
  formatDifference,
  formatDurations,
  formatScore,
  formatScoreTick,
  shortenName,
} from '../../words/index.ts'
import { boundedScale, linearScale, niceTicks, zoomDomain } from '../scale.ts'
import { listCostPoints } from '../cost-points.ts'
import { findFrontier, placeScatter, type ScatterPoint } from '../scatter.ts'
import { placeStrip } from '../strip.ts'
import { drawInterval, drawLine, drawText, round, type Drawing } from './canvas.ts'
import { describeCaseRange } from '../../words/cases.ts'
import { intervalOf } from '../../words/verdicts/pairs/gap.ts'

const WIDTH = 760
const NAME_WIDTH = 230
const FIGURE_WIDTH = 150
const ROW_HEIGHT = 30
const AXIS_HEIGHT = 22
const MAX_NAME_LENGTH = 34

/** What a chart of results is drawn from: a report, or what a page shows of one. */
export type ChartedReport = Pick<Report, 'title' | 'rows' | 'comparisons' | 'series' | 'costs'>

interface Interval {
  name: string
  mean: number
  low: number
  high: number
  figure: string
}

/** A row for each interval on one axis. */
function drawIntervals(
  rows: readonly Interval[],
  {
    domain,
    formatTick,
    isZeroMarked = false,
  }: { domain: [number, number]; formatTick: (value: number) => string; isZeroMarked?: boolean },
): Pick<Drawing, 'width' | 'height' | 'draw'> {
  const [start, end] = [NAME_WIDTH + 12, WIDTH - FIGURE_WIDTH - 12]
  const scale = linearScale(domain, [start, end])
  const within = boundedScale(domain, [start, end])
  const height = AXIS_HEIGHT + rows.length * ROW_HEIGHT
  return {
    width: WIDTH,
    height,
    draw: ({ line, muted, text, mark }) => [
      niceTicks(...domain, 5).map(
        (tick) =>
          html`${drawText(formatTick(tick), { x: scale(tick), y: 12, fill: muted, anchor: 'middle' })}${drawLine([scale(tick), AXIS_HEIGHT], [scale(tick), height], { stroke: isZeroMarked && Math.abs(tick) < 1e-12 ? muted : line })}`,
      ),
      rows.map(({ name, mean, low, high, figure }, index) => {
        const y = AXIS_HEIGHT + index * ROW_HEIGHT + ROW_HEIGHT / 2
        return html`
${drawText(shortenName(name, MAX_NAME_LENGTH), { x: 0, y: y + 4, fill: text })}${drawInterval({ low: within(low), mean: within(mean), high: within(high) }, y, mark)}${drawText(figure, { x: WIDTH, y: y + 4, fill: text, anchor: 'end' })}`
      }),
    ],
  }
}

const isScored = (row: ReportRow): row is ReportRow & { score: NonNullable<ReportRow['score']> } =>
  row.score !== undefined

/** Mean and interval of each model. */
export function drawLeaderboard({ title, rows }: Pick<ChartedReport, 'title' | 'rows'>): Drawing | undefined {
  const scored = rows.filter(isScored)
  if (scored.length === 0) return undefined
  const without = rows.length - scored.length
  return {
    title,
    caption: `Mean score (0 to 100) with its 95 % confidence interval over ${describeCaseRange(scored.map(({ score }) => score.n))}.${without > 0 ? ` ${formatCount(without, 'model has', 'models have')} no score.` : ''}${scored.some(({ isSimulated }) => isSimulated) ? ' Answers of demo models are simulated.' : ''}`,
    ...drawIntervals(
      scored.map(({ modelId, score }) => ({
        name: modelId,
        ...score,
        figure: `${formatScore(score.mean)}  (${describeInterval(score)})`,
      })),
      { domain: [0, 1], formatTick: formatScoreTick },
    ),
  }
}

/** More pairs would not fit a page. */
const MAX_PAIRS = 40

/** The difference of each compared pair with its interval. */
export function drawDifferences({ title, comparisons }: ChartedReport): Drawing | undefined {
  const pairs = comparisons.flatMap(({ comparison: { modelA, modelB, paired } }) =>
    paired ? [{ name: `${shortenName(modelA, 16)} − ${shortenName(modelB, 16)}`, paired }] : [],
  )
  if (pairs.length === 0) return undefined
  const reach = Math.max(0.05, ...pairs.flatMap(({ paired }) => intervalOf(paired).map(Math.abs))) * 1.05
  const shown = pairs.slice(0, MAX_PAIRS)
  return {
    title,
    caption: `Difference of mean scores in points, with its 95 % CI, paired by case${pairs.length > 1 ? ` and for all ${formatCount(pairs.length)} pairs together` : ''}; a difference is real if its interval lies on one side of 0.${pairs.length > shown.length ? ` ${formatCount(pairs.length - shown.length, 'pair')} not drawn.` : ''}`,
    ...drawIntervals(
      shown.map(({ name, paired }) => {
        const [low, high] = intervalOf(paired)
        const figure = `${formatDifference(paired.meanDiff)}  (${describeInterval({ low, high })})`
        return { name, mean: paired.meanDiff, low, high, figure }
      }),
      { domain: [-reach, reach], formatTick: (value) => formatDifference(value), isZeroMarked: true },
    ),
  }
}

const SCATTER = { width: WIDTH, height: 380, margin: { top: 10, right: 24, bottom: 40, left: 40 } }

function drawScatter(
  points: readonly ScatterPoint[],
  {
    title,
    caption,
    axis,
    formatTicks,
  }: { title: string; caption: string; axis: string; formatTicks: (values: number[]) => string[] },
): Drawing | undefined {
  if (points.length === 0) return undefined
  const { width, height, margin } = SCATTER
  const plot = placeScatter(points, SCATTER)
  const best = findFrontier(points)
  const frontier = plot.points
    .filter(({ id }) => best.has(id))
    .toSorted((a, b) => a.x - b.x)
    .map(({ x, y }) => [x, y] as const)
  const labels = formatTicks(plot.xTicks.map(({ value }) => value))
  const bottom = height - margin.bottom
  return {
    title,
    caption,
    width,
    height,
    draw: ({ line, muted, text, mark, page }) => [
      plot.yTicks.map(
        ({ value, at }) =>
          html`${drawLine([margin.left, at], [width - margin.right, at], { stroke: line })}${drawText(formatScoreTick(value), { x: margin.left - 6, y: at + 4, fill: muted, anchor: 'end' })}`,
      ),
      plot.xTicks.map(
        ({ at }, index) =>
          html`${drawLine([at, bottom], [at, bottom + 4], { stroke: muted })}${drawText(labels[index]!, { x: at, y: bottom + 17, fill: muted, anchor: 'middle' })}`,
      ),
      drawLine([margin.left, bottom], [width - margin.right, bottom], { stroke: muted }),
      drawText(`${plot.isLog ? `${axis}, logarithmic` : axis} →`, {
        x: width - margin.right,
        y: height - 4,
        fill: muted,
        anchor: 'end',
      }),
      frontier.length > 1 &&
        html`<path d="${frontier.map(([x, y], index) => `${index === 0 ? `M${round(x)}` : `H${round(x)}V`} ${round(y)}`).join('')}H${width - margin.right}" fill="none" stroke="${mark}" stroke-dasharray="4 3"/>`,
      plot.points.map(({ id, x, y, xLow, xHigh, yLow, yHigh }) => {
        const isOff = frontier.length > 1 && !best.has(id)
        const look = { stroke: isOff ? muted : mark, width: 2 }
        return html`${drawLine([x, yLow], [x, yHigh], look)}${xHigh > xLow && drawLine([xLow, y], [xHigh, y], look)}<circle cx="${round(x)}" cy="${round(y)}" r="4.5" fill="${isOff ? page : mark}" stroke="${look.stroke}" stroke-width="2"/>`
      }),
      plot.points.map(
        ({ label }) =>
          label &&
          html`<text x="${round(label.x)}" y="${round(label.y)}" text-anchor="${label.anchor}" fill="${text}" stroke="${page}" stroke-width="3" paint-order="stroke">${label.text}</text>`,
      ),
    ],
  }
}

function listPoints(rows: readonly ReportRow[], xOf: (row: ReportRow) => number | undefined): ScatterPoint[] {
  return rows.filter(isScored).flatMap((row) => {
    const x = xOf(row)
    return x === undefined
      ? []
      : [{ id: row.modelId, x, mean: row.score.mean, low: row.score.low, high: row.score.high }]
  })
}

/** Score against the cost of 1,000 answers, each with its interval. Models without a known price are left out. */
export function drawCost({ title, rows, costs }: ChartedReport): Drawing | undefined {
  if (costs)
    return drawScatter(listCostPoints(costs, rows), {
      title,
      caption: 'Mean score against the cost of 1,000 answers. Lines: 95 % CI. Dashed: best for the price.',
      axis: 'Cost of 1,000 answers',
      formatTicks: formatCosts,
    })
  return drawScatter(
    listPoints(rows, ({ cost, isCostKnown }) => (isCostKnown && cost.unknown === 0 ? cost.total : undefined)),
    {
      title,
      caption: 'Mean score with its 95 % CI against the cost of the answers: upper left is best.',
      axis: 'Cost',
      formatTicks: formatCosts,
    },
  )
}

/** Score against median latency. */
export function drawLatency({ title, rows }: ChartedReport): Drawing | undefined {
  return drawScatter(
    listPoints(rows, ({ medianLatencyMs }) => medianLatencyMs),
    {
      title,
      caption: 'Mean score with its 95 % CI against the median latency: upper left is best.',
      axis: 'Median latency',
      formatTicks: formatDurations,
    },
  )
}

const DOT_SIZE = 8

/** Each run of a series as a dot. */
export function drawRuns({ title, series }: Pick<ChartedReport, 'title' | 'series'>): Drawing | undefined {
  const strips = series.filter(({ scores }) => scores.length > 1)
  if (strips.length === 0) return undefined
  const [start, end] = [NAME_WIDTH + 12, WIDTH - 12]
  const domain = zoomDomain(strips.flatMap(({ scores, confidence95 }) => [...scores, ...confidence95]))
  const scale = linearScale(domain, [start, end])
  const within = boundedScale(domain, [start, end])
  const placed = strips.map((stats) => {
    const dots = placeStrip(stats.scores, { scale, diameter: DOT_SIZE })
    return { stats, dots, half: Math.max(4, ...dots.map(({ y }) => Math.abs(y))) + 12 }
  })
  const height = AXIS_HEIGHT + placed.reduce((sum, { half }) => sum + 2 * half, 0)
  return {
    title,
    caption: `Each dot is the score of one run; the tick is the mean, the band its 95 % CI over runs.${describeZoom(domain)}`,
    width: WIDTH,
    height,
    draw: ({ line, muted, text, mark }) => {
      let top = AXIS_HEIGHT
      return [
        niceTicks(...domain, 5).map(
          (tick) =>
            html`${drawText(formatScoreTick(tick), { x: scale(tick), y: 12, fill: muted, anchor: 'middle' })}${drawLine([scale(tick), AXIS_HEIGHT], [scale(tick), height], { stroke: line })}`,
        ),
        placed.map(({ stats: { modelId, mean, confidence95 }, dots, half }) => {
          const y = top + half
          top += 2 * half
          const [low, high] = [within(confidence95[0]), within(confidence95[1])]
          return html`
${drawText(shortenName(modelId, MAX_NAME_LENGTH), { x: 0, y: y + 4, fill: text })}<rect x="${round(low)}" y="${round(y - 7)}" width="${round(Math.max(1, high - low))}" height="14" rx="2" fill="${mark}" fill-opacity="0.14"/>${drawLine([within(mean), y - 9], [within(mean), y + 9], { stroke: mark, width: 2 })}${dots.map((dot) => html`<circle cx="${round(dot.x)}" cy="${round(y + dot.y)}" r="3.5" fill="${mark}"/>`)}`
        }),
      ]
    },
  }
}
