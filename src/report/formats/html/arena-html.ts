import type { PageFindings, PagePicture, Unscored } from '../../../contract/index.ts'
import { formatCost, formatCount, formatDuration, formatPercent, formatScore, formatTime } from '../../words/index.ts'
import { html, type Content, type Markup } from './html-markup.ts'
import { reportStyle } from './html-style.ts'

/** One of a judge's criteria, 0 to 1; without a score if it was not seen. */
interface ArenaReportCriterion {
  label: string
  weight: number
  score?: number
  reason: string
}

/** One model's page in one run. */
export interface ArenaReportPage {
  modelId: string
  /** From 1; only if there are several runs. */
  runNumber?: number
  files: { name: string; code: string }[]
  /** The whole answer, shown if it contains no code. */
  response: string
  score?: number
  criteria: ArenaReportCriterion[]
  /** Explains the score, or why there is none. */
  notes?: string
  unscored?: Unscored
  error?: string
  pictures: PagePicture[]
  findings?: PageFindings
  /** Why the code does not run, or why there are no screenshots. */
  problems: string[]
  cost?: number
  latencyMs?: number
}

export interface ArenaReport {
  prompt: string
  systemPrompt: string
  judgeModel?: string
  isQuickJudge: boolean
  runIds: string[]
  startedAt?: number
  pages: ArenaReportPage[]
}

const ARENA_STYLE = html`<style>
.page { border-top: 1px solid var(--line); margin-top: 24px; padding-top: 8px }
.pictures { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start; margin: 8px 0 }
.pictures figure { margin: 0; min-width: 0; max-width: 100% }
.pictures img { display: block; max-width: 100%; height: 230px; width: auto; object-fit: contain; object-position: top left; border: 1px solid var(--line); background: #fff }
.pictures img:focus { height: auto; width: 100% }
figcaption { color: var(--muted); font-size: 12.5px }
.criteria { width: auto; min-width: 60% }
.criteria td { vertical-align: top }
.criteria td:first-child, .pages td:first-child { min-width: 120px }
</style>`

function makeTable(pages: readonly ArenaReportPage[]): Markup {
  const labels = pages.find(({ criteria }) => criteria.length > 0)?.criteria.map(({ label }) => label) ?? []
  const hasRuns = pages.some(({ runNumber }) => runNumber !== undefined)
  return html`<div class="scroll" tabindex="0"><table class="pages">
<thead><tr><th>Model</th>${hasRuns && html`<th class="number">Run</th>`}<th class="number">Score</th>${labels.map((label) => html`<th class="number">${label}</th>`)}<th class="number">Errors</th><th class="number">Accessibility</th><th class="number">Cost</th><th class="number">Latency</th></tr></thead>
<tbody>${pages.map(
    ({
      modelId,
      runNumber,
      score,
      criteria,
      findings,
      cost,
      latencyMs,
    }) => html`<tr><td class="name">${modelId}</td>${hasRuns && html`<td class="number">${runNumber}</td>`}<td class="number strong">${formatScore(score)}</td>${labels.map((label) => html`<td class="number">${formatScore(criteria.find((criterion) => criterion.label === label)?.score)}</td>`)}<td class="number">${findings ? findings.errors.length : '–'}</td><td class="number">${findings ? findings.accessibility.length : '–'}</td><td class="number">${formatCost(cost)}</td><td class="number">${formatDuration(latencyMs)}</td></tr>
`,
  )}</tbody>
</table></div>
`
}

function makeCriteria({ criteria }: ArenaReportPage): Content {
  if (criteria.length === 0) return undefined
  return html`<table class="criteria"><tbody>${criteria.map(({ label, weight, score, reason }) => html`<tr><td>${label} <small>${formatPercent(weight, 0)}</small></td><td class="number strong">${score === undefined ? 'not seen' : formatScore(score)}</td><td class="name">${reason}</td></tr>`)}</tbody></table>`
}

function makePictures({ modelId, pictures }: ArenaReportPage): Content {
  if (pictures.length === 0) return undefined
  return html`<div class="pictures">${pictures.map(({ width, height, isAfterInteraction, png }) => {
    const when = isAfterInteraction ? 'after use' : 'as it loads'
    const source = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
    return html`<figure><img src="${source}" width="${width}" height="${height}" tabindex="0" alt="Page by ${modelId} at ${width} pixels, ${when}"><figcaption>${width} px, ${when}</figcaption></figure>`
  })}</div><p><small>Select a screenshot to enlarge it.</small></p>`
}

function makeList(title: string, lines: readonly string[]): Content {
  return lines.length > 0 && html`<h3>${title}</h3><ul>${lines.map((line) => html`<li class="name">${line}</li>`)}</ul>`
}

function makeFindings({ findings, problems }: ArenaReportPage): Content {
  const problemList = makeList('Problems', problems)
  if (!findings) return problemList
  const { console, errors, accessibility, blocked, interactions } = findings
  return html`${problemList}
<details><summary>What the browser found: ${formatCount(errors.length, 'error')}, ${formatCount(accessibility.length, 'accessibility rule')} broken, ${formatCount(blocked.length, 'blocked address', 'blocked addresses')}</summary>
${makeList('Errors', errors)}
${makeList(
  'Console',
  console.map(({ level, text }) => `${level}: ${text}`),
)}
${makeList(
  'Accessibility',
  accessibility.map(({ impact, help, id, nodes }) => `${impact}: ${help} (${id}, ${formatCount(nodes, 'element')})`),
)}
${makeList(
  'Not loaded: previews have no network',
  blocked.map(({ url, why }) => `${url}: ${why}`),
)}
${makeList(
  'Tried',
  interactions.map(
    ({ action, target, hadEffect }) =>
      `${action === 'click' ? 'pressed' : 'filled in'} ${target}: ${hadEffect ? 'something changed' : 'nothing changed'}`,
  ),
)}
</details>`
}

function makePage(page: ArenaReportPage): Markup {
  const { modelId, runNumber, files, response, notes, unscored, error, score } = page
  const shown = files.length > 0 ? files : [{ name: 'answer', code: response }]
  const reason = error ?? unscored?.message
  return html`<section class="page">
<h2><span class="name">${modelId}</span>${runNumber !== undefined && ` · run ${runNumber}`}${score !== undefined && ` · ${formatScore(score)}`}</h2>
${reason !== undefined && html`<p class="bad">${reason}</p>`}
${makeCriteria(page)}
${page.criteria.length === 0 && notes !== undefined && html`<p class="name">${notes}</p>`}
${makePictures(page)}
${makeFindings(page)}
${shown.map(({ name, code }) => code !== '' && html`<details><summary>${name} · ${formatCount(code.length, 'character')}</summary><pre>${code}</pre></details>`)}
</section>
`
}

/**
 * One file that opens offline. It contains models' output only as text and screenshots, and no scripts at all; its
 * security policy would block any.
 */
export function formatArenaHtml(report: ArenaReport): string {
  const { prompt, systemPrompt, judgeModel, isQuickJudge, runIds, startedAt, pages } = report
  const simulated = new Set(pages.filter(({ modelId }) => modelId.startsWith('demo/')).map(({ modelId }) => modelId))
  const facts: [string, string | undefined][] = [
    ['Judge', judgeModel === undefined ? 'none' : `${judgeModel}${isQuickJudge ? ' (quick: code only)' : ''}`],
    ['Started', startedAt === undefined ? undefined : formatTime(startedAt)],
    [runIds.length > 1 ? 'Runs' : 'Run', runIds.join(', ')],
  ]
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>Code Arena</title>
${reportStyle}
${ARENA_STYLE}
</head>
<body>
<main>
<h1>Code Arena</h1>
<p class="name">${prompt}</p>
<dl class="facts">${facts.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${simulated.size > 0 && html`<p class="notice">The pages of ${[...simulated].join(', ')} come from Benchmaker's offline demo models; they say nothing about any real model.</p>`}
${makeTable(pages)}
${pages.map(makePage)}
<details><summary>System prompt</summary><pre>${systemPrompt}</pre></details>
</main>
</body>
</html>
`
  return page.text
}
