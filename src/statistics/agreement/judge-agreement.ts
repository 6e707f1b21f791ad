import type { RunResult } from '../../contract/index.ts'
import { intraclassCorrelation } from './intraclass-correlation.ts'
import { krippendorffAlpha } from './krippendorff-alpha.ts'
import { weightedMoments } from '../numbers/weighted-moments.ts'
import { quadraticWeightedKappa } from './weighted-kappa.ts'

/** How well the judges of a panel agree. A figure is NaN (`null` in JSON) if it is undefined, as without variation. */
export interface JudgeAgreement {
  judges: string[]
  /** Answers that every judge graded. */
  answers: number
  /** Krippendorff's alpha for interval data. */
  alpha: number
  /** Two-way random effects, absolute agreement, single judge: ICC(2,1). */
  icc: number
  /** Quadratic-weighted kappa of each pair. */
  pairs: { judgeA: string; judgeB: string; kappa: number }[]
  /** Each judge's mean score, 0 to 1: shows who is lenient and who is strict. */
  means: { judge: string; mean: number }[]
}

/** The grades of all judges for each answer that a panel graded. */
function collectGrades(runs: readonly RunResult[]): Map<string, number>[] {
  const grades: Map<string, number>[] = []
  for (const { results } of runs) {
    for (const { score } of results) {
      if (!score?.judges && !score?.checks) continue
      // The judges of a rubric are those of its criteria: each counts once, with its total.
      const verdicts = score.judges ?? (score.checks ?? []).flatMap(({ judges = [] }) => judges)
      if (verdicts.length > 1)
        grades.push(new Map(verdicts.map(({ judgeModelId, score: grade }) => [judgeModelId, grade])))
    }
  }
  return grades
}

/** Agreement over all answers that every judge graded; `undefined` without a panel. */
export function measureJudgeAgreement(runs: readonly RunResult[]): JudgeAgreement | undefined {
  const grades = collectGrades(runs)
  const judges = [...new Set(grades.flatMap((byJudge) => [...byJudge.keys()]))]
  const complete = grades.filter((byJudge) => byJudge.size === judges.length)
  if (judges.length < 2 || complete.length === 0) return undefined

  const gradesOf = (judge: string) => complete.map((byJudge) => byJudge.get(judge)!)
  const columns = judges.map(gradesOf)
  return {
    judges,
    answers: complete.length,
    alpha: krippendorffAlpha(columns, 'interval'),
    icc:
      complete.length < 2
        ? Number.NaN
        : intraclassCorrelation(complete.map((byJudge) => judges.map((judge) => byJudge.get(judge)!))),
    pairs: judges.flatMap((judgeA, index) =>
      judges
        .slice(index + 1)
        .map((judgeB) => ({ judgeA, judgeB, kappa: quadraticWeightedKappa(gradesOf(judgeA), gradesOf(judgeB)) })),
    ),
    means: judges.map((judge, index) => ({ judge, mean: weightedMoments(columns[index]!).mean })),
  }
}
