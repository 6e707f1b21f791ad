import type { CheckResult, RunResult, Suite } from '../../contract/index.ts'
import { sameScoreTolerance } from '../numbers/tolerance.ts'
import { meanOf } from '../run-scores.ts'

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

/** The texts of a suite's criteria: a run may be loaded without them. */
function textsOf(suite: Suite | undefined): Map<string, Map<string, string>> {
  const texts = new Map<string, Map<string, string>>()
  for (const { id, ...testCase } of suite?.testCases ?? []) {
    const criteria: unknown = testCase['criteria']
    if (!Array.isArray(criteria)) continue
    texts.set(id, new Map(criteria.map((criterion: unknown, index) => readCriterion(criterion, index))))
  }
  return texts
}

function readCriterion(criterion: unknown, index: number): [id: string, text: string] {
  if (typeof criterion === 'string') return [String(index + 1), criterion]
  const { id, text, criterion: other } = (criterion ?? {}) as Record<string, unknown>
  return [String(id ?? index + 1), String(text ?? other ?? '')]
}

/** A rubric may be one of several checks, or in a group of them. */
function listCriteria(checks: readonly CheckResult[]): CheckResult[] {
  return checks.flatMap((check) =>
    check.scoringMethod === 'criterion' ? [check] : check.checks ? listCriteria(check.checks) : [],
  )
}

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
export function criterionStats(runs: readonly RunResult[]): CriterionStats[] {
  const verdicts = new Map<string, Verdict[]>()
  for (const { results, testSuiteSnapshot } of runs) {
    const texts = textsOf(testSuiteSnapshot)
    for (const { testCaseId, modelId, score } of results)
      for (const { id, name, score: verdict } of listCriteria(score?.checks ?? [])) {
        const text = (name ?? (id === undefined ? undefined : texts.get(testCaseId)?.get(id)) ?? '').trim()
        if (text === '') continue
        const own = verdicts.get(text) ?? []
        verdicts.set(text, own)
        own.push({ testCaseId, modelId, score: verdict })
      }
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
