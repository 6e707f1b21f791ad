import type { CaseChange } from '../../comparing/case-changes.ts'
import type { LabelledPair, ReportedSide } from '../../comparing/comparison.ts'
import type { Report } from '../../model/report.ts'
import {
  describeCell,
  describeChanges,
  describeInterval,
  describeNotCompared,
  describePassChanges,
  describeRankAgreement,
  describeSamples,
  explainNotCompared,
  formatCount,
  formatDifference,
  formatTime,
} from '../../words/index.ts'
import { html, type Content, type Markup } from './html-markup.ts'

/** More rows make a page that no browser opens quickly; the JSON export has all. */
const MAX_CASES = 2000
/** With more pairs, lists of cases start folded. */
const MAX_OPEN_PAIRS = 2

const ROW_HEIGHT = 28

/** The difference with its interval, on an axis around 0 that all pairs share. */
function drawDifference({ comparison }: LabelledPair, reach: number): Markup {
  const paired = comparison?.paired
  const at = (difference: number) => `${(50 + (difference / reach) * 50).toFixed(2)}%`
  const middle = ROW_HEIGHT / 2
  const zero = html`<line class="zero" x1="50%" x2="50%" y1="0" y2="${ROW_HEIGHT}"/>`
  if (!paired) return html`<svg height="${ROW_HEIGHT}" aria-hidden="true">${zero}</svg>`
  const [low, high] = paired.confidence95
  const line = (from: number, to: number, half: number) =>
    html`<line class="range" x1="${at(from)}" x2="${at(to)}" y1="${middle - half}" y2="${middle + half}"/>`
  const label = `${formatDifference(paired.meanDiff)}, 95 % interval ${describeInterval({ low, high })}`
  return html`<svg height="${ROW_HEIGHT}" role="img" aria-label="${label}">${zero}${line(low, high, 0)}${line(low, low, 5)}${line(high, high, 5)}<circle class="dot" cx="${at(paired.meanDiff)}" cy="${middle}" r="4.5"/></svg>`
}

function reachOf(pairs: readonly LabelledPair[]): number {
  const ends = pairs.flatMap(({ comparison }) => comparison?.paired?.confidence95.map(Math.abs) ?? [])
  return Math.max(0.05, ...ends) * 1.1
}

function makePairs(pairs: readonly LabelledPair[]): Markup {
  const reach = reachOf(pairs)
  return html`<div class="scroll" role="region" aria-label="Differences" tabindex="0"><table class="pairs">
<thead><tr><th scope="col">Before (A)</th><th scope="col">After (B)</th><th class="chart" scope="col">B − A</th><th class="number" scope="col">Change</th><th class="number" scope="col">95 % interval</th><th class="number" scope="col">Better</th><th class="number" scope="col">Worse</th><th class="number" scope="col">Same</th></tr></thead>
<tbody>
${pairs.map((pair) => {
  const {
    labels: [before, after],
    comparison,
    changes,
  } = pair
  const paired = comparison?.paired
  return html`<tr><td class="name">${before}</td><td class="name">${after}</td><td class="chart">${drawDifference(pair, reach)}</td><td class="number strong">${paired ? formatDifference(paired.meanDiff) : '–'}</td><td class="number">${paired ? describeInterval({ low: paired.confidence95[0], high: paired.confidence95[1] }) : '–'}</td><td class="number">${formatCount(changes.better)}</td><td class="number">${formatCount(changes.worse)}</td><td class="number">${formatCount(changes.same)}</td></tr>
`
})}</tbody></table></div>
`
}

function describePass({ pass }: CaseChange): string {
  if (!pass) return ''
  return pass === 'lost' ? 'passed → failed' : 'failed → passed'
}

const KINDS: Record<CaseChange['kind'], string> = {
  better: 'better',
  worse: 'worse',
  same: 'same',
  'not compared': 'not compared',
}

function makeChanges(pair: LabelledPair, isOpen: boolean): Markup {
  const {
    labels: [before, after],
    changes,
    samples,
  } = pair
  const isSameModel = pair.before === pair.after
  const sentences = [
    describeChanges(changes, isSameModel ? undefined : { after: 'B' }),
    describePassChanges(changes),
    describeNotCompared(changes.notCompared),
    samples && describeSamples(samples, [before, after]),
  ].filter((text) => text !== undefined)
  const changed = changes.cases.filter(({ kind }) => kind !== 'same')
  const shown = changed.slice(0, MAX_CASES)
  const left = changed.length - shown.length
  const rows = shown.map(
    (change) =>
      html`<tr class="${change.kind === 'worse' ? 'down' : ''}"><td class="id name">${change.id}</td><td class="number">${describeCell(change.before)}</td><td class="number">${describeCell(change.after)}</td><td class="number strong">${formatDifference(change.difference)}</td><td>${KINDS[change.kind]}</td><td class="note">${change.kind === 'not compared' ? explainNotCompared(change) : describePass(change)}</td></tr>
`,
  )
  const table = html`<div class="scroll" role="region" aria-label="Changed cases" tabindex="0"><table class="changes">
<thead><tr><th scope="col">Case</th><th class="number" scope="col">A</th><th class="number" scope="col">B</th><th class="number" scope="col">Change</th><th scope="col">Kind</th><th scope="col">Note</th></tr></thead>
<tbody>
${rows}</tbody></table></div>${left > 0 && html`<p class="muted">${formatCount(left, 'more case is', 'more cases are')} in the JSON export.</p>`}`
  return html`<h3><span class="name">${before}</span> (A) → <span class="name">${after}</span> (B)</h3>
<p>${sentences.join(' ')}</p>
${
  rows.length > 0 &&
  (isOpen ? table : html`<details><summary>${formatCount(changed.length, 'changed case')}</summary>${table}</details>`)
}
`
}

function makeSide({ title, runIds, startedAt, file, models }: ReportedSide, index: number): Markup {
  const facts = [
    title,
    startedAt === undefined ? undefined : formatTime(startedAt),
    file,
    `${runIds.length > 1 ? 'runs' : 'run'} ${runIds.join(', ')}`,
    models.join(', '),
  ].filter((fact) => fact !== undefined)
  return html`<li class="name"><b>${String.fromCharCode(65 + (index % 26))}</b>: ${facts.join(' · ')}</li>`
}

/** Runs against each other: what differs between them, and case by case what got better and worse. */
export function makeComparison({ comparison }: Report): Content {
  if (!comparison) return undefined
  const { sides, pairs, notes, agreement } = comparison
  return html`<h2>What is compared</h2>
<ul>${sides.map(makeSide)}</ul>
${notes.map((note) => html`<p class="notice">${note}</p>`)}${agreement && html`<p>${describeRankAgreement(agreement)}</p>`}
${pairs.length > 0 && html`<h2>What changed</h2>${makePairs(pairs)}`}
${pairs.map((pair) => makeChanges(pair, pairs.length <= MAX_OPEN_PAIRS))}
`
}
