import { makeRatingAxis, type RatingAxis } from '../../charts/rating-axis.ts'
import type { ArenaRankingReport, RankedModel } from '../../model/arena/arena-ranking.ts'
import { arenaTable, equalTable, partsTable, placeModels } from '../../tables/rankings.ts'
import type { Table } from '../../tables/table.ts'
import {
  describeArenaLead,
  excerpt,
  formatCount,
  formatRating,
  formatTime,
  type ArenaGames,
} from '../../words/index.ts'
import { describeArenaStyle, describeKinds } from '../../words/code-arena.ts'
import { html, type Content, type Markup } from './html-markup.ts'
import { reportStyle } from './html-style.ts'
import { makeTable } from './html-table.ts'

const ROW_HEIGHT = 28

function drawRating({ rating, low, high }: RankedModel, { domain: [from, to] }: RatingAxis): Markup {
  // oxlint-disable-next-line house/no-number-format -- A place in a drawing.
  const at = (value: number) => `${(((value - from) / (to - from)) * 100).toFixed(2)}%`
  const middle = ROW_HEIGHT / 2
  const line = (start: number, end: number, half: number) =>
    html`<line class="range" x1="${at(start)}" x2="${at(end)}" y1="${middle - half}" y2="${middle + half}"/>`
  const label = `${formatRating(rating)}, from ${formatRating(low)} to ${formatRating(high)}`
  return html`<svg height="${ROW_HEIGHT}" role="img" aria-label="${label}"><line class="zero" x1="${at(1000)}" x2="${at(1000)}" y1="0" y2="${ROW_HEIGHT}"/>${line(low, high, 0)}${line(low, low, 5)}${line(high, high, 5)}<circle class="dot" cx="${at(rating)}" cy="${middle}" r="4.5"/></svg>`
}

function makeRatings(label: string, models: readonly RankedModel[], axis: RatingAxis): Markup {
  const ticks = html`<svg height="16" aria-hidden="true">${axis.ticks.map((tick, index) => html`<text x="${index * 25}%" y="12">${formatRating(tick)}</text>`)}</svg>`
  return makeTable({
    columns: arenaTable,
    rows: placeModels(models),
    label,
    look: 'pairs',
    chart: { head: ticks, draw: (model) => drawRating(model, axis) },
  })
}

function makeSection(
  title: string,
  report: ArenaRankingReport,
  { axis, count, games, none }: { axis: RatingAxis; count: string; games: ArenaGames; none: string },
): Content {
  const models = report[games]
  if (models.length === 0) return html`<h2>${title}</h2><p class="muted">${none}</p>`
  const style = report.style[games]
  const kinds = report.kinds[games]
  const parts = kinds.filter((kind) => kind.models.length > 0)
  const rows = models.map(({ modelId }) => modelId)
  return html`<h2>${title}</h2>
<p class="lead">${describeArenaLead(models, games)}</p><p class="muted">${count}</p>${makeRatings(title, models, axis)}
${style && html`<h3>${title}, at equal length of code</h3><p>${describeArenaStyle(style, games)}</p>`}
${style?.state === 'rated' && makeTable({ columns: equalTable, rows: style.models, label: `${title}, at equal length of code`, look: 'pairs' })}
${kinds.length > 0 && html`<h3>${title}, by kind of task</h3>${describeKinds(kinds, games).map((line) => html`<p>${line}</p>`)}`}
${parts.length > 0 && makeTable({ columns: partsTable(parts), rows, label: `${title}, by kind of task`, look: 'pairs' })}
`
}

const MAX_PROMPT_LENGTH = 300

const runTable: Table<ArenaRankingReport['runs'][number]> = [
  { key: 'run', label: 'Run', role: 'name', text: ({ id }) => id },
  {
    key: 'started',
    label: 'Started',
    text: ({ startedAt }) => (startedAt === undefined ? undefined : formatTime(startedAt)) ?? '–',
  },
  {
    key: 'prompt',
    label: 'Prompt',
    text: ({ prompt }) => (prompt === '' ? '–' : excerpt(prompt, MAX_PROMPT_LENGTH)),
  },
  { key: 'models', label: 'Models', text: ({ models }) => models.join(', ') },
  {
    key: 'judges',
    label: 'Judges',
    text: ({ judges, judgePrompt }) =>
      `${judges.length === 0 ? 'none' : judges.join(', ')}${judgePrompt === undefined ? '' : ` (${judgePrompt})`}`,
  },
  { key: 'votes', label: 'Votes', align: 'end', text: ({ votes }) => formatCount(votes) },
]

/** The ranking of the Code Arena as one page that opens offline and runs nothing. */
export function writeRankingHtml(report: ArenaRankingReport): string {
  const { votes, judgements, voteCount, notBlindCount, counted, judgementCount, runs, version } = report
  const axis = makeRatingAxis([...votes, ...judgements])
  const dates = runs.flatMap(({ startedAt }) => startedAt ?? [])
  const simulated = [...votes, ...judgements].some(({ modelId }) => /^demo\/|\(simulated\)$/.test(modelId))
  const seen =
    notBlindCount === 0
      ? ''
      : counted === 'blind'
        ? `; ${formatCount(notBlindCount, 'vote')} by people who had seen the names left out`
        : `; ${formatCount(notBlindCount)} of them by people who had seen the names`
  const facts: [string, string | undefined][] = [
    ['Runs', formatCount(runs.length)],
    ['Votes', formatCount(voteCount)],
    ['Judged pairs', formatCount(judgementCount)],
    ['From', dates.length === 0 ? undefined : formatTime(Math.min(...dates))],
    ['To', dates.length === 0 ? undefined : formatTime(Math.max(...dates))],
    ['Benchmaker', version],
  ]
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Code Arena ranking</title>
${reportStyle}
</head>
<body>
<main>
<h1>Code Arena ranking</h1>
<dl class="facts">${facts.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${simulated && html`<p class="notice">Some pages come from Benchmaker's offline demo models; they say nothing about any real model.</p>`}
${makeSection('By votes', report, { axis, count: `${formatCount(voteCount, 'vote')} by people${seen}.`, games: 'votes', none: 'No votes yet.' })}
${makeSection('By judgements', report, { axis, count: `${formatCount(judgementCount, 'pair')} of judged pages; in each pair the higher score wins.`, games: 'judgements', none: 'No run has two judged pages yet.' })}
<h2>Method</h2>
<ul><li>Ratings are Bradley-Terry by maximum likelihood, on a scale where 1000 is the average and a model with 400 points more wins ten games for each one it loses.</li>
<li>Ties and “both bad” count half for each. Intervals are 95 %; if two overlap, the order of the two may be due to chance.</li></ul>
<h2>Runs</h2>
${makeTable({ columns: runTable, rows: runs, label: 'Runs', look: 'changes' })}
</main>
</body>
</html>
`.text
}
