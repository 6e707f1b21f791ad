import type { ArenaReport, ArenaReportPage, ArenaVote } from '../../../contract/index.ts'
import { describeInteraction, listObservations } from '../../../scoring/index.ts'
import { whyUnscored, withoutMachine } from '../../model/arena/arena-report.ts'
import { arenaPages } from '../../tables/arena-pages.ts'
import { formatCount, formatPercent, formatScore, formatTime } from '../../words/index.ts'
import { describeLeftOut } from '../../words/code-arena.ts'
import { describeReportLead } from '../../words/verdicts/lead.ts'
import { describeJudgeNotes } from '../../words/judges/judge-notes.ts'
import { buildReport, type Report } from '../../model/report.ts'
import { makeLeaderboard } from './html-leaderboard.ts'
import { html, type Content, type Markup } from './html-markup.ts'
import { makeRepeating } from './html-sections.ts'
import { reportStyle } from './html-style.ts'
import { makeTable } from './html-table.ts'

const ARENA_STYLE = html`<style>
.page { border-top: 1px solid var(--line); margin-top: 24px; padding-top: 8px }
.pictures { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start; margin: 8px 0 }
.pictures figure { margin: 0; min-width: 0; max-width: 100% }
.pictures img { display: block; max-width: 100%; height: 230px; width: auto; object-fit: contain; object-position: top left; border: 1px solid var(--line); background: #fff }
.pictures img:focus { height: auto; width: 100% }
figcaption { color: var(--muted); font-size: 12.5px }
.turns { list-style: none; padding: 0; margin: 4px 0 }
.criteria { width: auto; min-width: 60% }
.criteria td { vertical-align: top }
.criteria td:first-child, .pages td:first-child { min-width: 120px }
</style>`

const CHOICES: Record<ArenaVote['choice'], (left: string, right: string) => string> = {
  left: (left, right) => `${left} is better than ${right}`,
  right: (left, right) => `${right} is better than ${left}`,
  tie: (left, right) => `${left} and ${right} are equally good`,
  'both-bad': (left, right) => `${left} and ${right} are both bad`,
}

function makeVotes(votes: readonly ArenaVote[]): Content {
  return makeList(
    'Votes of people who did not see the names',
    votes.map(({ left, right, choice }) => CHOICES[choice](left, right)),
  )
}

function makeTurns(earlierPrompts: readonly string[], prompt: string): Markup {
  if (earlierPrompts.length === 0) return html`<p class="name">${prompt}</p>`
  const prompts = [...earlierPrompts, prompt]
  return html`<ol class="turns">${prompts.map((text, index) => html`<li class="name${index === prompts.length - 1 && ' strong'}"><small>Turn ${index + 1}</small> ${text}</li>`)}</ol>`
}

function makeCriteria({ criteria }: ArenaReportPage): Content {
  if (criteria.length === 0) return undefined
  return html`<table class="criteria"><tbody>${criteria.map(({ label, weight, score, reason }) => html`<tr><td>${label} <small>${formatPercent(weight, 0)}</small></td><td class="number strong">${score === undefined ? 'not seen' : formatScore(score)}</td><td class="name">${reason}</td></tr>`)}</tbody></table>`
}

function makePictures({ modelId, pictures }: ArenaReportPage): Content {
  if (pictures.length === 0) return undefined
  return html`<div class="pictures">${pictures.map(({ width, height, isAfterInteraction, isStrip, png }) => {
    const when = isStrip ? 'its first 3 seconds' : isAfterInteraction ? 'after use' : 'as it loads'
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
  const observations = listObservations(findings)
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
${makeList('Tried', interactions.map(describeInteraction))}
${makeList('Observed', observations)}
</details>`
}

function makePage(page: ArenaReportPage): Markup {
  const { modelId, runNumber, files, response, notes, score, gaps = [] } = page
  const shown = files.length > 0 ? files : [{ name: 'answer', code: response }]
  const reason = whyUnscored(page)
  return html`<section class="page">
<h2><span class="name">${modelId}</span>${runNumber !== undefined && ` · run ${runNumber}`}${score !== undefined && ` · ${formatScore(score)}`}</h2>
${reason !== undefined && html`<p class="bad">${reason}</p>`}
${gaps.map((gap) => html`<p class="muted">${gap}</p>`)}
${makeCriteria(page)}
${page.criteria.length === 0 && notes !== undefined && html`<p class="name">${notes}</p>`}
${makePictures(page)}
${makeFindings(page)}
${shown.map(({ name, code }) => code !== '' && html`<details><summary>${name} · ${formatCount(code.length, 'character')}</summary><pre>${code}</pre></details>`)}
</section>
`
}

/** Who leads, by how much, and what to doubt. */
function makeVerdict(report: Report): Markup {
  return html`<p class="lead">${describeReportLead(report)}</p>
${describeJudgeNotes(report.judgeNotes).map(
  (sentence) => html`<p class="notice">${sentence}</p>
`,
)}${
    report.runs.length > 1 &&
    html`<h2>Leaderboard</h2>
${makeLeaderboard(report.rows, report.runs.length)}
<h2>Pages</h2>
`
  }`
}

/**
 * One file that opens offline. It contains models' output only as text and screenshots, and no scripts at all; its
 * security policy would block any.
 */
export function writeArenaHtml(given: ArenaReport): string {
  const report = withoutMachine(given)
  const { prompt, judgeModel, isQuickJudge, runs, calibrations, pages } = report
  const { earlierPrompts = [], votes = [] } = report
  const whole = runs.length > 0 ? buildReport(runs, { calibrations }) : undefined
  const isSimulated = (modelId: string) => /^demo\/|\(simulated\)$/.test(modelId)
  const simulated = new Set(pages.map(({ modelId }) => modelId).filter(isSimulated))
  const facts: [string, string | undefined][] = [
    ['Judge', judgeModel === undefined ? 'none' : `${judgeModel}${isQuickJudge ? ' (quick: code only)' : ''}`],
    ['Started', runs[0]?.startedAt === undefined ? undefined : formatTime(runs[0].startedAt)],
    [runs.length > 1 ? 'Runs' : 'Run', runs.length > 0 ? runs.map(({ id }) => id).join(', ') : undefined],
    ['Left out', describeLeftOut(report)],
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
${makeTurns(earlierPrompts, prompt)}
<dl class="facts">${facts.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${simulated.size > 0 && html`<p class="notice">The pages of ${[...simulated].join(', ')} come from Benchmaker's offline demo models; they say nothing about any real model.</p>`}
${whole && makeVerdict(whole)}
${makeTable({ columns: arenaPages(report), rows: pages, label: 'Pages', look: 'pages' })}
${makeVotes(votes)}
${pages.map(makePage)}
${whole && makeRepeating(whole)}
</main>
</body>
</html>
`
  return page.text
}
