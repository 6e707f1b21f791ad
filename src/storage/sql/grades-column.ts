import type { ScoringResult } from '../../contract/index.ts'

/** What judges and checks gave, as statistics need it: without a word of theirs. */
export type Grades = Pick<ScoringResult, 'judges' | 'checks'>

const withoutReasoning = (judges: ScoringResult['judges']) =>
  judges?.map(({ judgeModelId, score }) => ({ judgeModelId, score, reasoning: '' }))

/** Kept beside the words, so that they need not be read for the numbers. */
export function gradesColumn({ judges, checks }: Grades): string | null {
  if (judges === undefined && checks === undefined) return null
  const grades: Grades = {
    judges: withoutReasoning(judges),
    checks: checks?.map(({ scoringMethod, weight, score, confidence, rawScore, maxScore, judges: ofCheck }) => ({
      scoringMethod,
      weight,
      score,
      confidence,
      rawScore,
      maxScore,
      judges: withoutReasoning(ofCheck),
    })),
  }
  return JSON.stringify(grades)
}
