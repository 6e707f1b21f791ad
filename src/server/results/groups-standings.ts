import { selectCases, type ScoreTable } from '../../contract/index.ts'
import { buildStandings } from '../../report/model/standings.ts'
import { isSmallGroup } from '../../report/words/index.ts'

/** The mean of each model over the cases of one group. */
export interface GroupStandings {
  value: string
  cases: number
  /** Too few cases to say much. */
  isSmall: boolean
  scores: { modelId: string; mean: number; low: number; high: number; n: number; passed: number; count: number }[]
}

export interface GroupsJob {
  scores: ScoreTable
  groups: { value: string; cases: number[] }[]
}

/** The standings of each group by itself. */
export function computeGroups({ scores, groups }: GroupsJob): GroupStandings[] {
  return groups.map(({ value, cases }) => {
    const { rows } = buildStandings(selectCases(scores, cases), { caseCount: cases.length })
    return {
      value,
      cases: cases.length,
      isSmall: isSmallGroup(cases.length),
      scores: rows.flatMap(({ modelId, score }) => {
        if (!score) return []
        const { mean, low, high, n, passed, count } = score
        return [{ modelId, mean, low, high, n, passed, count }]
      }),
    }
  })
}
