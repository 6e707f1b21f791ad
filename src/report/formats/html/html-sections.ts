import { listGroups } from '../../model/standings/groups.ts'
import type { GroupedStandings } from '../../model/standings/grouped-standings.ts'
import type { Report } from '../../model/report.ts'
import { listRepeatingFacts } from '../../model/repeating.ts'
import { groupTable, scoreInGroup } from '../../tables/groups.ts'
import {
  describeGroups,
  describeInterval,
  explainGroups,
  formatCount,
  formatScore,
  groupingWords,
  isSmallGroup,
} from '../../words/index.ts'
import { html, type Content, type Markup } from './html-markup.ts'
import { makeTable } from './html-table.ts'

function makeGroupTable(grouped: GroupedStandings, models: readonly string[]): Markup {
  const { by, groups, leftOut } = grouped
  const title = `By ${groupingWords[by].one}`
  const sentence = describeGroups(grouped)
  return html`<h2>${title}</h2>
${sentence !== undefined && html`<p class="name">${sentence}</p>`}
${makeTable({
  columns: groupTable(by, models, groups),
  rows: groups,
  label: title,
  look: 'groups',
  drawModel(group, modelId) {
    const row = scoreInGroup(group, modelId)
    const { score, pooled } = row ?? {}
    return (
      score &&
      html`<span class="s${Math.round(score.mean * 10)}">${formatScore(score.mean)}</span> <small>${describeInterval(score)}</small>${pooled && html`<br>· ${formatScore(pooled.estimate)} <small>${describeInterval(pooled)}</small>`}`
    )
  },
})}${explainGroups(grouped).map((note) => html`<p class="muted">${note}</p>`)}${groups.some(isSmallGroup) && html`<p class="muted">Groups of fewer than 10 cases have wide intervals: differences in them are hard to tell from chance.</p>`}${leftOut > 0 && html`<p class="muted">${formatCount(leftOut, 'smaller group')} not shown.</p>`}
`
}

/** The leaderboard by category, tag and difficulty. */
export function makeGroups(report: Report): Content {
  const models = report.rows.map(({ modelId }) => modelId)
  return listGroups(report).map((grouped) => makeGroupTable(grouped, models))
}

/** Suite, parameters, judges, dates and versions: everything that is needed to repeat it. */
export function makeRepeating(report: Report): Markup {
  return html`<h2>To repeat this</h2>
<dl class="repeat">${listRepeatingFacts(report).map(([name, value]) => html`<div><dt>${name}</dt><dd class="name">${value}</dd></div>`)}</dl>
`
}
