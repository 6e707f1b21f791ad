import { chooseGroups } from '../../report/model/groups.ts'
import type { GroupedStandings } from '../../report/model/grouped-standings.ts'
import type { Grouping } from '../../report/words/index.ts'
import { runJobIn, startThread } from './selection/background-thread.ts'
import { isLarge, type LoadedSelection } from './selection/load-selection.ts'

/** A comparison takes a third of a millisecond: more would block this thread for too long. */
const MAX_TESTS_INLINE = 100

/** GET /api/results/:selection/groups?by=category */
export async function createGroupsView(
  selection: LoadedSelection,
  { by, smallestDifference }: { by: Grouping; smallestDifference?: number | undefined },
): Promise<GroupedStandings> {
  const { scores } = selection
  const chosen = chooseGroups(selection.facts, by)
  let grouped: GroupedStandings = { ...chosen, groups: [], tests: 0 }
  const models = scores.modelIds.length
  const tests = (chosen.groups.length * models * (models - 1)) / 2
  const thread = tests > MAX_TESTS_INLINE || isLarge(selection.summaries) ? startThread() : undefined
  await runJobIn(thread, { kind: 'groups', input: { scores, chosen, sameWithin: smallestDifference } }, (result) => {
    if (result.part === 'grouped') grouped = result.grouped
  })
  return grouped
}
