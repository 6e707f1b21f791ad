import type { GroupRow, GroupStandings } from '../model/standings/grouped-standings.ts'
import { groupingWords, type Grouping } from '../words/groups.ts'
import { describeGroupVerdict, formatGroupDifference, formatInGroup } from '../words/verdicts/groups.ts'
import { formatCases } from '../words/verdicts/verdicts.ts'
import type { Table } from './table.ts'

/** What a model scores on the cases of a group. */
export function scoreInGroup({ rows }: GroupStandings, modelId: string): GroupRow | undefined {
  return rows.find((row) => row.modelId === modelId && row.score)
}

/** With more models than this, there is no room for the intervals of pooled scores. */
const ROOM_FOR_INTERVALS = 3

const areCompared = (groups: readonly GroupStandings[]) => groups.some(({ pairs }) => pairs.length > 0)

/** The names of the only pair; undefined if there are several. */
function namePair(groups: readonly GroupStandings[]): string | undefined {
  const names = new Set(groups.flatMap(({ pairs }) => pairs.map(({ modelA, modelB }) => `${modelA} − ${modelB}`)))
  return names.size === 1 ? [...names][0] : undefined
}

/** Scores by group: a row per group, a column per model, and which differences are real. */
export function groupTable(
  by: Grouping,
  models: readonly string[],
  groups: readonly GroupStandings[],
  { isNarrow = false }: { isNarrow?: boolean } = {},
): Table<GroupStandings> {
  const withInterval = !isNarrow && models.length <= ROOM_FOR_INTERVALS
  const pair = namePair(groups)
  return [
    { key: 'group', label: groupingWords[by].title, role: 'name', cut: 'middle', text: ({ value }) => value },
    {
      key: 'cases',
      label: 'Cases',
      align: 'end',
      keep: 'always',
      text: ({ cases, clusters }) => formatCases({ n: cases, clusters }),
    },
    ...models.map((modelId) => ({
      key: `model ${modelId}`,
      label: modelId,
      isModel: true,
      align: 'end' as const,
      keep: 'always' as const,
      text: (group: GroupStandings) => formatInGroup(scoreInGroup(group, modelId) ?? { modelId }, { withInterval }),
    })),
    {
      key: 'difference',
      label: pair ?? 'Difference',
      align: 'end',
      keep: 'wide',
      isIn: () => pair !== undefined,
      text: formatGroupDifference,
    },
    { key: 'verdict', label: 'Verdict', role: 'note', cut: 'end', isIn: areCompared, text: describeGroupVerdict },
  ]
}
