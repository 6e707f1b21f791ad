import type { JudgeStanding, RunResult, ScoringResult } from '../../contract/index.ts'
import { listJudges } from '../model/verdict/judge-notes.ts'
import { sha256 } from '../model/sha256.ts'

/** Runs with everything that a report of them needs. */
export interface SharedRuns {
  runs: RunResult[]
  calibrations?: readonly JudgeStanding[] | undefined
}

/** `Model A`, …, `Model Z`, `Model 27`. That answers are simulated must never be hidden. */
function letterName(index: number, id: string): string {
  const simulated = id.startsWith('demo/') ? ' (simulated)' : ''
  return `Model ${index < 26 ? String.fromCharCode(65 + index) : index + 1}${simulated}`
}

/** The model of a variant: `openai/gpt-4o` of `openai/gpt-4o@terse`. */
export function baseOf(id: string, variants: readonly string[]): string {
  const variant = variants.find((name) => id.endsWith(`@${name}`) && id.length > name.length + 1)
  return variant === undefined ? id : id.slice(0, -variant.length - 1)
}

export const variantsOf = (runs: readonly RunResult[]) => [
  ...new Set(runs.flatMap(({ testSuiteSnapshot }) => testSuiteSnapshot?.variants?.map(({ name }) => name) ?? [])),
]

function judgesOfScore(score: ScoringResult | undefined): string[] {
  const own = [...(score?.judges ?? []), ...(score?.missingJudges ?? [])].map(({ judgeModelId }) => judgeModelId)
  const pairs = (score?.comparisons ?? []).flatMap(({ judges = [], missingJudges = [] }) => [
    ...judges,
    ...missingJudges,
  ])
  return [
    ...own,
    ...pairs.map(({ judgeModelId }) => judgeModelId),
    ...(score?.checks ?? []).flatMap((check) => judgesOfScore(check)),
  ]
}

/** Mean score by model: letters follow the leaderboard, not the alphabet, the request or the price. */
function orderModels(runs: readonly RunResult[], variants: readonly string[]): string[] {
  const sums = new Map<string, { sum: number; count: number }>()
  const add = (id: string, score?: number) => {
    const model = baseOf(id, variants)
    const { sum, count } = sums.get(model) ?? { sum: 0, count: 0 }
    sums.set(model, score === undefined ? { sum, count } : { sum: sum + score, count: count + 1 })
  }
  for (const { models, results } of runs) {
    for (const id of models) add(id)
    for (const { modelId, score } of results) add(modelId, score?.score)
  }
  const meanOf = ({ sum, count }: { sum: number; count: number }) => (count === 0 ? -1 : sum / count)
  return [...sums]
    .toSorted(([idA, a], [idB, b]) => meanOf(b) - meanOf(a) || (sha256(idA) < sha256(idB) ? -1 : 1))
    .map(([id]) => id)
}

/** Every model that the runs name: contestants get letters, other judges and embedding models numbers. */
export function nameModels({ runs, calibrations = [] }: SharedRuns): Map<string, string> {
  const variants = variantsOf(runs)
  const names = new Map(orderModels(runs, variants).map((id, index) => [id, letterName(index, id)]))
  const opponents = runs.flatMap(({ results }) =>
    results.flatMap(({ score }) => score?.comparisons?.map(({ opponentId }) => baseOf(opponentId, variants)) ?? []),
  )
  for (const id of opponents) if (!names.has(id)) names.set(id, letterName(names.size, id))
  const judges = [
    ...listJudges(runs),
    ...runs.flatMap(({ request }) => request?.judgeModelIds ?? []),
    ...runs.flatMap(({ results }) => results.flatMap(({ score }) => judgesOfScore(score))),
    ...calibrations.map(({ judgeModelId }) => judgeModelId),
  ]
  let count = 0
  for (const id of judges) if (!names.has(id)) names.set(id, `Judge ${++count}`)
  const others = runs.flatMap(({ testSuiteSnapshot: suite, request }) => [
    ...(suite?.embeddingModel === undefined ? [] : [suite.embeddingModel]),
    ...(suite?.variants ?? []).flatMap(({ models = [] }) => models),
    ...(suite?.testCases ?? []).flatMap(({ embeddingModel }) =>
      typeof embeddingModel === 'string' ? [embeddingModel] : [],
    ),
    ...(request?.models ?? []),
  ])
  for (const id of others) {
    const model = baseOf(id, variants)
    if (!names.has(model)) names.set(model, `Other model ${names.size}`)
  }
  return names
}
