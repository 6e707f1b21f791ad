import { selectCases, toScoreTable, type ScoreTable } from '../../contract/index.ts'
import { groupings, type Grouping } from '../words/groups.ts'
import type { ReportCase } from './cases.ts'
import type { ReportRow } from './report-row.ts'
import type { Report } from './report.ts'
import { buildStandings } from './standings.ts'

/** Some of the cases, and what each model scores on them. */
export interface GroupStandings {
  value: string
  cases: number
  rows: Pick<ReportRow, 'modelId' | 'score'>[]
}

/** The leaderboard broken down by category, tag or difficulty. */
export interface GroupedStandings {
  by: Grouping
  groups: GroupStandings[]
  /** Groups with the fewest cases, which are not listed. */
  leftOut: number
  /** Cases in no group. */
  ungrouped: number
}

/** The groups to list, with their cases as indices in `caseIds`. */
export interface ChosenGroups extends Omit<GroupedStandings, 'groups'> {
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

/** The standings of each group by itself. */
export function buildGroups(table: ScoreTable, { groups, ...rest }: ChosenGroups): GroupedStandings {
  return {
    ...rest,
    groups: groups.map(({ value, cases }) => {
      const { rows } = buildStandings(selectCases(table, cases), { caseCount: cases.length })
      return {
        value,
        cases: cases.length,
        rows: rows.map(({ modelId, score }) => ({ modelId, ...(score && { score }) })),
      }
    }),
  }
}

/** Every breakdown of a report with at least two groups. */
export function listGroups({ runs, cases }: Pick<Report, 'runs' | 'cases'>): GroupedStandings[] {
  const table = toScoreTable(runs)
  const caseOf = new Map(cases.map((testCase) => [testCase.id, testCase]))
  const inTable = table.caseIds.map((id) => caseOf.get(id) ?? { tags: [] })
  return groupings.flatMap((by) => {
    const chosen = chooseGroups(inTable, by)
    return chosen.groups.length < 2 ? [] : [buildGroups(table, chosen)]
  })
}
