import type { GroupStandings } from '../model/groups.ts'
import type { ReportRow } from '../model/report-row.ts'
import { groupingWords, type Grouping } from '../words/groups.ts'
import { formatCount, formatScore } from '../words/numbers.ts'
import type { Table } from './table.ts'

/** What a model scores on the cases of a group. */
export function scoreInGroup({ rows }: GroupStandings, modelId: string): ReportRow['score'] {
  return rows.find((row) => row.modelId === modelId)?.score
}

/** Scores by group: a row per group, a column per model. */
export function groupTable(by: Grouping, models: readonly string[]): Table<GroupStandings> {
  return [
    { key: 'group', label: groupingWords[by].title, role: 'name', text: ({ value }) => value },
    { key: 'cases', label: 'Cases', align: 'end', keep: 'always', text: ({ cases }) => formatCount(cases) },
    ...models.map((modelId) => ({
      key: `model ${modelId}`,
      label: modelId,
      isModel: true,
      align: 'end' as const,
      keep: 'always' as const,
      text: (group: GroupStandings) => formatScore(scoreInGroup(group, modelId)?.mean),
    })),
  ]
}
