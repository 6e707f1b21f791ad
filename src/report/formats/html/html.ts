import {
  describeAgreement,
  describeEvidence,
  explainIntervals,
  describeFlaky,
  describeRunCounts,
  formatSeriesLine,
  describeMissing,
  describePeople,
  hasRatedSample,
  recommendNextStep,
  BY_HISTORY_TITLE,
  describeByHistory,
  describeHosts,
  describeRatings,
  describeWordings,
  HOSTS_TITLE,
  WORDINGS_TITLE,
  formatCount,
  formatReportSentence,
  listAgreement,
  listJudgingSections,
  listCorrectedPairs,
  listPeopleNotes,
  PEOPLE_TITLE,
  FOR_A_REPORT,
  headGroup,
} from '../../words/index.ts'
import { countWithoutScore } from '../../../statistics/index.ts'
import { writeArenaHtml } from './arena-html.ts'
import { makeCaseTable } from './html-cases.ts'
import { makeComparison } from './html-comparison.ts'
import { makeDecision } from './html-decision.ts'
import { html, type Content, type Markup } from './html-markup.ts'
import { searchBar, searchHash, searchScript } from './html-search.ts'
import { makeGroups, makeRepeating } from './html-sections.ts'
import { reportStyle } from './html-style.ts'
import { makeTable } from './html-table.ts'
import { leaderboard } from '../../tables/leaderboard.ts'
import { peopleTable, ratedAnswers } from '../../tables/people.ts'
import type { Report } from '../../model/report.ts'
import { listGaps, listRepeated } from '../../model/standings/standings.ts'
import type { ReportFormat } from '../report-format.ts'

const MAX_SHOWN_COMPARISONS = 10

function makeComparisons({ comparisons, groups }: Report): Content {
  if (comparisons.length === 0) return undefined
  const items = comparisons.map(({ comparison: { paired }, sentence }) => {
    const [look, sign] = paired?.isSignificant ? ['sure', '≠'] : ['open', '≈']
    const figures = paired && html`<br><small>${describeEvidence(paired)}</small>`
    return html`<li class="${look}"><span class="sign">${sign}</span><div>${sentence}${figures}</div></li>
`
  })
  const rest = items.slice(MAX_SHOWN_COMPARISONS)
  const pairs = comparisons.map(({ comparison }) => comparison)
  const note = explainIntervals(pairs)
  return html`<h2>Which differences are real</h2>
<ul class="findings">${items.slice(0, MAX_SHOWN_COMPARISONS)}</ul>
${rest.length > 0 && html`<details><summary>${formatCount(rest.length, 'more pair')}</summary><ul class="findings">${rest}</ul></details>`}
${note !== undefined && html`<p><small>${note}</small></p>`}
${groups.map((group) => html`<p>${headGroup(group, pairs)} <span class="name">${group.join(', ')}</span></p>`)}
`
}

function makeSeries(report: Report): Content {
  const repeated = listRepeated(report)
  if (repeated.length === 0) return undefined
  return html`<h2>Over ${describeRunCounts(repeated)}</h2>
<ul>${repeated.map(({ repeats: { flaky }, ...stats }) => {
    const changing = flaky.length > 0 && html`<br><small>${describeFlaky(flaky)}</small>`
    return html`<li><span class="name">${formatSeriesLine(stats.modelId, stats)}</span>${changing}</li>`
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
${
  hasRatedSample(people) &&
  html`<p>${describePeople(people)}</p>
${makeTable({ columns: peopleTable, rows: people.models, label: PEOPLE_TITLE, look: 'ratings' })}`
}<ul>${[...listCorrectedPairs(people), ...listPeopleNotes(people, ratingQueues)].map((note) => html`<li>${note}</li>`)}</ul>
`
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

/** The score of all cases from some of them. */
function makeByHistory({ byHistory }: Report): Content {
  const sentences = describeByHistory(byHistory)
  if (sentences.length === 0) return undefined
  return html`<h2>${BY_HISTORY_TITLE}</h2>
<ul>${sentences.map((sentence) => html`<li class="name">${sentence}</li>`)}</ul>
`
}

/** The verdict over wordings. */
function makeWordings({ wordings }: Report): Content {
  const sentences = describeWordings(wordings)
  if (sentences.length === 0) return undefined
  return html`<h2>${WORDINGS_TITLE}</h2>
<ul>${sentences.map((sentence) => html`<li class="name">${sentence}</li>`)}</ul>
`
}

/** One model at several hosts. */
function makeHosts({ hosts }: Report): Content {
  const sentences = describeHosts(hosts)
  if (sentences.length === 0) return undefined
  return html`<h2>${HOSTS_TITLE}</h2>
<ul>${sentences.map((sentence) => html`<li class="name">${sentence}</li>`)}</ul>
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

function makeMethod({ method }: Report): Markup {
  return html`<h2>Method</h2>
<ul>${method.map((note) => html`<li>${note}</li>`)}</ul>
`
}

/** One file that opens offline: nothing external, one script that searches; for screen, phone and paper, always light. */
export function writeHtml(report: Report): string {
  if (report.arena) return writeArenaHtml(report.arena)
  const { page: decision, more } = makeDecision(report)
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
${decision}
<section class="sheet">
${makeComparison(report)}<h2>Cases and answers</h2>
${searchBar}
${makeCaseTable(report.cases, report.rows, report.runs.length)}
</section>
<section class="sheet">
<h2>Statistics</h2>
${makeTable({ columns: leaderboard({ runCount: report.runs.length }), rows: report.rows, label: 'All figures', look: 'board' })}${more.map((note) => html`<p class="name">${note}</p>`)}
${makeComparisons(report)}${makeByHistory(report)}${makeWordings(report)}${makeHosts(report)}${makeReportSentences(report)}${makeSeries(report)}${makeAgreement(report)}${makeJudging(report)}${makePeople(report)}${makeRatings(report)}${makeMissing(report)}
${makeGroups(report)}
</section>
<section class="sheet">
${makeMethod(report)}${makeRepeating(report)}
</section>
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
