import type { ScoreTable } from '../../contract/index.ts'
import type { JudgeSpread } from '../tests/difference-interval.ts'
import { FEWEST_JUDGES, measureJudgeSpread } from './compare-panel.ts'

/**
 * What one model would score on a case, by judge; the score itself where no judge graded it. Checks with different
 * judges cannot be put together into what one judge alone would give: then no judge has a score.
 */
interface JudgedCase {
  weight: number
  cluster: string | undefined
  score: number
  byJudge: ReadonlyMap<string, number> | undefined
}

/** Everything that judges graded of one model. */
export interface PanelGrades {
  /** In the order of the table; empty if no judge graded anything. */
  judges: string[]
  /** Those who compared answers: what one of them alone would give is not known. */
  comparingJudges: string[]
  cases: ReadonlyMap<string, JudgedCase>
}

interface Sums {
  weight: number
  cluster: string | undefined
  total: number
  count: number
  byJudge: Map<number, { total: number; count: number }>
  isGraded: boolean
}

interface Shifts {
  byJudge: Map<number, { total: number; checks: number }>
  checks: Set<number>
}

/** The shift of each judge by cell: over the checks of a cell they add up, if all of them have the same judges. */
function readShifts({ grades }: ScoreTable): Map<number, Shifts> {
  const shifts = new Map<number, Shifts>()
  for (const [row, cell] of grades.cell.entries()) {
    const own = shifts.get(cell) ?? { byJudge: new Map<number, { total: number; checks: number }>(), checks: new Set() }
    shifts.set(cell, own)
    own.checks.add(grades.panel[row]!)
    const judge = grades.judge[row]!
    const { total, checks } = own.byJudge.get(judge) ?? { total: 0, checks: 0 }
    own.byJudge.set(judge, { total: total + grades.shift[row]!, checks: checks + 1 })
  }
  return shifts
}

/** Every judge graded every check that any judge graded. */
const haveSameChecks = ({ byJudge, checks: all }: Shifts) =>
  [...byJudge.values()].every(({ checks }) => checks === all.size)

/** By model, who compared its answers with others. */
function readComparingJudges({ runs, cells, modelIds }: ScoreTable): string[][] {
  const judges = modelIds.map(() => new Set<string>())
  for (let cell = 0; cell < cells.run.length; cell++) {
    if (cells.compared[cell] !== 1) continue
    for (const name of (runs[cells.run[cell]!]!.judgeModel ?? '').split(',').map((text) => text.trim()))
      if (name !== '') judges[cells.model[cell]!]!.add(name)
  }
  return judges.map((names) => [...names])
}

/** By model, what each judge would have scored, averaged over runs; undefined if no judge graded anything. */
export function readPanelGrades(table: ScoreTable): ((modelId: string) => PanelGrades) | undefined {
  const { cells, caseIds, clusters, clusterIds, modelIds, judgeIds } = table
  if (table.grades.cell.length === 0 && !cells.compared.includes(1)) return undefined
  const comparing = readComparingJudges(table)
  const shifts = readShifts(table)
  const byModel = modelIds.map(() => new Map<number, Sums>())
  const judgesOf = modelIds.map(() => new Set<number>())
  for (let cell = 0; cell < cells.run.length; cell++) {
    const score = cells.score[cell]!
    if (Number.isNaN(score)) continue
    const own = byModel[cells.model[cell]!]!
    const index = cells.case[cell]!
    const sums = own.get(index) ?? {
      weight: cells.weight[cell]!,
      cluster: clusterIds[clusters[index]!],
      total: 0,
      count: 0,
      byJudge: new Map<number, { total: number; count: number }>(),
      isGraded: false,
    }
    own.set(index, sums)
    sums.total += score
    sums.count++
    const ofCell = shifts.get(cell)
    if (!ofCell) continue
    sums.isGraded = true
    for (const judge of ofCell.byJudge.keys()) judgesOf[cells.model[cell]!]!.add(judge)
    if (!haveSameChecks(ofCell)) continue
    for (const [judge, shift] of ofCell.byJudge) {
      const grade = sums.byJudge.get(judge) ?? { total: 0, count: 0 }
      sums.byJudge.set(judge, { total: grade.total + score + shift.total, count: grade.count + 1 })
    }
  }
  return (modelId) => {
    const model = modelIds.indexOf(modelId)
    const own = byModel[model] ?? new Map<number, Sums>()
    return {
      judges: judgeIds.filter((_, judge) => judgesOf[model]?.has(judge)),
      comparingJudges: comparing[model] ?? [],
      cases: new Map(
        Array.from(own, ([index, { weight, cluster, total, count, byJudge, isGraded }]) => [
          caseIds[index]!,
          {
            weight,
            cluster,
            score: total / count,
            byJudge: isGraded
              ? new Map(Array.from(byJudge, ([judge, grade]) => [judgeIds[judge]!, grade.total / grade.count]))
              : undefined,
          },
        ]),
      ),
    }
  }
}

/** The judges of two models, and how much they differ on how far the models are apart. */
export interface PairJudging {
  judges: string[]
  /** Undefined with fewer than 3 judges, or if fewer than two judged cases have a grade by all of them: they are fixed. */
  spread?: JudgeSpread
}

const isJudgedByPanel = ({ byJudge }: JudgedCase) => byJudge !== undefined

/** Of one model that no judge graded. */
const NO_GRADES: PanelGrades = { judges: [], comparingJudges: [], cases: new Map() }

/**
 * Over the cases that all judges graded for both models. A score that no judge gave would be the same with any. Judged
 * cases that some of them left out are as far apart by judge as the others: the variance grows with their weight.
 */
export function comparePanelGrades(a: PanelGrades = NO_GRADES, b: PanelGrades = NO_GRADES): PairJudging | undefined {
  const comparing = [...a.comparingJudges, ...b.comparingJudges]
  const judges = [...new Set([...a.judges, ...b.judges, ...comparing])]
  if (judges.length === 0) return undefined
  if (judges.length < FEWEST_JUDGES || comparing.length > 0) return { judges }
  const rows = [...a.cases].flatMap(([testCaseId, own]) => {
    const other = b.cases.get(testCaseId)
    if (!other) return []
    const scoreOf = ({ byJudge, score }: JudgedCase, judge: string) => (byJudge ? byJudge.get(judge) : score)
    const leads = judges.flatMap((judge) => {
      const [first, second] = [scoreOf(own, judge), scoreOf(other, judge)]
      return first === undefined || second === undefined ? [] : [first - second]
    })
    const { weight, cluster = other.cluster } = own
    return [{ leads, weight, cluster, isJudged: isJudgedByPanel(own) || isJudgedByPanel(other) }]
  })
  const complete = rows.filter(({ leads }) => leads.length === judges.length)
  if (complete.filter((row) => row.isJudged).length < 2) return { judges }
  const shareOfJudged = (some: typeof rows) => {
    const weigh = (counted: typeof rows) => counted.reduce((sum, { weight }) => sum + weight, 0)
    return weigh(some.filter((row) => row.isJudged)) / weigh(some)
  }
  const spread = measureJudgeSpread(
    complete.map(({ leads }) => leads),
    { weights: complete.map(({ weight }) => weight), clusters: complete.map(({ cluster }) => cluster) },
  )
  const growth = complete.length === rows.length ? 1 : (shareOfJudged(rows) / shareOfJudged(complete)) ** 2
  return { judges, spread: { ...spread, variance: spread.variance * growth } }
}
