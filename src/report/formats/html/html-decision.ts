import { explainReport } from '../../model/failures/broken-reasons.ts'
import type { Report } from '../../model/report.ts'
import { listRepeated } from '../../model/standings/standings.ts'
import { leaderboard } from '../../tables/leaderboard.ts'
import {
  describeCache,
  describeGoodEnough,
  describeLeaderboard,
  describeSending,
  describeStillOpen,
  describeSwitch,
  describeUnknownCosts,
  formatCount,
  formatTime,
  listLabels,
  formatCosts,
  formatScoreTick,
} from '../../words/index.ts'
import { warnOfSimulated } from '../../words/models.ts'
import { excerpt, nameBriefly } from '../../words/names.ts'
import { describeRunFacts } from '../../words/runs/run-facts.ts'
import { describeFlakyModels } from '../../words/verdicts/pairs/conditions.ts'
import { describeBrokenReason } from '../../words/verdicts/failures/broken-reasons.ts'
import { describeHardest } from '../../words/verdicts/failures/hardest.ts'
import { describeReportOutcome } from '../../words/verdicts/lead.ts'
import { describeNext } from '../../words/verdicts/next-step.ts'
import { listRecommendations, findUnitCost } from '../../words/verdicts/costs/recommendations.ts'
import { renameCosts } from '../../model/rename-costs.ts'
import { chartOfScores } from './html-leaderboard.ts'
import { html, type Content, type Markup } from './html-markup.ts'
import { makeTable } from './html-table.ts'
import { findFrontier, placeScatter, type ScatterBox, type ScatterPoint } from '../../charts/scatter.ts'
import { listCostPoints } from '../../charts/cost-points.ts'

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
function makeCostPlot({ rows, costs }: Pick<Report, 'rows' | 'costs'>): Content {
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

/** What fits a printed page; the leaderboard under Statistics has all models, columns and notes. */
const MAX_ROWS = 8
const MAX_CAVEATS = 4
const MAX_NAME_LENGTH = 28
const MAX_EXAMPLE = 80
const MAX_EVIDENCE = 200
/** These are said by what else is listed. */
const SAID_ELSEWHERE = new Set(['stopped', 'not-run', 'scoring'])
const SHOWN = new Set(['rank', 'model', 'score', 'interval', 'passed', 'cost'])

/** With names that leave room for figures. */
function shortenModelNames(report: Report): Report {
  const { rows, comparisons, series, leader, costs } = report
  const nameOf = nameBriefly(
    rows.map(({ modelId }) => modelId),
    MAX_NAME_LENGTH,
  )
  return {
    ...report,
    rows: rows.map((row) => ({ ...row, modelId: nameOf(row.modelId) })),
    series: series.map((stats) => ({ ...stats, modelId: nameOf(stats.modelId) })),
    ...(leader && { leader: { ...leader, modelId: nameOf(leader.modelId) } }),
    ...(costs && { costs: renameCosts(costs, nameOf) }),
    comparisons: comparisons.map(({ comparison, ...rest }) => ({
      ...rest,
      comparison: { ...comparison, modelA: nameOf(comparison.modelA), modelB: nameOf(comparison.modelB) },
    })),
  }
}

/** What weakens the verdict or says on what it rests, most serious first. */
function listCaveats(report: Report, conditions: readonly string[]): string[] {
  const { rows, runs, verdictCard, decisions, unfinished } = report
  const { disagreement, caveats } = verdictCard
  const flaky = describeFlakyModels(listRepeated(report))
  return [
    ...[warnOfSimulated(rows), disagreement].flatMap((text) => text ?? []),
    ...unfinished.map(({ runId, sentence }) => `${runs.length > 1 ? `${runId}: ` : ''}${sentence}.`),
    ...caveats.flatMap(({ kind, text }) => (SAID_ELSEWHERE.has(kind) ? [] : [text])),
    ...conditions,
    ...(decisions?.sentences ?? []),
    ...describeLeaderboard(report),
    ...[flaky, describeCache(rows), describeUnknownCosts(rows)].flatMap((text) => text ?? []),
    ...describeSending(rows),
  ]
}

/** The interval of the verdict stands back. */
function makeHeadline(outcome: string): Markup {
  const [, before, interval, after] = /^(.*?)( \(95 % CI [^()]*\))(.*)$/s.exec(outcome) ?? []
  if (interval === undefined) return html`<h1 class="name">${outcome}</h1>`
  return html`<h1 class="name">${before}<span class="interval">${interval}</span>${after}</h1>`
}

function makeBoard({ rows, runs, verdictCard }: Report): Markup {
  const isBroken = verdictCard.state === 'broken'
  const left = rows.length - MAX_ROWS
  return html`<h2>Leaderboard <small>${isBroken ? 'No ranks: nothing passed.' : 'Dot: mean. Line: 95 % confidence interval (CI).'}</small></h2>
${makeTable({
  columns: leaderboard({ runCount: runs.length }).filter(({ key }) => SHOWN.has(key)),
  rows: rows.slice(0, MAX_ROWS),
  look: 'board decided',
  draw: { model: ({ modelId }) => modelId, ...(isBroken && { rank: () => '–' }) },
  chart: chartOfScores,
})}${left > 0 && html`<p class="muted">${formatCount(left, 'more model')} under Statistics.</p>`}
`
}

function makeChoice({ rows, comparisons, comparison, costs }: Report): Content {
  if (comparison) return undefined
  const plot = makeCostPlot({ rows, ...(costs && { costs }) })
  const goodEnough = [describeGoodEnough(costs), describeStillOpen(costs), costs && describeSwitch(costs)]
    .filter((text) => text !== undefined)
    .join(' ')
  const chosen = listRecommendations(
    rows,
    comparisons.map((pair) => pair.comparison),
  )
  if (chosen.length === 0) return undefined
  const list = html`<ul class="choices">${goodEnough !== '' && html`<li><b>Good enough</b><p class="name">${goodEnough}</p></li>`}${chosen.map(({ title, text }) => html`<li><b>${title}</b><p class="name">${text}</p></li>`)}</ul>`
  return plot === undefined
    ? html`<h2>Which to take</h2>
${list}
`
    : html`<h2>Cost against quality <small>Lines: 95 % CI. Dashed: best for the price.</small></h2>
<div class="tradeoff"><div>${plot}</div>${list}</div>
`
}

/** Why nothing passed; nothing if an answer did. */
function makeReasons(report: Report): Content {
  const broken = explainReport(report)
  if (!broken || broken.reasons.length === 0) return undefined
  const items = broken.reasons.map((reason) => {
    const { title, text, fix } = describeBrokenReason(reason, broken.cells)
    const { caseId, expected, got } = reason.example ?? {}
    const example =
      caseId === undefined
        ? undefined
        : html`<p class="muted name">${caseId}: ${expected !== undefined && `expected ${excerpt(expected, MAX_EXAMPLE)}, `}got ${excerpt(got ?? '', MAX_EXAMPLE) || '(empty)'}</p>`
    return html`<li><b>${title}</b><p class="name">${excerpt(text, MAX_EVIDENCE)} ${fix}</p>${example}</li>`
  })
  return html`<h2>Likely reasons</h2>
<ul class="choices">${items}</ul>
`
}

function makeNotes(title: string, notes: readonly string[]): Content {
  if (notes.length === 0) return undefined
  return html`<div><h2>${title}</h2><ul>${notes.map((text) => html`<li class="name">${text}</li>`)}</ul></div>`
}

/** The first page: the verdict, who it is about, what it costs and what to know. The rest does not change the decision. */
export function makeDecision(full: Report): { page: Markup; more: string[] } {
  const report = shortenModelNames(full)
  const { title, runs, comparison, cases, suite, verdictCard } = report
  const [first] = runs
  const { outcome, conditions } = describeReportOutcome(report)
  const caveats = listCaveats(report, conditions)
  const hardest = describeHardest(cases)
  const next = comparison || verdictCard.state === 'running' ? undefined : describeNext(report)
  const date = first?.startedAt === undefined ? undefined : formatTime(first.startedAt)
  const labels = listLabels(runs)
  const version = first?.versions?.['benchmaker']
  const page = html`<section class="sheet first">
<header><b class="name">${title}</b><span>${describeRunFacts(report).join(' · ')}</span>${date !== undefined && html`<span class="end">${date}</span>`}</header>
${suite?.description !== undefined && html`<p class="muted name">${suite.description}</p>`}${labels.length > 0 && html`<dl class="facts">${labels.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`}
${makeHeadline(outcome)}
${next !== undefined && html`<p class="next">${next}</p>`}
${makeReasons(full)}${makeBoard(report)}${makeChoice(report)}
<div class="know">${makeNotes('Where models fail', hardest === undefined ? [] : [hardest])}${makeNotes('How sure', caveats.slice(0, MAX_CAVEATS))}</div>
<footer><span>${version !== undefined && `Benchmaker ${version}`}</span><span class="end name">${runs.length > 1 ? 'runs' : 'run'} ${runs.map(({ id }) => id).join(', ')}</span></footer>
</section>`
  return { page, more: caveats.slice(MAX_CAVEATS) }
}
