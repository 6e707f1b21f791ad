import { isSkipped, type CheckResult } from '../../../contract/index.ts'
import {
  describeCachedAt,
  describeSent,
  describeNoScore,
  describePassing,
  describeRating,
  describeTokens,
  excerpt,
  formatCost,
  formatCount,
  formatDuration,
  formatPassed,
  formatScore,
  cellStates,
} from '../../words/index.ts'
import { nameBriefly } from '../../words/names.ts'
import { html, type Content, type Markup } from './html-markup.ts'
import type { ReportAnswer, ReportCase, ReportCell } from '../../model/cases.ts'
import type { ReportRow } from '../../model/standings/report-row.ts'

/** Longer answers would make the page unusable; the JSON export has them in full. */
const MAX_TEXT_LENGTH = 20_000

/** The leaderboard shows the full name. */
const MAX_HEADING_LENGTH = 48

function makeText(text: string): Markup {
  const left = text.length - MAX_TEXT_LENGTH
  if (left <= 0) return html`<pre dir="auto">${text}</pre>`
  return html`<pre dir="auto">${text.slice(0, MAX_TEXT_LENGTH)}…</pre>
<p class="muted">${formatCount(left, 'more character is', 'more characters are')} in the JSON export.</p>`
}

/** ✓ or ✗; over several runs, how many answers passed. */
function makePassed({ passed, answers }: ReportCell): Markup {
  const count = answers.filter(({ score }) => score).length
  const text = count === 1 ? (passed === 1 ? '✓' : '✗') : formatPassed({ passed, count })
  const label = count === 1 ? (passed === 1 ? 'passed' : 'failed') : `${passed} of ${count} answers passed`
  return html`<small class="passed" role="img" aria-label="${label}">${text}</small>`
}

/** Ratings by people are not scores: the cell only says that there are some, its answers say which. */
function countRated(answers: readonly ReportAnswer[]): Content {
  const rated = answers.filter(({ rating }) => rating && describeRating(rating) !== undefined).length
  return rated > 0 && html` <small>${rated === 1 ? 'has a rating' : `has ${formatCount(rated, 'rating')}`}</small>`
}

function makeScore(cell: ReportCell): Markup {
  const { mean, answers } = cell

  if (mean !== undefined) {
    const notRun = answers.filter(isSkipped).length
    const missing = answers.filter(({ score }) => !score).length - notRun
    const note = html`${missing > 0 && html` <small class="bad">${formatCount(missing)} without a score</small>`}${notRun > 0 && html` <small>${formatCount(notRun)} ${cellStates.skipped.word}</small>`}${countRated(answers)}`
    return html`<td class="number score"><span class="s${Math.round(mean * 10)}">${formatScore(mean)}</span> ${makePassed(cell)}${note}</td>`
  }
  const [answer] = answers
  const look = answer && !isSkipped(answer) ? 'bad' : ''
  return html`<td class="number score"><small class="${look}">${answer ? describeNoScore(answer) : '–'}</small>${countRated(answers)}</td>`
}

function makeChecks(checks: CheckResult[] | undefined): Content {
  const items = checks?.map(({ scoringMethod, score, weight, notes }) => {
    const counts = weight === 1 ? '' : ` (weight ${weight})`
    return html`<li>${scoringMethod} ${formatScore(score)}${counts}${notes !== undefined && `: ${notes}`}</li>`
  })
  return items && html`<ul class="muted">${items}</ul>`
}

const formatTokens = (tokens: number | undefined) => (tokens === undefined ? '?' : formatCount(tokens))

function listTokens({ promptTokens, completionTokens }: ReportAnswer): string[] {
  if (promptTokens === undefined && completionTokens === undefined) return []
  return [`${formatTokens(promptTokens)} + ${formatTokens(completionTokens)} tokens`]
}

function makeAnswer(answer: ReportAnswer, runs: number): Markup {
  const {
    modelId,
    runNumber,
    score,
    passed,
    unscored,
    outcome,
    error,
    response,
    toolCalls,
    latencyMs,
    cost,
    cachedAt,
    tokenDetails,
    rating,
  } = answer
  const facts = [
    ...(runs > 1 ? [`run ${runNumber}`] : []),
    score ? `${formatScore(score.score)}, ${passed ? 'passed' : 'failed'}` : describeNoScore(answer),
    ...(outcome !== undefined && outcome !== 'ok' && score ? [outcome] : []),
    ...(cachedAt === undefined ? [] : [describeCachedAt(answer)!]),
    ...(latencyMs === undefined ? [] : [`${formatDuration(latencyMs)}${cachedAt === undefined ? '' : ' then'}`]),
    ...(tokenDetails ? describeTokens(answer) : listTokens(answer)),
    ...(cost === undefined ? [] : [formatCost(cost)]),
    ...describeSent(answer),
    ...(score?.notes === undefined ? [] : [score.notes]),
  ]
  const problem = unscored?.message ?? error
  const rated = rating && describeRating(rating)
  const calls = (toolCalls ?? []).map((call) => `${call.name}(${JSON.stringify(call.arguments)})`)
  return html`<h3><span class="name">${modelId}</span> <small>${facts.join(' · ')}</small></h3>
${problem !== undefined && html`<p class="bad">${problem}</p>`}${rated !== undefined && html`<p class="rated" dir="auto">${rated}</p>`}${makeChecks(score?.checks)}
${response === '' && calls.length === 0 && html`<p class="muted">empty answer</p>`}${response && makeText(response)}
${calls.length > 0 && makeText(calls.join('\n'))}
`
}

function makeCase(testCase: ReportCase, runs: number): Markup {
  const { id, prompt, expectedOutput, methods, weight, passMark, category, difficulty, tags, cells } = testCase
  const all = [
    methods.join(', '),
    methods.length > 0 ? describePassing(passMark) : undefined,
    weight === 1 ? undefined : `weight ${weight}`,
    category,
    difficulty,
    ...tags,
  ]
  const facts = all.filter((fact) => fact !== undefined && fact !== '')
  return html`<tbody>
<tr><th class="id name" scope="row">${id}</th>${cells.map(makeScore)}</tr>
<tr><td class="more" colspan="${cells.length + 1}"><details><summary>${prompt === undefined ? 'Answers' : excerpt(prompt, 140)}</summary>
<p class="muted">${facts.join(' · ')}</p>
${prompt !== undefined && html`<h3>Prompt</h3>${makeText(prompt)}`}
${expectedOutput !== undefined && html`<h3>Expected</h3>${makeText(expectedOutput)}`}
${cells.flatMap(({ answers }) => answers.map((answer) => makeAnswer(answer, runs)))}</details></td></tr>
</tbody>
`
}

/** A browser lays out a table as a whole: with 5,000 cases in one, a report would take a minute to open. */
const CASES_PER_TABLE = 100

/** One row per case with every model's score, and the prompt and answers in collapsed details. */
export function makeCaseTable(cases: ReportCase[], rows: ReportRow[], runs: number): Markup {
  const nameOf = nameBriefly(
    rows.map(({ modelId }) => modelId),
    MAX_HEADING_LENGTH,
  )
  const headings = rows.map(({ modelId }) => html`<th class="number" scope="col">${nameOf(modelId)}</th>`)
  const parts = Array.from({ length: Math.ceil(cases.length / CASES_PER_TABLE) }, (_, index) =>
    cases.slice(index * CASES_PER_TABLE, (index + 1) * CASES_PER_TABLE),
  )
  return html`${parts.map((part, index) => {
    const from = index * CASES_PER_TABLE
    const places = parts.length > 1 && ` ${formatCount(from + 1)} to ${formatCount(from + part.length)}`
    return html`<div class="scroll part" role="region" aria-label="Scores by case${places}" tabindex="0"><table class="cases">
<thead><tr><th scope="col">Case${places}</th>${headings}</tr></thead>
${part.map((testCase) => makeCase(testCase, runs))}</table></div>
`
  })}`
}
