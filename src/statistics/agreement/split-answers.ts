import { toScoreTable, type Scores } from '../../contract/index.ts'
import { listGraded } from './judge-agreement.ts'
import { meanOf } from '../numbers/weighted-moments.ts'

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
export function listSplits(given: Scores, splitFrom = SPLIT_FROM): JudgeSplits | undefined {
  const table = toScoreTable(given)
  const { cells, caseIds, modelIds } = table
  const graded = listGraded(table)
  if (graded.size === 0) return undefined
  const answers = Array.from(graded, ([cell, panels]): SplitAnswer => {
    const [most] = panels.map((panel) => ({ panel, spread: spreadOf([...panel.values()]) })).toSorted(bySpread)
    return {
      testCaseId: caseIds[cells.case[cell]!]!,
      modelId: modelIds[cells.model[cell]!]!,
      runNumber: cells.run[cell]! + 1,
      spread: most!.spread,
      judges: Array.from(most!.panel, ([judgeModelId, score]) => ({ judgeModelId, score })),
    }
  }).filter(({ spread }) => spread >= splitFrom - ROUNDING)
  const byCase = Map.groupBy(answers, ({ testCaseId }) => testCaseId)
  const meanSpread = new Map(Array.from(byCase, ([id, own]) => [id, meanOf(own.map(({ spread }) => spread))]))
  return {
    graded: graded.size,
    answers: answers.toSorted(bySpread),
    testCaseIds: [...meanSpread].toSorted(([, a], [, b]) => b - a).map(([id]) => id),
  }
}
