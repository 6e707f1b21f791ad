import { describeZoom } from '../../words/numbers.ts'
import { html } from '../../formats/html/html-markup.ts'
import { scoreAt, type Trend } from '../../../statistics/index.ts'
import { formatScoreTick, formatShortTime, shortenName } from '../../words/index.ts'
import { linearScale, niceTicks, zoomDomain } from '../scale.ts'
import { chooseTrendTicks, placeTrend, placeTrendPoints } from '../trend.ts'
import { drawLine, drawText, round, type Drawing } from './canvas.ts'

const NAME_WIDTH = 200
const PLOT_WIDTH = 560
const AXIS_WIDTH = 36
const ROW_HEIGHT = 90
const PADDING = 12
const DATE_WIDTH = 90

/** A row for each model on shared axes: the runs in order, with intervals. */
export function drawTrend(trend: Trend, title: string): Drawing | undefined {
  const { points, models } = trend
  const scores = models.map((model) =>
    points.map((point) => {
      const score = scoreAt(point, model)
      return score && { ...score, caseSet: point.caseSet }
    }),
  )
  const shown = scores.flat().flatMap((score) => score ?? [])
  if (shown.length === 0) return undefined
  const domain = zoomDomain(shown.flatMap(({ low, high }) => [low, high]))
  const left = NAME_WIDTH + AXIS_WIDTH
  const xs = placeTrendPoints(points.length, { width: PLOT_WIDTH, padding: PADDING })
  const height = models.length * ROW_HEIGHT + 20
  return {
    title,
    caption: `Each dot is the mean score of a run or series, the bar its 95 % CI. Hollow: the run did not complete, or some cases have no score. A line joins complete runs of the same cases.${describeZoom(domain)}`,
    width: left + PLOT_WIDTH,
    height,
    draw: ({ line, muted, text, mark, page }) => [
      models.map((model, row) => {
        const top = row * ROW_HEIGHT
        const { dots, lines } = placeTrend(scores[row]!, {
          width: PLOT_WIDTH,
          height: ROW_HEIGHT,
          padding: PADDING,
          domain,
        })
        const scale = linearScale(domain, [ROW_HEIGHT - PADDING, PADDING])
        return html`
${drawText(shortenName(model, 28), { x: 0, y: top + ROW_HEIGHT / 2 + 4, fill: text })}${niceTicks(...domain, 2).map((tick) => html`${drawText(formatScoreTick(tick), { x: left - 8, y: top + scale(tick) + 4, fill: muted, anchor: 'end' })}${drawLine([left, top + scale(tick)], [left + PLOT_WIDTH, top + scale(tick)], { stroke: line })}`)}${lines.map(({ from, to }) => drawLine([left + from.x, top + from.y], [left + to.x, top + to.y], { stroke: mark, width: 1.5 }))}${dots.map(({ x, y, yLow, yHigh, isComplete }) => html`${drawLine([left + x, top + yLow], [left + x, top + yHigh], { stroke: mark, width: 2 })}<circle cx="${round(left + x)}" cy="${round(top + y)}" r="3.5" fill="${isComplete ? mark : page}" stroke="${mark}" stroke-width="1.5"/>`)}`
      }),
      chooseTrendTicks(xs, DATE_WIDTH).map((index) =>
        drawText(formatShortTime(points[index]!.startedAt) ?? '', {
          x: left + Math.min(PLOT_WIDTH - DATE_WIDTH / 2, Math.max(DATE_WIDTH / 2, xs[index]!)),
          y: height - 6,
          fill: muted,
          anchor: 'middle',
        }),
      ),
    ],
  }
}
