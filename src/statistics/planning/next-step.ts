import { toScoreTable, type Scores, type ScoreTable } from '../../contract/index.ts'
import { splitJudgedVariance, type JudgedVariance } from './judge-variance.ts'
import { splitVariance } from './variance-components.ts'

/** What the spread of the scores consists of, and how much more of each kind would narrow the interval over cases. */
export interface NextStepPlan {
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

/** By cell, the grades of the answer as a whole. */
type Graded = ReadonlyMap<number, ReadonlyMap<number, number>>

function readGrades({ grades }: ScoreTable): Graded {
  const graded = new Map<number, Map<number, number>>()
  for (const [row, cell] of grades.cell.entries()) {
    if (grades.panel[row] !== 0) continue
    const own = graded.get(cell) ?? new Map<number, number>()
    graded.set(cell, own.set(grades.judge[row]!, grades.score[row]!))
  }
  return graded
}

/** One model's answers to a case, by run. */
interface GradedCase {
  weight: number
  byRun: Map<number, number[]>
}

/** By judge, without the answers that only some judges graded. A score that no judge gave would be the same with any. */
function collectGrades(
  { cells, modelIds }: ScoreTable,
  modelId: string,
  { graded, judges }: { graded: Graded; judges: readonly number[] },
): Map<number, GradedCase> {
  const model = modelIds.indexOf(modelId)
  const byCase = new Map<number, GradedCase>()
  for (let cell = 0; cell < cells.run.length; cell++) {
    const score = cells.score[cell]!
    if (cells.model[cell] !== model || Number.isNaN(score)) continue
    const own = graded.get(cell)
    const grades = judges.length < 2 ? [score] : own ? judges.map((judge) => own.get(judge)) : judges.map(() => score)
    if (!grades.every((grade) => grade !== undefined)) continue
    const found = byCase.get(cells.case[cell]!) ?? { weight: cells.weight[cell]!, byRun: new Map<number, number[]>() }
    byCase.set(cells.case[cell]!, found)
    found.byRun.set(cells.run[cell]!, grades)
  }
  return byCase
}

interface WeighedGrades {
  weight: number
  /** `[run][judge]` */
  answers: number[][]
}

/** By case: of the model, or its lead over another in the same run. */
function listGrades(
  table: ScoreTable,
  { modelA, modelB }: NextStepPlan['of'],
  by: { graded: Graded; judges: readonly number[] },
): WeighedGrades[] {
  const own = collectGrades(table, modelA, by)
  if (modelB === undefined)
    return Array.from(own.values(), ({ weight, byRun }) => ({ weight, answers: [...byRun.values()] }))
  const other = collectGrades(table, modelB, by)
  return [...own].flatMap(([caseIndex, { weight, byRun }]) => {
    const leads = [...byRun].flatMap(([run, grades]) => {
      const others = other.get(caseIndex)?.byRun.get(run)
      return others ? [grades.map((grade, judge) => grade - others[judge]!)] : []
    })
    return leads.length > 0 ? [{ weight, answers: leads }] : []
  })
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

function chooseBest({ twiceTheCases, twiceTheRuns, oneMoreJudge }: NextStepPlan['gain'], judges: number) {
  if ((twiceTheRuns ?? 0) >= AS_GOOD_AS_CASES * twiceTheCases) return 'runs'
  const asManyCases = 1 - Math.sqrt(judges / (judges + 1))
  return (oneMoreJudge ?? 0) >= AS_GOOD_AS_CASES * asManyCases ? 'judges' : 'cases'
}

const root = (variance: number | null) => (variance === null ? null : Math.sqrt(variance))

/**
 * What would narrow the interval of a comparison most: more cases, more runs or another judge. Undefined if there are
 * fewer than two cases, or if nothing varies.
 */
export function planNextStep(given: Scores, of: NextStepPlan['of']): NextStepPlan | undefined {
  const table = toScoreTable(given)
  const graded = readGrades(table)
  const panel = [...new Set([...graded.values()].flatMap((own) => [...own.keys()]))]
  const withPanel = panel.length >= 2 ? listGrades(table, of, { graded, judges: panel }) : []
  const isPanel = withPanel.length >= 2
  const grades = isPanel ? withPanel : listGrades(table, of, { graded, judges: [] })
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
