import {
  describeAgreement,
  describeDisagreement,
  describeEvidence,
  describeFlaky,
  describeRunCounts,
  formatReportLine,
  describeMissing,
  describePeople,
  recommendNextStep,
  describeRatings,
  formatCount,
  formatReportSentence,
  formatSpent,
  formatTime,
  listAgreement,
  listJudgingSections,
  listLabels,
  listPeopleNotes,
  PEOPLE_TITLE,
  FOR_A_REPORT,
  TOO_CLOSE_GROUP,
} from '../../words/index.ts'
import { countWithoutScore } from '../../../statistics/index.ts'
import { writeArenaHtml } from './arena-html.ts'
import { makeCaseTable } from './html-cases.ts'
import { makeComparison } from './html-comparison.ts'
import { makeLeaderboard } from './html-leaderboard.ts'
import { html, type Content, Markup } from './html-markup.ts'
import { makeGroups, makeRepeating } from './html-sections.ts'
import { reportStyle } from './html-style.ts'
import { makeTable } from './html-table.ts'
import { peopleTable, ratedAnswers } from '../../tables/people.ts'
import { describeReportLead } from '../../words/verdicts/lead.ts'
import { describeJudgeNotes } from '../../words/judges/judge-notes.ts'
import type { Report } from '../../model/report.ts'
import { listGaps, listRepeated } from '../../model/standings.ts'
import type { ReportFormat } from '../report-format.ts'
import { sha256 } from '../../model/sha256.ts'

/**
 * The only script of a report: it finds answers, and opens or closes all of them, for instance to print them. The page's
 * security policy allows this text and no other, by its hash.
 */
const SEARCH_SCRIPT = `(() => {
const bar = document.querySelector('.search')
const field = bar.querySelector('input')
const count = bar.querySelector('output')
const cases = [...document.querySelectorAll('.cases tbody')]
const tables = [...document.querySelectorAll('.part')]
let texts
let waiting
const search = () => {
texts ??= cases.map((part) => part.textContent.toLowerCase())
const words = field.value.toLowerCase().split(' ').filter(Boolean)
let found = 0
cases.forEach((part, index) => {
const isFound = words.every((word) => texts[index].includes(word))
part.hidden = !isFound
if (isFound) found += 1
})
for (const table of tables) table.hidden = !table.querySelector('tbody:not([hidden])')
count.textContent = words.length > 0 ? found + ' of ' + cases.length : ''
}
field.addEventListener('input', () => {
clearTimeout(waiting)
waiting = setTimeout(search, 120)
})
bar.querySelector('.open').addEventListener('click', () => {
const parts = [...document.querySelectorAll('.cases tbody:not([hidden]) details')]
const isOpening = parts.some((part) => !part.open)
for (const part of parts) part.open = isOpening
})
bar.hidden = false
})()`

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Base64 without `btoa`, which this room does not have. */
function toBase64(hex: string): string {
  const bits = Array.from(hex, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
  const letters = (bits.match(/.{1,6}/g) ?? []).map((group) => LETTERS[Number.parseInt(group.padEnd(6, '0'), 2)]!)
  return letters.join('').padEnd(Math.ceil(letters.length / 4) * 4, '=')
}

/** For the security policy of the page. */
export const searchHash = `sha256-${toBase64(sha256(SEARCH_SCRIPT))}`

/** Hidden without scripts, where it would do nothing. */
const searchBar: Markup = html`<div class="search" hidden><label>Search prompts and answers <input type="search"></label> <output></output> <button class="open" type="button">Open or close all</button></div>`

export const searchScript: Markup = html`<script>${new Markup([SEARCH_SCRIPT], [])}</script>`

const MAX_SHOWN_COMPARISONS = 10

function makeFacts(report: Report): Markup {
  const { runs, caseCount, rows } = report
  const [first] = runs
  const started = first?.startedAt === undefined ? undefined : formatTime(first.startedAt)
  const facts: [string, string | undefined][] = [
    ...listLabels(runs),
    ['Cases', formatCount(caseCount)],
    ['Models', formatCount(rows.length)],
    ['Runs', runs.length > 1 ? formatCount(runs.length) : undefined],
    ['Started', started],
    ['Cost', formatSpent(report)],
    ['Judge', first?.judgeModel],
    [runs.length > 1 ? 'Run ids' : 'Run', runs.map(({ id }) => id).join(', ')],
  ]
  return html`<dl class="facts">${facts.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

function makeComparisons({ comparisons, groups }: Report): Content {
  if (comparisons.length === 0) return undefined
  const items = comparisons.map(({ comparison: { paired }, sentence }) => {
    const [look, sign] = paired?.isSignificant ? ['sure', '≠'] : ['open', '≈']
    const figures = paired && html`<br><small>${describeEvidence(paired)}</small>`
    return html`<li class="${look}"><span class="sign">${sign}</span><div>${sentence}${figures}</div></li>
`
  })
  const rest = items.slice(MAX_SHOWN_COMPARISONS)
  return html`<h2>Which differences are real</h2>
<ul class="findings">${items.slice(0, MAX_SHOWN_COMPARISONS)}</ul>
${rest.length > 0 && html`<details><summary>${formatCount(rest.length, 'more pair')}</summary><ul class="findings">${rest}</ul></details>`}
${groups.map((group) => html`<p>${TOO_CLOSE_GROUP} <span class="name">${group.join(', ')}</span></p>`)}
`
}

function makeSeries(report: Report): Content {
  const repeated = listRepeated(report)
  if (repeated.length === 0) return undefined
  return html`<h2>Over ${describeRunCounts(repeated)}</h2>
<ul>${repeated.map(({ repeats: { flaky }, ...stats }) => {
    const changing = flaky.length > 0 && html`<br><small>${describeFlaky(flaky)}</small>`
    return html`<li><span class="name">${formatReportLine(stats.modelId, stats)}</span>${changing}</li>`
  })}</ul>
`
}

function makeAgreement({ agreement }: Report): Content {
  if (!agreement) return undefined
  return html`<h2>How far the judges agree</h2>
<p>${describeAgreement(agreement)}</p>
<ul>${listAgreement(agreement).map((line) => html`<li class="name">${line}</li>`)}</ul>
`
}

function makePeople({ people, ratingQueues }: Report): Content {
  if (!people) return undefined
  return html`<h2>${PEOPLE_TITLE}</h2>
<p>${describePeople(people)}</p>
${makeTable({ columns: peopleTable, rows: people.models, label: PEOPLE_TITLE, look: 'ratings' })}<ul>${listPeopleNotes(people, ratingQueues).map((note) => html`<li>${note}</li>`)}</ul>
`
}

/** What to read before any score. */
function makeDisagreement({ agreement, judging }: Report): Content {
  const text = describeDisagreement(agreement, judging.splits)
  return text !== undefined && html`<p class="notice name">${text}</p>`
}

function makeJudging(report: Report): Content {
  const { judging, runs } = report
  const nextStep = recommendNextStep(report)
  return [
    listJudgingSections(judging, { isSeries: runs.length > 1 }).map(({ title, lines, isOptional }) => {
      const list = html`<ul>${lines.map((line) => html`<li class="name">${line}</li>`)}</ul>`
      return isOptional
        ? html`<details><summary>${title}</summary>${list}</details>
`
        : html`<h2>${title}</h2>
${list}
`
    }),
    nextStep !== undefined &&
      html`<p>${nextStep}</p>
`,
  ]
}

function makeMissing(report: Report): Content {
  const missing = listGaps(report, { isDeciding: report.decisions !== undefined })
  if (missing.length === 0) return undefined
  return html`<h2>Without a score</h2>
<ul>${missing.map((summary) => {
    const isOnlyNotRun = summary.notRun === countWithoutScore(summary)
    return html`<li><span class="name">${summary.modelId}</span>: <span class="${isOnlyNotRun ? '' : 'bad'}">${describeMissing(summary)}</span>.</li>`
  })}</ul>
`
}

function makeRatings({ ratings, runs }: Report): Content {
  if (ratings.length === 0) return undefined
  const answers = ratings.flatMap((model) => model.answers)
  const columns = ratedAnswers({ runCount: runs.length })
  return html`<h2>Rated by people</h2>
<ul>${ratings.map((model) => html`<li><span class="name">${model.modelId}</span>: ${describeRatings(model)}.</li>`)}</ul>
<details><summary>${formatCount(answers.length, 'answer')} with a rating or note</summary>
${makeTable({ columns, rows: answers, label: 'Ratings and notes', look: 'ratings' })}</details>
`
}

/** The differences as a paper reports them. */
function makeReportSentences({ comparisons }: Report): Content {
  if (comparisons.length === 0) return undefined
  const pairs = comparisons.length
  return html`<details><summary>${FOR_A_REPORT}</summary>
<ul class="sentences">${comparisons.map(({ comparison }) => html`<li class="name">${formatReportSentence(comparison, { pairs })}</li>`)}</ul></details>
`
}

/** That and why runs ended early; each names its run if there are several. */
function makeStops({ unfinished, runs }: Report): Content {
  return unfinished.map(
    ({ runId, sentence }) =>
      html`<p class="notice">${runs.length > 1 && html`<span class="name">${runId}</span>: `}${sentence}.</p>
`,
  )
}

/** What to doubt about the judges, beside the verdict. */
function makeJudgeNotes({ judgeNotes }: Report): Content {
  return describeJudgeNotes(judgeNotes).map(
    (sentence) =>
      html`<p class="notice">${sentence}</p>
`,
  )
}

/** How runs that decide came to their decision, and what that saved. */
function makeDecisions({ decisions }: Report): Content {
  return (
    decisions &&
    html`<ul>${decisions.sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>
`
  )
}

function makeMethod({ method }: Report): Markup {
  return html`<h2>Method</h2>
<ul>${method.map((note) => html`<li>${note}</li>`)}</ul>
`
}

/** One page that opens offline: nothing external, one script that searches, light and dark, for screen, phone and print. */
export function writeHtml(report: Report): string {
  if (report.arena) return writeArenaHtml(report.arena)
  const simulated = report.rows.filter(({ isSimulated }) => isSimulated).length
  const whose =
    simulated === report.rows.length ? 'All answers are' : `The answers of ${formatCount(simulated, 'model')} are`
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src '${searchHash}'">
<title>${report.title}</title>
${reportStyle}
</head>
<body>
<main>
<h1>${report.title}</h1>
${report.suite?.description !== undefined && html`<p class="muted">${report.suite.description}</p>`}
${makeFacts(report)}
${makeDisagreement(report)}
<p class="lead">${describeReportLead(report)}</p>
${makeJudgeNotes(report)}${makeStops(report)}${makeDecisions(report)}
${simulated > 0 && html`<p class="notice">${whose} simulated by Benchmaker's offline demo models; they say nothing about any real model.</p>`}
<h2>Leaderboard</h2>
${makeLeaderboard(report.rows, report.runs.length)}
${makeComparison(report)}${makeComparisons(report)}${makeReportSentences(report)}${makeSeries(report)}${makeAgreement(report)}${makeJudging(report)}${makePeople(report)}${makeRatings(report)}${makeMissing(report)}
${makeGroups(report)}${makeMethod(report)}${makeRepeating(report)}
<h2>Cases and answers</h2>
${searchBar}
${makeCaseTable(report.cases, report.rows, report.runs.length)}
</main>
${searchScript}
</body>
</html>
`
  return page.text
}

export const htmlFormat: ReportFormat = {
  name: 'html',
  label: 'HTML report',
  extension: '.html',
  mediaType: 'text/html',
  write: writeHtml,
}
