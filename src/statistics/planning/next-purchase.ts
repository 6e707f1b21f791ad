import type { RunResult } from '../../contract/index.ts'
import { readWeights } from '../run-scores.ts'
import { splitJudgedVariance, type JudgedVariance } from './judge-variance.ts'
import { splitVariance } from './variance-components.ts'

/** What the spread of the scores consists of, and how much more of each kind would narrow the interval over cases. */
export interface NextPurchase {
  /** Whose spread it is: the difference of two models, or one model's scores. */
  of: { modelA: string; modelB?: string }
  cases: number
  runs: number
  judges: number
  /** Standard deviations, 0 to 1. Null if the data cannot tell. */
  spread: { cases: number; runs: number | null; judges: number | null; judgesByCase: number | null }
  /** By how much of its width the interval would narrow, 0 to 1. */
  gain: {
    twiceTheCases: number
    /** Null if every case ran once: then its repeats are not known to vary. */
    twiceTheRuns: number | null
    /** Null without a panel. */
    oneMoreJudge: number | null
  }
  /** Runs or judges, which need no new cases, if they narrow it about as much as an equal increase in cases. */
  best: 'cases' | 'runs' | 'judges'
}

/** The grades of one model's answer, by judge. A score that no judge gave would be the same with any. */
function gradesOf(result: RunResult['results'][number], judges: readonly string[]): number[] | undefined {
  const { score } = result
  if (!score) return undefined
  if (judges.length < 2) return [score.score]
  if (!score.judges?.length) return judges.map(() => score.score)
  const byJudge = new Map(score.judges.map((verdict) => [verdict.judgeModelId, verdict.score]))
  const grades = judges.map((judge) => byJudge.get(judge))
  return grades.every((grade) => grade !== undefined) ? grades : undefined
}

/** By case and run, without the answers that only some judges graded. */
function collectGrades(
  runs: readonly RunResult[],
  modelId: string,
  judges: readonly string[],
): Map<string, Map<number, number[]>> {
  const byCase = new Map<string, Map<number, number[]>>()
  runs.forEach(({ results }, run) => {
    for (const result of results) {
      const grades = result.modelId === modelId ? gradesOf(result, judges) : undefined
      if (!grades) continue
      const answers = byCase.get(result.testCaseId) ?? new Map<number, number[]>()
      byCase.set(result.testCaseId, answers)
      answers.set(run, grades)
    }
  })
  return byCase
}

interface WeighedGrades {
  weight: number
  /** `[run][judge]` */
  answers: number[][]
}

/** By case: of the model, or its lead over another in the same run. */
function listGrades(
  runs: readonly RunResult[],
  { modelA, modelB }: NextPurchase['of'],
  judges: readonly string[],
): WeighedGrades[] {
  const weightOf = readWeights(runs[0]!)
  const own = collectGrades(runs, modelA, judges)
  if (modelB === undefined)
    return Array.from(own, ([testCaseId, answers]) => ({
      weight: weightOf(testCaseId),
      answers: [...answers.values()],
    }))
  const other = collectGrades(runs, modelB, judges)
  return [...own].flatMap(([testCaseId, answers]) => {
    const leads = [...answers].flatMap(([run, grades]) => {
      const others = other.get(testCaseId)?.get(run)
      return others ? [grades.map((grade, judge) => grade - others[judge]!)] : []
    })
    return leads.length > 0 ? [{ weight: weightOf(testCaseId), answers: leads }] : []
  })
}

function listJudges(runs: readonly RunResult[]): string[] {
  const judges = new Set<string>()
  for (const { results } of runs)
    for (const { score } of results) for (const { judgeModelId } of score?.judges ?? []) judges.add(judgeModelId)
  return [...judges]
}

interface Parts {
  caseVariance: number
  runVariance: number | null
  judgeVariance: number | null
  caseJudgeVariance: number
  restVariance: number
  judges: number
}

/** Every case needs the same number of runs: as many as at least half of the cases have, without the others. */
function splitPanel(grades: number[][][]): JudgedVariance {
  const counts = grades.map(({ length }) => length).sort((a, b) => b - a)
  const runs = counts[Math.max(1, Math.ceil(counts.length / 2) - 1)]!
  const complete = grades.filter(({ length }) => length >= runs)
  return splitJudgedVariance(complete.map((answers) => answers.slice(0, runs)))
}

function splitGrades(grades: WeighedGrades[], judges: number): Parts {
  if (judges >= 2) return { ...toParts(splitPanel(grades.map(({ answers }) => answers))), judges }
  const { caseVariance, runVariance } = splitVariance(
    grades.map(({ answers }) => answers.map(([grade]) => grade!)),
    grades.map(({ weight }) => weight),
  )
  return { caseVariance, runVariance, judgeVariance: null, caseJudgeVariance: 0, restVariance: 0, judges: 1 }
}

function toParts({ caseVariance, runVariance, judgeVariance, caseJudgeVariance, restVariance }: JudgedVariance) {
  return { caseVariance, runVariance, judgeVariance, caseJudgeVariance, restVariance: restVariance ?? 0 }
}

/** The variance of a mean over cases. How lenient a judge is with everything shifts it, but does not widen it. */
function varianceOfMean(
  { caseVariance, runVariance, caseJudgeVariance, restVariance }: Parts,
  { cases, runs, judges }: { cases: number; runs: number; judges: number },
): number {
  const perCase = caseVariance + (runVariance ?? 0) / runs + caseJudgeVariance / judges + restVariance / (runs * judges)
  return perCase / cases
}

/** From this share of what an equal increase in cases gains, it is not worth writing new cases. */
const AS_GOOD_AS_CASES = 0.9

function chooseBest({ twiceTheCases, twiceTheRuns, oneMoreJudge }: NextPurchase['gain'], judges: number) {
  if ((twiceTheRuns ?? 0) >= AS_GOOD_AS_CASES * twiceTheCases) return 'runs'
  const asManyCases = 1 - Math.sqrt(judges / (judges + 1))
  return (oneMoreJudge ?? 0) >= AS_GOOD_AS_CASES * asManyCases ? 'judges' : 'cases'
}

const root = (variance: number | null) => (variance === null ? null : Math.sqrt(variance))

/**
 * What would narrow the interval of a comparison most: more cases, more runs or another judge. Undefined if there are
 * fewer than two cases, or if nothing varies.
 */
export function planNextPurchase(runs: readonly RunResult[], of: NextPurchase['of']): NextPurchase | undefined {
  if (runs.length === 0) return undefined
  const panel = listJudges(runs)
  const withPanel = panel.length >= 2 ? listGrades(runs, of, panel) : []
  const isPanel = withPanel.length >= 2
  const grades = isPanel ? withPanel : listGrades(runs, of, [])
  if (grades.length < 2) return undefined
  const parts = splitGrades(grades, isPanel ? panel.length : 1)
  const sizes = {
    cases: grades.length,
    runs: Math.max(1, Math.round(grades.reduce((sum, { answers }) => sum + answers.length, 0) / grades.length)),
    judges: parts.judges,
  }
  const now = varianceOfMean(parts, sizes)
  if (!(now > 1e-24)) return undefined
  const gainOf = (more: Partial<typeof sizes>) => 1 - Math.sqrt(varianceOfMean(parts, { ...sizes, ...more }) / now)
  const gain = {
    twiceTheCases: gainOf({ cases: 2 * sizes.cases }),
    twiceTheRuns: parts.runVariance === null ? null : gainOf({ runs: 2 * sizes.runs }),
    oneMoreJudge: isPanel ? gainOf({ judges: sizes.judges + 1 }) : null,
  }
  return {
    of,
    ...sizes,
    spread: {
      cases: Math.sqrt(parts.caseVariance),
      runs: root(parts.runVariance),
      judges: root(parts.judgeVariance),
      judgesByCase: isPanel ? Math.sqrt(parts.caseJudgeVariance + parts.restVariance) : null,
    },
    gain,
    best: chooseBest(gain, sizes.judges),
  }
}
