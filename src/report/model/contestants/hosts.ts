import {
  InputError,
  marginOf,
  toScoreTable,
  withoutHost,
  type RunResult,
  type Scores,
  type ScoreTable,
} from '../../../contract/index.ts'
import { clopperPearsonInterval, compareColumns, meanOf } from '../../../statistics/index.ts'
import { createCountedCases } from '../verdict/decisions.ts'
import type { HostReport, HostShare, Served, ValidOutput } from './host-report.ts'
import type { ReportRow } from '../standings/report-row.ts'

const VALIDITY = new Set(['json-schema', 'valid-tool-calls'])

/** By model: the checks of form, of answers that have a score. */
function countValid(runs: readonly RunResult[]): Map<string, ValidOutput> {
  const counts = new Map<string, { count: number; of: number }>()
  for (const { testSuiteSnapshot, results } of runs) {
    const methodOf = new Map(testSuiteSnapshot?.testCases.map((one) => [one.id, one.scoringMethod]))
    for (const { modelId, testCaseId, score } of results) {
      if (!score) continue
      const own = VALIDITY.has(methodOf.get(testCaseId) ?? '') ? [score.score] : []
      const checks = (score.checks ?? []).filter(({ scoringMethod }) => VALIDITY.has(scoringMethod))
      const found = [...own, ...checks.map((check) => check.score)]
      if (found.length === 0) continue
      const counted = counts.get(modelId) ?? { count: 0, of: 0 }
      counts.set(modelId, counted)
      counted.of++
      if (found.every((one) => one >= 1)) counted.count++
    }
  }
  return new Map(
    Array.from(counts, ([modelId, { count, of }]) => {
      const { low, high } = clopperPearsonInterval(count, of)
      return [modelId, { count, of, interval: [low, high] }]
    }),
  )
}

/** The contestants of each model that is served in several places; `model` itself is the reference, else the first. */
function groupByModel(models: readonly string[]): string[][] {
  const variantOf = (modelId: string) => /@[^@#]*$/.exec(modelId)?.[0] ?? ''
  const baseOf = (modelId: string) => {
    const variant = variantOf(modelId)
    return withoutHost(modelId.slice(0, modelId.length - variant.length)) + variant
  }
  return [...Map.groupBy(models, baseOf)].flatMap(([base, own]) =>
    own.length > 1 ? [own.toSorted((a, b) => Number(b === base) - Number(a === base))] : [],
  )
}

function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  if (sorted.length === 0) return undefined
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Of models with several hosts. */
function listShares({ cells, modelIds, hosts }: ScoreTable): HostShare[] {
  const rows = [...cells.host.keys()].filter((cell) => cells.host[cell]! > 0)
  return [...Map.groupBy(rows, (cell) => cells.model[cell]!)].flatMap(([model, own]) => {
    const byHost = [...Map.groupBy(own, (cell) => cells.host[cell]!)].toSorted((a, b) => b[1].length - a[1].length)
    if (byHost.length < 2) return []
    return byHost.map(([host, served]): HostShare => {
      const scores = served.map((cell) => cells.score[cell]!).filter((score) => !Number.isNaN(score))
      const timed = served.filter((cell) => Number.isNaN(cells.cachedAt[cell]))
      const latency = medianOf(timed.map((cell) => cells.latencyMs[cell]!).filter((value) => !Number.isNaN(value)))
      return {
        modelId: modelIds[model]!,
        host: hosts[host - 1]!,
        cells: served.length,
        ...(scores.length > 0 && { mean: meanOf(scores) }),
        ...(latency !== undefined && { medianLatencyMs: latency }),
      }
    })
  })
}

interface HostOptions {
  rows: readonly Pick<ReportRow, 'modelId' | 'medianLatencyMs' | 'score'>[]
  /** All other models are compared with it, whatever they are called: two endpoints, two quantisations. */
  reference?: string | undefined
  /** The difference that does not matter, 0 to 1; default: that of the runs. */
  sameWithin?: number | undefined
}

function chooseGroups(models: readonly string[], reference: string | undefined): string[][] {
  if (reference === undefined) return groupByModel(models)
  if (!models.includes(reference))
    throw new InputError(`${reference} is not in this run, which has ${models.join(', ')}`)
  return models.length > 1 ? [[reference, ...models.filter((modelId) => modelId !== reference)]] : []
}

/**
 * The same model at several hosts, each against the reference on the same cases, corrected for all of these pairs; and
 * who answered for a model that was not pinned. Undefined if there was only one place each. A table does not say which
 * answers fit their schema.
 */
export function buildHosts(given: Scores, options: HostOptions): HostReport | undefined {
  const { rows, reference, sameWithin } = options
  const scores = toScoreTable(given)
  const groups = chooseGroups(
    rows.map(({ modelId }) => modelId),
    reference,
  )
  const shares = listShares(scores)
  if (groups.length === 0 && shares.length === 0) return undefined
  const pairs = groups.flatMap(([first, ...others]) => others.map((modelId) => [modelId, first!] as const))
  const compared = compareColumns(
    pairs.map(([a, b]) => [
      { scores, modelId: a },
      { scores, modelId: b },
    ]),
    { sameWithin: sameWithin ?? marginOf(scores), findCountedCases: createCountedCases(scores), withFlips: true },
  )
  const comparisonOf = new Map(pairs.map(([modelId], index) => [modelId, compared[index]]))
  const valid = countValid('cells' in given ? [] : [given].flat())
  const rowOf = new Map(rows.map((row) => [row.modelId, row]))
  const scored = rows.filter(({ score }) => score).length
  return {
    pairs: { here: compared.filter((pair) => pair?.paired).length, inAll: (scored * (scored - 1)) / 2 },
    groups: groups.map((models) => ({
      reference: models[0]!,
      served: models.map((modelId): Served => {
        const comparison = comparisonOf.get(modelId)
        const latency = rowOf.get(modelId)?.medianLatencyMs
        const form = valid.get(modelId)
        return {
          modelId,
          ...(latency !== undefined && { medianLatencyMs: latency }),
          ...(form && { valid: form }),
          ...(comparison?.paired && { comparison: { ...comparison, paired: comparison.paired } }),
        }
      }),
    })),
    shares,
  }
}
