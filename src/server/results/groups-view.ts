import type { GroupStandings } from './groups-standings.ts'
import { runJobIn, startThread } from './selection/background-thread.ts'
import { listGroups, type Grouping } from './selection/case-groups.ts'
import { isLarge, type LoadedSelection } from './selection/load-selection.ts'

/** GET /api/results/:selection/groups?by=category */
export interface GroupsView {
  by: Grouping
  groups: GroupStandings[]
  /** Groups with the fewest cases that are not listed. */
  leftOut: number
  /** Cases in no group. */
  ungrouped: number
}

const MAX_GROUPS = 60

/** The leaderboard broken down by category, tag or difficulty. */
export async function createGroupsView(selection: LoadedSelection, by: Grouping): Promise<GroupsView> {
  const found = listGroups(selection.facts, by)
  const all = Array.from(found, ([value, cases]) => ({ value, cases }))
  const largest = all.toSorted((a, b) => b.cases.length - a.cases.length).slice(0, MAX_GROUPS)
  const shown = new Set(largest)
  const input = { scores: selection.scores, groups: all.filter((group) => shown.has(group)) }
  const grouped = new Set(Array.from(found.values()).flat())
  let groups: GroupStandings[] = []
  const thread = isLarge(selection.summaries) ? startThread() : undefined
  await runJobIn(thread, { kind: 'groups', input }, (result) => {
    if (result.part === 'grouped') groups = result.groups
  })
  return { by, groups, leftOut: all.length - groups.length, ungrouped: selection.facts.length - grouped.size }
}
