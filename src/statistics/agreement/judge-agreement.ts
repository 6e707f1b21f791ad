import { toScoreTable, type Scores, type ScoreTable } from '../../contract/index.ts'
import { intraclassCorrelation } from './intraclass-correlation.ts'
import { krippendorffAlpha } from './krippendorff-alpha.ts'
import { quadraticWeightedKappa } from './weighted-kappa.ts'
import { meanOf } from '../numbers/weighted-moments.ts'

/** How well the judges of a panel agree. A figure is NaN (`null` in JSON) if it is undefined, as without variation. */
export interface JudgeAgreement {
  judges: string[]
  /** Answers that at least two judges graded. */
  answers: number
  /** Krippendorff's alpha for interval data, which allows for grades that are missing. */
  alpha: number
  /** Two-way random effects, absolute agreement, single judge: ICC(2,1). Over what all of them graded. */
  icc: number
  /** Quadratic-weighted kappa of each pair, over what both graded. */
  pairs: { judgeA: string; judgeB: string; kappa: number }[]
  /** Each judge's mean score, 0 to 1: shows who is lenient and who is strict. */
  means: { judge: string; mean: number }[]
}

/** One thing that several judges graded: an answer, or one check of it. By judge. */
type Graded = ReadonlyMap<string, number>

/** By cell, what several judges graded: the answer as a whole, or each check that judges graded. */
export function listGraded({ grades, judgeIds }: ScoreTable): Map<number, Graded[]> {
  const panels = Map.groupBy(grades.cell.keys(), (row) => `${grades.cell[row]} ${grades.panel[row]}`)
  const graded = new Map<number, Graded[]>()
  for (const rows of panels.values()) {
    const panel = new Map(rows.map((row) => [judgeIds[grades.judge[row]!]!, grades.score[row]!]))
    if (panel.size < 2) continue
    const cell = grades.cell[rows[0]!]!
    graded.set(cell, [...(graded.get(cell) ?? []), panel])
  }
  return graded
}

/** Agreement over everything that at least two judges graded; `undefined` without a panel. */
export function measureJudgeAgreement(given: Scores): JudgeAgreement | undefined {
  const answers = [...listGraded(toScoreTable(given)).values()]
  const all = answers.flat()
  const judges = [...new Set(all.flatMap((graded) => [...graded.keys()]))]
  if (judges.length < 2) return undefined

  const complete = all.filter((graded) => graded.size === judges.length)
  const rowOf = (judge: string) => all.map((graded) => graded.get(judge) ?? null)
  return {
    judges,
    answers: answers.length,
    alpha: krippendorffAlpha(judges.map(rowOf), 'interval'),
    icc:
      complete.length < 2
        ? Number.NaN
        : intraclassCorrelation(complete.map((graded) => judges.map((judge) => graded.get(judge)!))),
    pairs: judges.flatMap((judgeA, index) =>
      judges.slice(index + 1).map((judgeB) => ({ judgeA, judgeB, kappa: kappaOf(all, judgeA, judgeB) })),
    ),
    means: judges.map((judge) => ({ judge, mean: meanOf(rowOf(judge).filter((grade) => grade !== null)) })),
  }
}

/** Over what both graded. */
function kappaOf(all: readonly Graded[], judgeA: string, judgeB: string): number {
  const both = all.filter((graded) => graded.has(judgeA) && graded.has(judgeB))
  if (both.length === 0) return Number.NaN
  const gradesOf = (judge: string) => both.map((graded) => graded.get(judge)!)
  return quadraticWeightedKappa(gradesOf(judgeA), gradesOf(judgeB))
}
