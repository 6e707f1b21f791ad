import type { ScoringResult } from '../../contract/index.ts'

/** The scores of judges and checks, and whether the answer passed, as statistics need them: without reasoning. */
export type Grades = Pick<ScoringResult, 'judges' | 'checks' | 'passed'>

const withoutReasoning = (judges: ScoringResult['judges']) =>
  judges?.map(({ judgeModelId, score }) => ({ judgeModelId, score, reasoning: '' }))

/** Stored in addition to the texts, so that numbers can be read without them. */
export function gradesColumn({ judges, checks, passed }: Grades): string | null {
  if (judges === undefined && checks === undefined && passed === undefined) return null
  const grades: Grades = {
    passed,
    judges: withoutReasoning(judges),
    checks: checks?.map(
      ({ scoringMethod, weight, score, confidence, rawScore, maxScore, passed: hasPassed, judges: ofCheck }) => ({
        scoringMethod,
        weight,
        score,
        confidence,
        rawScore,
        maxScore,
        passed: hasPassed,
        judges: withoutReasoning(ofCheck),
      }),
    ),
  }
  return JSON.stringify(grades)
}
