import type { GroupPair, PooledGroup } from '../../../statistics/index.ts'
import type { Grouping } from '../../words/groups.ts'
import type { ReportRow } from './report-row.ts'

/** Some of the cases, what each model scores on them, and which of these differences are real. */
export interface GroupStandings {
  value: string
  cases: number
  /** How many clusters they are in: what counts as independent. */
  clusters: number
  rows: GroupRow[]
  /** Each pair once, with Holm's correction over groups × pairs. */
  pairs: GroupPair[]
}

export interface GroupRow extends Pick<ReportRow, 'modelId' | 'score'> {
  /** The score drawn towards those of the other groups, of a group with few cases. */
  pooled?: PooledGroup
}

/** The leaderboard broken down by category, tag or difficulty. */
export interface GroupedStandings {
  by: Grouping
  groups: GroupStandings[]
  /** How many verdicts the correction is for. */
  tests: number
  /** The model that the others are compared with, if all pairs would be too many. */
  leader?: string
  /** Groups with the fewest cases, which are not listed. */
  leftOut: number
  /** Cases in no group. */
  ungrouped: number
}
