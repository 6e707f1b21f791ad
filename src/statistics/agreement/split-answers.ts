import type { RunResult } from '../../contract/index.ts'
import { meanOf } from '../run-scores.ts'
import { listGraded } from './judge-agreement.ts'

/** An answer that the judges of a panel grade very differently. */
export interface SplitAnswer {
  testCaseId: string
  modelId: string
  /** From 1. */
  runNumber: number
  /** Highest minus lowest grade, 0 to 1. */
  spread: number
  judges: { judgeModelId: string; score: number }[]
}

/** What split judges are, and how often they do. */
export interface JudgeSplits {
  /** Answers that several judges graded. */
  graded: number
  /** Most divided first. */
  answers: SplitAnswer[]
  /** Their cases, those with the largest mean spread first. */
  testCaseIds: string[]
}

/** Grades this far apart are different verdicts: a right answer for one judge, half right or wrong for another. */
export const SPLIT_FROM = 0.3

/** Rounding must not decide: 0.8 − 0.5 is a little more than 0.3. */
const ROUNDING = 1e-9

const spreadOf = (grades: number[]) => Math.max(...grades) - Math.min(...grades)
const bySpread = (a: { spread: number }, b: { spread: number }) => b.spread - a.spread

/** The answers that judges disagree on, by the check they are furthest apart on; undefined if no answer was graded by several. */
export function listSplits(runs: readonly RunResult[], splitFrom = SPLIT_FROM): JudgeSplits | undefined {
  const answers: SplitAnswer[] = []
  let graded = 0
  runs.forEach(({ results }, index) => {
    for (const { testCaseId, modelId, score } of results) {
      const panels = score ? listGraded(score) : []
      if (panels.length === 0) continue
      graded++
      const [most] = panels.map((panel) => ({ panel, spread: spreadOf([...panel.values()]) })).toSorted(bySpread)
      const { panel, spread } = most!
      const judges = Array.from(panel, ([judgeModelId, grade]) => ({ judgeModelId, score: grade }))
      if (spread >= splitFrom - ROUNDING) answers.push({ testCaseId, modelId, runNumber: index + 1, spread, judges })
    }
  })
  if (graded === 0) return undefined
  const byCase = Map.groupBy(answers, ({ testCaseId }) => testCaseId)
  const meanSpread = new Map(Array.from(byCase, ([id, own]) => [id, meanOf(own.map(({ spread }) => spread))]))
  return {
    graded,
    answers: answers.toSorted(bySpread),
    testCaseIds: [...meanSpread].toSorted(([, a], [, b]) => b - a).map(([id]) => id),
  }
}
