import { leaderboard } from '../../tables/leaderboard.ts'
import { describeInterval, formatScore } from '../../words/index.ts'
import { html, type Markup } from './html-markup.ts'
import { makeTable } from './html-table.ts'
import type { ReportRow } from '../../model/standings/report-row.ts'

const TICKS = [0, 25, 50, 75, 100]
const ROW_HEIGHT = 32

/** Positions are percentages of the width, so that the drawing fits any screen without distorting the dot. */
function percent(score: number): string {
  // oxlint-disable-next-line house/no-number-format -- A place in a drawing.
  return `${(score * 100).toFixed(2)}%`
}

const gridLines: Markup = html`${TICKS.map((tick) => html`<line class="grid" x1="${tick}%" x2="${tick}%" y1="0" y2="${ROW_HEIGHT}"/>`)}`

const axis: Markup = html`<svg height="16" aria-hidden="true">${TICKS.map((tick) => html`<text x="${tick}%" y="12">${tick}</text>`)}</svg>`

/** A dot with its interval, on the axis shared by all rows. */
function drawInterval(score: ReportRow['score']): Markup {
  if (!score) return html`<svg height="${ROW_HEIGHT}" aria-hidden="true">${gridLines}</svg>`
  const { mean, low, high } = score
  const middle = ROW_HEIGHT / 2
  const label = `${formatScore(mean)}, 95 % CI ${describeInterval(score)}`
  return html`<svg height="${ROW_HEIGHT}" role="img" aria-label="${label}">${gridLines}
<line class="range" x1="${percent(low)}" x2="${percent(high)}" y1="${middle}" y2="${middle}"/><circle class="dot" cx="${percent(mean)}" cy="${middle}" r="6"/></svg>`
}

/** The column of the dots, for any table of these rows. */
export const chartOfScores = { head: axis, draw: ({ score }: ReportRow) => drawInterval(score) }

/** One row per model: rank, name, the dot with its interval, and the figures. */
export function makeLeaderboard(rows: ReportRow[], runCount: number): Markup {
  return makeTable({
    columns: leaderboard({ runCount }),
    rows,
    look: 'board',
    draw: { model: ({ modelId, isSimulated }) => html`${modelId}${isSimulated && html` <small>simulated</small>`}` },
    chart: chartOfScores,
  })
}
