import type { ScoringResult } from '../../contract/index.ts'

/** The scores of judges and checks, as statistics need them: without their reasoning. */
export type Grades = Pick<ScoringResult, 'judges' | 'checks'>

const withoutReasoning = (judges: ScoringResult['judges']) =>
  judges?.map(({ judgeModelId, score }) => ({ judgeModelId, score, reasoning: '' }))

/** Stored in addition to the texts, so that numbers can be read without them. */
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
