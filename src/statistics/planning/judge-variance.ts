import { checkNumbers } from '../numbers/check-arguments.ts'
import { meanOf } from '../numbers/weighted-moments.ts'

/** Where the spread of judged scores comes from. Variances, none below 0. */
export interface JudgedVariance {
  /** Cases differ in difficulty. */
  caseVariance: number
  /** The model answers the same case differently from run to run. Null with one run. */
  runVariance: number | null
  /** Judges differ in how lenient they are with everything. */
  judgeVariance: number
  /** Judges differ in which cases they are lenient with; with one run, together with the rest. */
  caseJudgeVariance: number
  /** What is left. Null with one run, where it cannot be told from `caseJudgeVariance`. */
  restVariance: number | null
  cases: number
  runs: number
  judges: number
}

const squares = (values: readonly number[], centre: number) => values.reduce((sum, x) => sum + (x - centre) ** 2, 0)

/**
 * Variance components of judged scores by the method of moments: judges crossed with answers, answers nested in cases
 * (the design j × (r:c) of generalizability theory, Brennan 2001, chapter 3; with one run, the two-way random effects of
 * Shrout & Fleiss 1979). `grades[case][run][judge]`; every case needs the same runs and every answer the same judges.
 */
export function splitJudgedVariance(grades: number[][][]): JudgedVariance {
  const [cases, runs, judges] = [grades.length, grades[0]?.length ?? 0, grades[0]?.[0]?.length ?? 0]
  if (cases < 2 || runs < 1 || judges < 2)
    throw new RangeError(`There are ${cases} cases, ${runs} runs and ${judges} judges: 2, 1 and 2 are needed.`)
  for (const [index, answers] of grades.entries()) {
    if (answers.length !== runs || answers.some((answer) => answer.length !== judges))
      throw new RangeError(`grades[${index}] must have ${runs} runs with ${judges} judges each.`)
    for (const answer of answers) checkNumbers(answer, `grades[${index}]`)
  }
  const grand = meanOf(grades.flat(2))
  const caseMeans = grades.map((answers) => meanOf(answers.flat()))
  const answerMeans = grades.map((answers) => answers.map(meanOf))
  const byJudge = (of: number[][]) => Array.from({ length: judges }, (_, j) => meanOf(of.map((answer) => answer[j]!)))
  const judgeMeans = byJudge(grades.flat())
  const caseJudgeMeans = grades.map(byJudge)

  const caseSquare = (judges * runs * squares(caseMeans, grand)) / (cases - 1)
  const judgeSquare = (cases * runs * squares(judgeMeans, grand)) / (judges - 1)
  let caseJudgeSum = 0
  let answerSum = 0
  let restSum = 0
  for (let c = 0; c < cases; c++) {
    answerSum += judges * squares(answerMeans[c]!, caseMeans[c]!)
    for (let j = 0; j < judges; j++) {
      const interaction = caseJudgeMeans[c]![j]! - caseMeans[c]! - judgeMeans[j]! + grand
      caseJudgeSum += runs * interaction ** 2
      for (let r = 0; r < runs; r++)
        restSum += (grades[c]![r]![j]! - answerMeans[c]![r]! - caseJudgeMeans[c]![j]! + caseMeans[c]!) ** 2
    }
  }
  const caseJudgeSquare = caseJudgeSum / ((cases - 1) * (judges - 1))
  const sizes = { cases, runs, judges }
  const judgeVariance = Math.max(0, (judgeSquare - caseJudgeSquare) / (cases * runs))
  if (runs === 1)
    return {
      caseVariance: Math.max(0, (caseSquare - caseJudgeSquare) / judges),
      runVariance: null,
      judgeVariance,
      caseJudgeVariance: caseJudgeSquare,
      restVariance: null,
      ...sizes,
    }
  const answerSquare = answerSum / (cases * (runs - 1))
  const restSquare = restSum / (cases * (runs - 1) * (judges - 1))
  return {
    caseVariance: Math.max(0, (caseSquare - answerSquare - caseJudgeSquare + restSquare) / (judges * runs)),
    runVariance: Math.max(0, (answerSquare - restSquare) / judges),
    judgeVariance,
    caseJudgeVariance: Math.max(0, (caseJudgeSquare - restSquare) / runs),
    restVariance: restSquare,
    ...sizes,
  }
}
