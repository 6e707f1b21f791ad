import type { ScoringResult } from '../../contract/index.ts'

/** The scores of judges and checks, and whether the answer passed, as statistics need them: without reasoning. */
export type Grades = Pick<ScoringResult, 'judges' | 'checks' | 'passed' | 'missingJudges' | 'comparisons' | 'style'>

const withoutReasoning = (judges: ScoringResult['judges']) =>
  judges?.map(({ judgeModelId, score }) => ({ judgeModelId, score, reasoning: '' }))

const withoutTexts = (comparisons: ScoringResult['comparisons']) =>
  comparisons?.map(({ notes: _notes, judges, missingJudges: _missing, ...comparison }) => ({
    ...comparison,
    judges: judges?.map((judgement) => ({ ...judgement, reasoning: '' })),
  }))

const checkFigures = (checks: ScoringResult['checks']): ScoringResult['checks'] =>
  checks?.map(
    ({ id, scoringMethod, weight, score, confidence, rawScore, maxScore, passed, judges, checks: members }) => ({
      id,
      scoringMethod,
      weight,
      score,
      confidence,
      rawScore,
      maxScore,
      passed,
      judges: withoutReasoning(judges),
      checks: checkFigures(members),
    }),
  )

/** Stored in addition to the texts, so that numbers can be read without them. */
export function gradesColumn(score: Grades): string | null {
  const { judges, checks, passed, missingJudges, comparisons, style } = score
  if ([judges, checks, passed, comparisons].every((part) => part === undefined)) return null
  const grades: Grades = {
    passed,
    judges: withoutReasoning(judges),
    missingJudges,
    comparisons: withoutTexts(comparisons),
    style,
    checks: checkFigures(checks),
  }
  return JSON.stringify(grades)
}
