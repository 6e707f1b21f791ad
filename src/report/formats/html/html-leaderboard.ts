import { describeInterval, formatCount, formatDuration, formatSpent, formatScore } from '../../words/index.ts'
import { html, type Content, type Markup } from './html-markup.ts'
import type { ReportRow } from '../../model/standings.ts'

const TICKS = [0, 25, 50, 75, 100]
const ROW_HEIGHT = 32

/** Positions are percentages of the width, so that the drawing fits any screen without distorting the dot. */
function percent(score: number): string {
  return `${(score * 100).toFixed(2)}%`
}

const gridLines: Markup = html`${TICKS.map((tick) => html`<line class="grid" x1="${tick}%" x2="${tick}%" y1="0" y2="${ROW_HEIGHT}"/>`)}`

const axis: Markup = html`<svg height="16" aria-hidden="true">${TICKS.map((tick) => html`<text x="${tick}%" y="12">${tick}</text>`)}</svg>`

/** A dot with its interval, on the axis shared by all rows. */
function drawInterval(score: ReportRow['score']): Markup {
  if (!score) return html`<svg height="${ROW_HEIGHT}" aria-hidden="true">${gridLines}</svg>`
  const { mean, low, high } = score
  const middle = ROW_HEIGHT / 2
  const line = (from: number, to: number, half: number) =>
    html`<line class="range" x1="${percent(from)}" x2="${percent(to)}" y1="${middle - half}" y2="${middle + half}"/>`
  const label = `${formatScore(mean)}, 95 % interval ${describeInterval(score)}`
  return html`<svg height="${ROW_HEIGHT}" role="img" aria-label="${label}">${gridLines}
${line(low, high, 0)}${line(low, low, 5)}${line(high, high, 5)}<circle class="dot" cx="${percent(mean)}" cy="${middle}" r="4.5"/></svg>`
}

function makeRow(row: ReportRow, spread: string): Markup {
  const { rank, modelId, score, unscored, errors, medianLatencyMs, isSimulated } = row
  const missing = unscored + errors
  const fact = (label: string, value: Content) => html`<td class="number fact" data-label="${label}">${value}</td>`
  return html`<tr>
<td class="number">${rank ?? '–'}</td>
<td class="model name">${modelId}${isSimulated && html` <small>simulated</small>`}</td>
<td class="chart">${drawInterval(score)}</td>
<td class="number strong main">${score ? formatScore(score.mean) : html`<span class="bad">no score</span>`}</td>
${fact('95 %', score ? describeInterval(score) : '–')}
${fact(spread, formatScore(score?.stdDev))}
${fact('n', formatCount(score?.n ?? 0))}
${fact('missing', missing > 0 ? html`<span class="bad">${formatCount(missing)}</span>` : 0)}
${fact('cost', formatSpent(row))}
${fact('latency', formatDuration(medianLatencyMs))}
</tr>
`
}

/** One row per model: rank, name, the dot with its interval, and the figures. */
export function makeLeaderboard(rows: ReportRow[], runs: number): Markup {
  const spread = runs > 1 ? 'SD of runs' : 'SD'
  const figures = ['Score', '95 % interval', spread, 'n', 'Missing', 'Cost', 'Latency']
  const heading = (title: string) => html`<th class="number" scope="col">${title}</th>`
  return html`<table class="board">
<thead><tr>${heading('#')}<th scope="col">Model</th><th class="chart" scope="col">${axis}</th>${figures.map(heading)}</tr></thead>
<tbody>
${rows.map((row) => makeRow(row, spread))}</tbody>
</table>
`
}
