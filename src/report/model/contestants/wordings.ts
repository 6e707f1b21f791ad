import { toScoreTable, type Scores, type ScoreTable, type Suite } from '../../../contract/index.ts'
import { adjustHolm, compareLevels, meanOf } from '../../../statistics/index.ts'
import type { WordingPair, WordingReport } from './wording-report.ts'

interface Place {
  wording: string
  of: string
  cluster: string | undefined
  weight: number
}

function readPlaces(suites: readonly (Suite | undefined)[]): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const suite of suites)
    for (const { id, metadata, cluster, weight } of suite?.testCases ?? []) {
      const { wording, wordingOf } = metadata ?? {}
      if (typeof wording === 'string' && typeof wordingOf === 'string')
        places.set(id, { wording, of: wordingOf, cluster, weight })
    }
  return places
}

/** Each model's mean score by case and wording, over the runs. */
type ScoresByWording = Map<string, Map<string, Map<string, number[]>>>

function collectScores({ cells, caseIds, modelIds }: ScoreTable, places: ReadonlyMap<string, Place>): ScoresByWording {
  const byModel: ScoresByWording = new Map()
  for (const [cell, score] of cells.score.entries()) {
    const place = places.get(caseIds[cells.case[cell]!]!)
    if (!place || Number.isNaN(score)) continue
    const modelId = modelIds[cells.model[cell]!]!
    const own = byModel.get(modelId) ?? new Map<string, Map<string, number[]>>()
    byModel.set(modelId, own)
    const ofCase = own.get(place.of) ?? new Map<string, number[]>()
    own.set(place.of, ofCase)
    ofCase.set(place.wording, [...(ofCase.get(place.wording) ?? []), score])
  }
  return byModel
}

/** Fewer cases, or clusters of them, decide nothing. */
const FEWEST_CASES = 6
/** With two wordings, nothing is known about others. */
const FEWEST_WORDINGS = 3

/**
 * The verdict over wordings: cases and wordings are both drawn at random, as cases and judges of a panel are. Undefined
 * unless two models have scores for the same cases in the same two wordings or more.
 */
export function buildWordings(
  given: Scores,
  suites: readonly (Suite | undefined)[],
  models: readonly string[],
): WordingReport | undefined {
  const places = readPlaces(suites)
  const wordings = [...new Set(Array.from(places.values(), ({ wording }) => wording))]
  if (wordings.length < 2) return undefined
  const scores = collectScores(toScoreTable(given), places)
  const scored = models.filter((modelId) => scores.has(modelId))
  if (scored.length === 0) return undefined
  const details = new Map(Array.from(places.values(), ({ of, cluster, weight }) => [of, { cluster, weight }]))
  const isWhole = (modelId: string, id: string) =>
    wordings.every((wording) => scores.get(modelId)?.get(id)?.has(wording))
  const cases = [...details.keys()].filter((id) => scored.every((modelId) => isWhole(modelId, id)))
  if (cases.length === 0) return undefined
  const scoreOf = (modelId: string, id: string, wording: string) => meanOf(scores.get(modelId)!.get(id)!.get(wording)!)
  const weights = cases.map((id) => details.get(id)!.weight)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const meanIn = (modelId: string, wording: string) =>
    cases.reduce((sum, id, index) => sum + weights[index]! * scoreOf(modelId, id, wording), 0) / total
  const clusters = cases.map((id) => details.get(id)!.cluster)
  const units = new Set(clusters.map((cluster, index) => cluster ?? cases[index])).size
  const names = scored.flatMap((a, index) => scored.slice(index + 1).map((b) => [a, b] as const))
  const compared = names.map(([a, b]) => {
    const matrix = cases.map((id) => wordings.map((wording) => scoreOf(a, id, wording) - scoreOf(b, id, wording)))
    return compareLevels(matrix, { weights, clusters, pairs: names.length })
  })
  const adjusted = adjustHolm(compared.map(({ p }) => p))
  return {
    wordings,
    cases: cases.length,
    models: scored.map((modelId) => ({
      modelId,
      means: wordings.map((wording) => ({ wording, mean: meanIn(modelId, wording), cases: cases.length })),
    })),
    pairs: names.map(([modelA, modelB], index): WordingPair => {
      const { mean, low, high, judgeVariance, caseVariance } = compared[index]!
      const isEnough = units >= FEWEST_CASES && wordings.length >= FEWEST_WORDINGS
      const whole = (judgeVariance ?? 0) + caseVariance
      return {
        modelA,
        modelB,
        mean,
        low,
        high,
        adjustedP: adjusted[index]!,
        isSignificant: isEnough && adjusted[index]! < 0.05,
        spread: judgeVariance === null ? null : Math.sqrt(judgeVariance * wordings.length),
        share: judgeVariance === null ? null : whole === 0 ? 0 : judgeVariance / whole,
        gaps: wordings.map((wording) => ({ wording, gap: meanIn(modelA, wording) - meanIn(modelB, wording) })),
      }
    }),
  }
}
