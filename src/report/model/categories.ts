import { selectCases, toScoreTable } from '../../contract/index.ts'
import type { ReportCase } from './cases.ts'
import type { Report } from './report.ts'
import { buildStandings } from './standings.ts'

const categoryKinds = ['category', 'difficulty', 'tag'] as const
export type CategoryKind = (typeof categoryKinds)[number]

/** One group of cases, with each model's mean over it. */
interface ReportCategory {
  value: string
  cases: number
  /** In the order of the leaderboard; without a mean if the model has no score in it. */
  scores: { modelId: string; mean?: number; low?: number; high?: number; n: number }[]
}

export interface CategoryTable {
  by: CategoryKind
  categories: ReportCategory[]
  /** The smallest groups, which are not listed. */
  leftOut: number
}

/** More rows than this are a list of tags, not a breakdown. */
const MAX_CATEGORIES = 40

function valuesOf({ category, difficulty, tags }: ReportCase, by: CategoryKind): string[] {
  if (by === 'tag') return [...new Set(tags)]
  const value = by === 'category' ? category : difficulty
  return value === undefined || value === '' ? [] : [value]
}

/** The leaderboard broken down by category, difficulty and tag: only where the suite has at least two of them. */
export function listCategoryTables({ runs, cases, rows }: Pick<Report, 'runs' | 'cases' | 'rows'>): CategoryTable[] {
  const table = toScoreTable(runs)
  const indexOf = new Map(table.caseIds.map((id, index) => [id, index]))
  return categoryKinds.flatMap((by): CategoryTable[] => {
    const groups = Map.groupBy(
      cases.flatMap((testCase) => valuesOf(testCase, by).map((value) => ({ value, id: testCase.id }))),
      ({ value }) => value,
    )
    if (groups.size < 2) return []
    const largest = [...groups].toSorted(([, a], [, b]) => b.length - a.length).slice(0, MAX_CATEGORIES)
    const categories = largest.map(([value, members]): ReportCategory => {
      const ids = new Set(members.map(({ id }) => id))
      const own = buildStandings(
        selectCases(
          table,
          [...ids].flatMap((id) => indexOf.get(id) ?? []),
        ),
        { caseCount: ids.size },
      )
      const scoreOf = new Map(own.rows.map(({ modelId, score }) => [modelId, score]))
      return {
        value,
        cases: ids.size,
        scores: rows.map(({ modelId }) => {
          const { mean, low, high, n = 0 } = scoreOf.get(modelId) ?? {}
          return { modelId, n, ...(mean !== undefined && { mean, low, high }) } as ReportCategory['scores'][number]
        }),
      }
    })
    return [{ by, categories, leftOut: groups.size - categories.length }]
  })
}
