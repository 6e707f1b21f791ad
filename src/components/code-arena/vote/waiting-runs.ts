import { isLive } from '../../../contract/index.ts'
import type { ArenaRunSummary } from '../../../server/code-arena/arena-list.ts'

type RunFacts = Pick<ArenaRunSummary, 'runId' | 'models' | 'votes' | 'state' | 'workedOnBy'>

/** At most: pages that do not work are found when the run is opened. */
export function countOpenPairs({ models, votes }: Pick<RunFacts, 'models' | 'votes'>): number {
  return Math.max(0, (models.length * (models.length - 1)) / 2 - votes)
}

/** True if a blind vote may be left. */
export function isWaitingForVote(run: RunFacts, namesSeen: ReadonlySet<string>): boolean {
  return !isLive(run) && countOpenPairs(run) > 0 && !namesSeen.has(run.runId)
}
