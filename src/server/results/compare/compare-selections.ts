import type { RunResult } from '../../../contract/index.ts'
import { adjustHolm, compareAllModels, type ModelComparison } from '../../../statistics/index.ts'
import { describeVerdict } from '../../../report/words/index.ts'
import { comparePaired, withAdjustedP, type UnadjustedComparison } from '../../../statistics/paired-comparison.ts'
import { collectRepeats, type RepeatsByCase } from '../../../statistics/run-scores.ts'
import { flipComparison } from './flip-comparison.ts'
import { restoreRuns, type Columns } from '../selection/run-columns.ts'

/** Two selections, and the models with a score in both. */
export interface PairedJob {
  a: Columns
  b: Columns
  models: string[]
}

/** B − A for one model. */
export interface PairedResult {
  modelId: string
  comparison?: ModelComparison
  sentence: string
}

interface Pair {
  modelId: string
  comparison: ModelComparison | undefined
  unadjusted: UnadjustedComparison | undefined
}

/** The runs with only one model, under another name. */
function pickModel(runs: RunResult[], modelId: string, name: string): RunResult[] {
  return runs.map((run) => ({
    ...run,
    models: [name],
    results: run.results.flatMap((result) => (result.modelId === modelId ? [{ ...result, modelId: name }] : [])),
  }))
}

function comparePair(
  before: RunResult[],
  after: RunResult[],
  count: number,
  names: [string, string],
): Omit<Pair, 'modelId'> {
  const [nameBefore, nameAfter] = names
  const comparison = compareAllModels([...before, ...after]).find(({ modelA }) => names.includes(modelA))
  const repeats = collectRepeats([...before, ...after])
  const none: RepeatsByCase = new Map()
  return {
    comparison: comparison && (comparison.modelA === nameAfter ? comparison : flipComparison(comparison)),
    // The number of cases still needed must account for the correction over all models.
    unadjusted:
      count > 1 ? comparePaired(repeats.get(nameAfter) ?? none, repeats.get(nameBefore) ?? none, count) : undefined,
  }
}

/** Every model in B against itself in A, case by case, with Holm's correction over the models. */
export function compareSelections({ a, b, models }: PairedJob): PairedResult[] {
  const [runsA, runsB] = [restoreRuns(a), restoreRuns(b)]
  const pairs = models.map((modelId): Pair => {
    const names: [string, string] = [`${modelId} (before)`, `${modelId} (after)`]
    return {
      modelId,
      ...comparePair(pickModel(runsA, modelId, names[0]), pickModel(runsB, modelId, names[1]), models.length, names),
    }
  })
  const adjusted = adjustHolm(pairs.map(({ unadjusted }) => unadjusted?.permutationP ?? Number.NaN))
  return pairs.map(({ modelId, comparison, unadjusted }, index) => {
    if (!comparison) return { modelId, sentence: `${modelId} has no score on one of the two sides.` }
    const corrected = unadjusted ? { ...comparison, paired: withAdjustedP(unadjusted, adjusted[index]!) } : comparison
    return { modelId, comparison: corrected, sentence: describeVerdict(corrected) }
  })
}
