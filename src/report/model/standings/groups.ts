import { marginOf, selectCases, toScoreTable, type ScoreTable } from '../../../contract/index.ts'
import { compareGroups, type GroupsOptions } from '../../../statistics/index.ts'
import { groupings, type Grouping } from '../../words/groups.ts'
import type { ReportCase } from '../cases.ts'
import { createCountedCases } from '../verdict/decisions.ts'
import type { GroupedStandings, GroupRow } from './grouped-standings.ts'
import type { Report } from '../report.ts'
import { buildStandings, countClusters } from './standings.ts'

/** The groups to list, with their cases as indices in `caseIds`. */
export interface ChosenGroups extends Pick<GroupedStandings, 'by' | 'leftOut' | 'ungrouped'> {
  groups: { value: string; cases: number[] }[]
}

/** More groups than this are a list of tags, not a breakdown. */
const MAX_GROUPS = 60

type GroupedCase = Pick<ReportCase, Exclude<Grouping, 'tag'> | 'tags'>

function valuesOf({ category, tags, difficulty }: GroupedCase, by: Grouping): Set<string | undefined> {
  return new Set(by === 'tag' ? tags : [by === 'category' ? category : difficulty])
}

/** The cases of each group, as indices in the list, in the order of the suite. */
export function groupCases(cases: readonly GroupedCase[], by: Grouping): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const [index, testCase] of cases.entries())
    for (const value of valuesOf(testCase, by)) {
      if (value === undefined || value === '') continue
      const members = groups.get(value) ?? []
      groups.set(value, members)
      members.push(index)
    }
  return groups
}

/** The largest groups, in the order of the suite. */
export function chooseGroups(cases: readonly GroupedCase[], by: Grouping): ChosenGroups {
  const all = Array.from(groupCases(cases, by), ([value, members]) => ({ value, cases: members }))
  const largest = new Set(all.toSorted((a, b) => b.cases.length - a.cases.length).slice(0, MAX_GROUPS))
  return {
    by,
    groups: all.filter((group) => largest.has(group)),
    leftOut: all.length - largest.size,
    ungrouped: cases.length - new Set(all.flatMap((group) => group.cases)).size,
  }
}

/** The standings of each group by itself, and who is better in which. */
export function buildGroups(
  table: ScoreTable,
  { groups, ...rest }: ChosenGroups,
  { sameWithin = marginOf(table), pairs: wanted }: Pick<GroupsOptions, 'sameWithin' | 'pairs'> = {},
): GroupedStandings {
  const compared = compareGroups(
    table,
    groups.map(({ cases }) => cases),
    { sameWithin, pairs: wanted, findCountedCases: createCountedCases(table) },
  )
  const { tests, leader } = compared
  return {
    ...rest,
    groups: groups.map(({ value, cases }, index) => {
      const { rows } = buildStandings(selectCases(table, cases), { caseCount: cases.length, isPart: true })
      const { pairs, pooled } = compared.groups[index]!
      return {
        value,
        cases: cases.length,
        clusters: countClusters(table, cases),
        rows: rows.map(({ modelId, score }): GroupRow => {
          const drawn = pooled.get(modelId)
          return { modelId, ...(score && { score }), ...(drawn && { pooled: drawn }) }
        }),
        pairs,
      }
    }),
    tests,
    ...(leader !== undefined && { leader }),
  }
}

/** Runs, which may be loaded without texts, with what was found about them. */
type Grouped = Pick<Report, 'runs' | 'suite' | 'comparisons' | 'comparison'>

/** Every view of a report shows them. */
const known = new WeakMap<Grouped, GroupedStandings[]>()

/** Every breakdown of a report with at least two groups. */
export function listGroups(report: Grouped): GroupedStandings[] {
  const found = known.get(report) ?? findGroups(report)
  known.set(report, found)
  return found
}

function findGroups({ runs, suite, comparisons, comparison }: Grouped): GroupedStandings[] {
  const cases = new Map(
    (suite?.testCases ?? []).map(
      ({ id, metadata: { category, difficulty, tags = [] } = {} }): [string, GroupedCase] => [
        id,
        { ...(category !== undefined && { category }), ...(difficulty !== undefined && { difficulty }), tags },
      ],
    ),
  )
  if ([...cases.values()].every(({ category, tags, difficulty }) => !category && !difficulty && !tags[0])) return []
  const table = toScoreTable(runs)
  const inTable = table.caseIds.map((id) => cases.get(id) ?? { tags: [] })
  const compared = comparisons.find(({ comparison: { paired } }) => paired?.equivalence)
  const sameWithin = compared?.comparison.paired?.equivalence?.margin
  const pairs = comparison?.pairs.map(({ labels: [before, after] }) => [after, before] as const)
  return groupings.flatMap((by) => {
    const chosen = chooseGroups(inTable, by)
    return chosen.groups.length < 2
      ? []
      : [buildGroups(table, chosen, { sameWithin, pairs: pairs?.length ? pairs : undefined })]
  })
}
