import type { LabelledPair, ReportedSide } from '../../comparing/comparison.ts'
import type { Report } from '../../model/report.ts'
import {
  describeChanges,
  describeInterval,
  describeNotCompared,
  describePassChanges,
  describeRankAgreement,
  describeSamples,
  formatCount,
  formatDifference,
  formatTime,
} from '../../words/index.ts'
import { changeTable, pairTable } from '../../tables/comparing.ts'
import { intervalOf } from '../../words/verdicts/pairs/gap.ts'
import { html, type Content, type Markup } from './html-markup.ts'
import { makeTable } from './html-table.ts'

/** More rows make a page that no browser opens quickly; the JSON export has all. */
const MAX_CASES = 2000
/** With more pairs, lists of cases start folded. */
const MAX_OPEN_PAIRS = 2

const ROW_HEIGHT = 28

/** The difference with its interval, on an axis around 0 that all pairs share. */
function drawDifference({ comparison }: LabelledPair, reach: number): Markup {
  const paired = comparison?.paired
  // oxlint-disable-next-line house/no-number-format -- A place in a drawing.
  const at = (difference: number) => `${(50 + (difference / reach) * 50).toFixed(2)}%`
  const middle = ROW_HEIGHT / 2
  const zero = html`<line class="zero" x1="50%" x2="50%" y1="0" y2="${ROW_HEIGHT}"/>`
  if (!paired) return html`<svg height="${ROW_HEIGHT}" aria-hidden="true">${zero}</svg>`
  const [low, high] = intervalOf(paired)
  const line = (from: number, to: number, half: number) =>
    html`<line class="range" x1="${at(from)}" x2="${at(to)}" y1="${middle - half}" y2="${middle + half}"/>`
  const label = `${formatDifference(paired.meanDiff)}, 95 % CI ${describeInterval({ low, high })}`
  return html`<svg height="${ROW_HEIGHT}" role="img" aria-label="${label}">${zero}${line(low, high, 0)}${line(low, low, 5)}${line(high, high, 5)}<circle class="dot" cx="${at(paired.meanDiff)}" cy="${middle}" r="4.5"/></svg>`
}

function reachOf(pairs: readonly LabelledPair[]): number {
  const ends = pairs.flatMap(({ comparison }) =>
    comparison?.paired ? intervalOf(comparison.paired).map(Math.abs) : [],
  )
  return Math.max(0.05, ...ends) * 1.1
}

function makePairs(pairs: readonly LabelledPair[]): Markup {
  const reach = reachOf(pairs)
  return makeTable({
    columns: pairTable.filter(({ key }) => key !== 'a' && key !== 'b'),
    rows: pairs,
    label: 'Differences',
    look: 'pairs',
    chart: { head: 'B − A', draw: (pair) => drawDifference(pair, reach) },
  })
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
  const rows = makeTable({
    columns: changeTable,
    rows: shown,
    label: 'Changed cases',
    look: 'changes',
    isDown: ({ kind }) => kind === 'worse',
  })
  const table = html`${rows}${left > 0 && html`<p class="muted">${formatCount(left, 'more case is', 'more cases are')} in the JSON export.</p>`}`
  return html`<h3><span class="name">${before}</span> (A) → <span class="name">${after}</span> (B)</h3>
<p>${sentences.join(' ')}</p>
${
  shown.length > 0 &&
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
