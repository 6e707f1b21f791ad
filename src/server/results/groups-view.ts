import { chooseGroups, type GroupedStandings } from '../../report/model/groups.ts'
import type { Grouping } from '../../report/words/index.ts'
import { runJobIn, startThread } from './selection/background-thread.ts'
import { isLarge, type LoadedSelection } from './selection/load-selection.ts'

/** GET /api/results/:selection/groups?by=category */
export async function createGroupsView(selection: LoadedSelection, by: Grouping): Promise<GroupedStandings> {
  const chosen = chooseGroups(selection.facts, by)
  let grouped: GroupedStandings = { ...chosen, groups: [] }
  const thread = isLarge(selection.summaries) ? startThread() : undefined
  await runJobIn(thread, { kind: 'groups', input: { scores: selection.scores, chosen } }, (result) => {
    if (result.part === 'grouped') grouped = result.grouped
  })
  return grouped
}
