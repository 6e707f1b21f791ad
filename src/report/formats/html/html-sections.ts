import { listCategoryTables, type CategoryKind, type CategoryTable } from '../../model/categories.ts'
import type { Report } from '../../model/report.ts'
import { listRepeatingFacts } from '../../model/repeating.ts'
import { describeInterval, formatCount, formatScore, isSmallGroup, shortenName } from '../../words/index.ts'
import { html, type Content, type Markup } from './html-markup.ts'

const MAX_HEADING_LENGTH = 48

const TITLES: Record<CategoryKind, string> = { category: 'By category', difficulty: 'By difficulty', tag: 'By tag' }

function makeCategoryTable({ by, categories, leftOut }: CategoryTable): Markup {
  const [first] = categories
  const isAnySmall = categories.some(({ cases }) => isSmallGroup(cases))
  return html`<h2>${TITLES[by]}</h2>
<div class="scroll" role="region" aria-label="${TITLES[by]}" tabindex="0"><table class="groups">
<thead><tr><th scope="col">${by === 'tag' ? 'Tag' : by === 'difficulty' ? 'Difficulty' : 'Category'}</th><th class="number" scope="col">Cases</th>${first?.scores.map(({ modelId }) => html`<th class="number" scope="col">${shortenName(modelId, MAX_HEADING_LENGTH)}</th>`)}</tr></thead>
<tbody>
${categories.map(
  ({ value, cases, scores }) =>
    html`<tr><th class="name" scope="row">${value}</th><td class="number">${formatCount(cases)}</td>${scores.map(
      ({ mean, low, high }) =>
        html`<td class="number">${mean === undefined ? '–' : html`<span class="s${Math.round(mean * 10)}">${formatScore(mean)}</span> <small>${describeInterval({ low: low!, high: high! })}</small>`}</td>`,
    )}</tr>
`,
)}</tbody></table></div>
${isAnySmall && html`<p class="muted">Groups of fewer than 10 cases have wide intervals: differences in them are hard to tell from chance.</p>`}${leftOut > 0 && html`<p class="muted">${formatCount(leftOut, 'smaller group')} not shown.</p>`}
`
}

/** The leaderboard by category, difficulty and tag. */
export function makeCategories(report: Report): Content {
  return listCategoryTables(report).map(makeCategoryTable)
}

/** Suite, parameters, judges, dates and versions: everything that is needed to repeat it. */
export function makeRepeating(report: Report): Markup {
  return html`<h2>To repeat this</h2>
<dl class="repeat">${listRepeatingFacts(report).map(([name, value]) => html`<div><dt>${name}</dt><dd class="name">${value}</dd></div>`)}</dl>
`
}
