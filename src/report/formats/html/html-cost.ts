import { findFrontier, placeScatter, type ScatterBox, type ScatterPoint } from '../../charts/scatter.ts'
import { listCostPoints } from '../../charts/cost-points.ts'
import type { Report } from '../../model/report.ts'
import { formatCosts, formatScoreTick } from '../../words/index.ts'
import { findUnitCost } from '../../words/verdicts/recommendations.ts'
import { html, type Content, type Markup } from './html-markup.ts'

const MARGIN = { top: 18, right: 16, bottom: 40, left: 32 }
/** Two drawings of one plot: scaled down to a phone, the letters of the wide one could not be read. */
const SIZES = [
  ['wide', { width: 560, height: 300, margin: MARGIN }],
  ['narrow', { width: 340, height: 280, margin: MARGIN }],
] as const satisfies [string, ScatterBox][]

const round = (value: number) => Math.round(value * 10) / 10

function drawPlot(points: readonly ScatterPoint[], look: string, box: ScatterBox): Markup {
  const { width, height, margin } = box
  const plot = placeScatter(points, box)
  const labels = formatCosts(plot.xTicks.map(({ value }) => value))
  const [right, bottom] = [width - margin.right, height - margin.bottom]
  const best = findFrontier(points)
  const steps = plot.points.filter(({ id }) => best.has(id)).toSorted((a, b) => a.x - b.x)
  const frontier = steps.map(({ x, y }, index) =>
    index === 0 ? `M${round(x)} ${round(y)}` : `H${round(x)}V${round(y)}`,
  )
  const unnamed = plot.points.filter(({ label }) => !label)
  return html`<svg class="cost ${look}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Cost of 1,000 answers against score, with 95 % confidence intervals">
${plot.yTicks.map(({ value, at }) => html`<line class="grid" x1="${margin.left}" x2="${right}" y1="${round(at)}" y2="${round(at)}"/><text class="end" x="${margin.left - 8}" y="${round(at) + 4}">${formatScoreTick(value)}</text>`)}
${plot.xTicks.map(({ at }, index) => html`<line class="tick" x1="${round(at)}" x2="${round(at)}" y1="${bottom}" y2="${bottom + 4}"/><text x="${round(at)}" y="${bottom + 17}">${labels[index]}</text>`)}
<line class="tick" x1="${margin.left}" x2="${right}" y1="${bottom}" y2="${bottom}"/><text class="start" x="${margin.left}" y="${height - 4}">↑ score</text><text class="end" x="${right}" y="${height - 4}">cost of 1,000 answers${plot.isLog && ', log scale'} →</text>
${steps.length > 1 && html`<path class="frontier" d="${frontier.join('')}H${right}"/>`}
${plot.points.map(({ id, x, y, xLow, xHigh, yLow, yHigh }) => html`${xHigh > xLow && html`<line class="range${!best.has(id) && ' off'}" x1="${round(xLow)}" x2="${round(xHigh)}" y1="${round(y)}" y2="${round(y)}"/>`}<line class="range${!best.has(id) && ' off'}" x1="${round(x)}" x2="${round(x)}" y1="${round(yLow)}" y2="${round(yHigh)}"/><circle class="dot${!best.has(id) && ' off'}" cx="${round(x)}" cy="${round(y)}" r="5"/>`)}
${plot.points.map(({ label }) => label && html`<text class="label ${label.anchor}" x="${round(label.x)}" y="${round(label.y)}">${label.text}</text>`)}${unnamed.map(({ x, y }, index) => html`<text class="label start" x="${round(x) + 7}" y="${round(y) - 5}">${index + 1}</text>`)}
</svg>
${unnamed.length > 0 && html`<p class="${look} muted">${unnamed.map(({ id }, index) => `${index + 1} ${id}`).join(' · ')}</p>`}`
}

/** Cost against quality; undefined if fewer than two models have a price, or all are free. */
export function makeCostPlot({ rows, costs }: Pick<Report, 'rows' | 'costs'>): Content {
  const intervals = new Map(costs && listCostPoints(costs, rows).map((point) => [point.id, point]))
  const points = rows.flatMap((row): ScatterPoint[] => {
    const x = findUnitCost(row)
    return x === undefined || !row.score
      ? []
      : [
          intervals.get(row.modelId) ?? {
            id: row.modelId,
            x,
            mean: row.score.mean,
            low: row.score.low,
            high: row.score.high,
          },
        ]
  })
  if (points.length < 2 || points.every(({ x }) => x === 0)) return undefined
  return SIZES.map(([look, box]) => drawPlot(points, look, box))
}
