import { toScoreTable, type Scores } from '../../contract/index.ts'
import { meanOf, sameScoreTolerance } from '../numbers/weighted-moments.ts'

/** How the models do on one criterion, over all cases that have it. */
export interface CriterionStats {
  text: string
  /** Verdicts, over all models, cases and runs. */
  n: number
  /** The verdicts of each case that has it, over the runs, in the order of the results. */
  cases: { testCaseId: string; models: { modelId: string; mean: number }[] }[]
  /** Share met, 0 to 1, partly counting half. */
  mean: number
  models: { modelId: string; mean: number; n: number }[]
  /** True if every answer got the same verdict, and there are enough of them to say so. */
  neverDiscriminates: boolean
}

/** Fewer same verdicts may be chance. */
const ENOUGH_VERDICTS = 10

interface Verdict {
  testCaseId: string
  modelId: string
  score: number
}

function averageByModel(verdicts: readonly Verdict[]): { modelId: string; mean: number }[] {
  return Array.from(
    Map.groupBy(verdicts, ({ modelId }) => modelId),
    ([modelId, own]) => ({ modelId, mean: meanOf(own.map(({ score }) => score)) }),
  )
}

/** The criteria of rubrics, each pooled over the cases that have the same text. */
export function criterionStats(given: Scores): CriterionStats[] {
  const { cells, caseIds, modelIds, criteria, criterionScores } = toScoreTable(given)
  const verdicts = new Map<string, Verdict[]>()
  for (const [row, cell] of criterionScores.cell.entries()) {
    const text = criteria[criterionScores.criterion[row]!]!
    const own = verdicts.get(text) ?? []
    verdicts.set(text, own)
    own.push({
      testCaseId: caseIds[cells.case[cell]!]!,
      modelId: modelIds[cells.model[cell]!]!,
      score: criterionScores.score[row]!,
    })
  }
  return Array.from(verdicts, ([text, own]) => {
    const scores = own.map(({ score }) => score)
    const byModel = Map.groupBy(own, ({ modelId }) => modelId)
    const isSame = scores.every((score) => Math.abs(score - scores[0]!) <= sameScoreTolerance)
    return {
      text,
      n: own.length,
      cases: Array.from(
        Map.groupBy(own, ({ testCaseId }) => testCaseId),
        ([testCaseId, ofCase]) => ({ testCaseId, models: averageByModel(ofCase) }),
      ),
      mean: meanOf(scores),
      models: averageByModel(own).map((model) => ({ ...model, n: byModel.get(model.modelId)!.length })),
      neverDiscriminates: isSame && byModel.size > 1 && own.length >= ENOUGH_VERDICTS,
    }
  })
}
