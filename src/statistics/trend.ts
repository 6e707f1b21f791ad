import type { ModelParameters, RunLabel, RunResult, RunState, Suite } from '../contract/index.ts'
import { multiRunStats } from './multi-run-stats.ts'
import { hashText } from './numbers/random.ts'
import type { RunOfCases } from './sequential/drift-test.ts'
import { findDrift, type TrendDrift, type ComparedSettings } from './trend-drift.ts'

/** One model's score in one run or series. */
export interface TrendScore {
  mean: number
  /** 95 % interval over more cases like these. */
  low: number
  high: number
  /** Cases with a score. */
  n: number
  passed: number
  /** Answers with a score, over all runs of a series. */
  count: number
}

interface Settings extends ComparedSettings {
  suiteVersion?: number
}

/** A run, or the runs of a series, reduced to what a trend shows. */
export interface TrendRuns {
  runIds: string[]
  seriesId?: string
  startedAt: number
  label?: RunLabel
  settings: Settings
  scores: ReadonlyMap<string, TrendScore>
  /** The scores of each run by model and case, without answers from the cache: those were given in an earlier run. */
  answers: readonly ReadonlyMap<string, RunOfCases>[]
  models: string[]
}

export type TrendChange =
  | { kind: 'cases-selected' | 'cases-changed'; count: number; before: number }
  | { kind: 'rescored'; runId: string }
  | { kind: 'system-prompt' | 'judge-instructions' | 'variants' }
  | {
      kind: 'suite-version' | 'judge' | 'judge-prompt' | 'endpoint' | 'program' | 'parameter'
      /** For a parameter, which one. */
      name?: string
      from: string
      to: string
    }

export interface TrendPoint {
  /** As in the address of its results: `series:ID` or the run's id. */
  selection: string
  runIds: string[]
  startedAt: number
  label?: RunLabel
  state: RunState
  /** Cases of the suite that were asked. */
  covered: number
  /** Cases that were asked and are no longer in the suite. */
  removed: number
  /** Points with the same number asked the same cases; only they can be compared. */
  caseSet: number
  /** Since the previous point with the same cases; for the first of them, since the point before. */
  changes: TrendChange[]
  /** A model that was asked and has no score is absent. */
  scores: Record<string, TrendScore & { isComplete: boolean }>
}

/** A model's score in a point; undefined if it has none. A model may be called `constructor`. */
export function scoreAt({ scores }: TrendPoint, model: string): TrendPoint['scores'][string] | undefined {
  return Object.hasOwn(scores, model) ? scores[model] : undefined
}

export interface Trend {
  /** The best in its last point first. */
  models: string[]
  /** How many cases the suite has now. */
  cases: number
  /** Oldest first. */
  points: TrendPoint[]
  /** By model, in the same order; only models with runs that can be compared. */
  drift: TrendDrift[]
}

function fingerprintCases(suite: Suite | undefined, runs: readonly RunResult[]): Map<string, number> {
  if (suite)
    return new Map(
      suite.testCases.map(({ metadata: _metadata, cluster: _cluster, ...testCase }) => [
        testCase.id,
        hashText(JSON.stringify(testCase)),
      ]),
    )
  return new Map(runs.flatMap(({ results }) => results.map(({ testCaseId }) => [testCaseId, 0])))
}

function scoresByModel({ results }: RunResult): ReadonlyMap<string, RunOfCases> {
  const byModel = new Map<string, Map<string, number>>()
  for (const { modelId, testCaseId, score, cachedAt } of results) {
    if (!score || cachedAt !== undefined) continue
    const scores = byModel.get(modelId) ?? new Map<string, number>()
    byModel.set(modelId, scores.set(testCaseId, score.score))
  }
  return byModel
}

/** Reduces a run, or the runs of a series in their order; texts are not needed. */
export function trendRunsOf(runs: readonly RunResult[]): TrendRuns {
  const [first] = runs
  if (!first) throw new RangeError('a point of a trend needs at least one run.')
  const { seriesId, startedAt = 0, label, parameters, judgeModel, request, versions = {} } = first
  const suite = runs.find(({ testSuiteSnapshot }) => testSuiteSnapshot)?.testSuiteSnapshot
  const judges = judgeModel?.split(',') ?? []
  const how = judges.length > 1 ? ` (${request?.combineJudges ?? 'mean'})` : ''
  const scores = new Map(
    Array.from(multiRunStats(runs), ([modelId, { overCases, passed, count }]): [string, TrendScore] => [
      modelId,
      { mean: overCases.mean, low: overCases.low, high: overCases.high, n: overCases.n, passed, count },
    ]),
  )
  return {
    runIds: runs.map(({ id }) => id),
    ...(seriesId !== undefined && { seriesId }),
    startedAt,
    ...(label && { label }),
    settings: {
      ...(request?.suiteVersion !== undefined && { suiteVersion: request.suiteVersion }),
      cases: fingerprintCases(suite, runs),
      systemPrompt: suite?.systemPrompt ?? '',
      judgeSystemPrompt: suite?.judgeSystemPrompt ?? '',
      variants: JSON.stringify(suite?.variants ?? []),
      judges: `${judges.join(', ')}${how}`,
      judgePrompt: versions['judgePrompt'] ?? '',
      ...(parameters && { parameters }),
      endpoint: request?.endpoint ?? '',
      program: versions['benchmaker'] ?? '',
      answersOf: versions['answersOf'] ?? '',
    },
    scores,
    answers: runs.map(scoresByModel),
    models: [...new Set(runs.flatMap(({ models }) => models))],
  }
}

const writeSetting = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value ?? '')

function changesOfParameters(before: ModelParameters, after: ModelParameters): TrendChange[] {
  const old = new Map<string, unknown>(Object.entries(before))
  const next = new Map<string, unknown>(Object.entries(after))
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((name): TrendChange[] => {
    const [from, to] = [writeSetting(old.get(name)), writeSetting(next.get(name))]
    return from === to ? [] : [{ kind: 'parameter', name, from, to }]
  })
}

/** What differs between two points, apart from the models. */
function findChanges(before: Settings, after: Settings): TrendChange[] {
  const changes: TrendChange[] = []
  const compare = (
    kind: 'suite-version' | 'judge' | 'judge-prompt' | 'endpoint' | 'program',
    from: string | number | undefined,
    to: string | number | undefined,
  ) => {
    if (from !== to) changes.push({ kind, from: String(from ?? ''), to: String(to ?? '') })
  }
  if (after.answersOf !== '') changes.push({ kind: 'rescored', runId: after.answersOf })
  // A file has no version, which does not make it another suite.
  if (before.suiteVersion !== undefined && after.suiteVersion !== undefined)
    compare('suite-version', before.suiteVersion, after.suiteVersion)
  if (keyOfCases(before) !== keyOfCases(after))
    changes.push({ kind: 'cases-selected', count: after.cases.size, before: before.cases.size })
  const changed = [...after.cases].filter(([id, hash]) => before.cases.has(id) && before.cases.get(id) !== hash).length
  if (changed > 0) changes.push({ kind: 'cases-changed', count: changed, before: before.cases.size })
  if (before.systemPrompt !== after.systemPrompt) changes.push({ kind: 'system-prompt' })
  if (before.variants !== after.variants) changes.push({ kind: 'variants' })
  compare('judge', before.judges, after.judges)
  // Without a judge there is no prompt to change.
  if (before.judgePrompt !== '' && after.judgePrompt !== '')
    compare('judge-prompt', before.judgePrompt, after.judgePrompt)
  if (before.judgeSystemPrompt !== after.judgeSystemPrompt) changes.push({ kind: 'judge-instructions' })
  if (before.parameters && after.parameters) changes.push(...changesOfParameters(before.parameters, after.parameters))
  compare('endpoint', before.endpoint, after.endpoint)
  if (before.program !== '' && after.program !== '') compare('program', before.program, after.program)
  return changes
}

const keyOfCases = ({ cases }: Settings) => JSON.stringify([...cases.keys()].toSorted())

/** The cases of the suite itself if they are known, else of the largest point. */
function listSuiteCases(given: readonly TrendRuns[], caseIds: readonly string[] | undefined): Set<string> {
  if (caseIds) return new Set(caseIds)
  const largest = given.toSorted((a, b) => b.settings.cases.size - a.settings.cases.size)[0]
  return new Set(largest?.settings.cases.keys())
}

/** The best in its last point first. */
function orderModels(points: readonly TrendPoint[], models: Iterable<string>): string[] {
  const lastMean = (model: string) => {
    const last = points.findLast((point) => scoreAt(point, model))
    return (last && scoreAt(last, model)?.mean) ?? -1
  }
  return [...models].toSorted((a, b) => lastMean(b) - lastMean(a))
}

/**
 * The scores of each model over time. Runs are given oldest first, with the state of each; a score over only some of
 * its cases, or from a run that has not completed, is not complete.
 */
export function buildTrend(
  given: readonly (TrendRuns & { state: RunState })[],
  { caseIds }: { caseIds?: readonly string[] | undefined } = {},
): Trend {
  const suiteCases = listSuiteCases(given, caseIds)
  const keys: string[] = []
  const lastOfSet = new Map<number, TrendRuns>()
  const points = given.map(({ runIds, seriesId, startedAt, label, settings, scores, state }, index): TrendPoint => {
    const key = keyOfCases(settings)
    if (!keys.includes(key)) keys.push(key)
    const caseSet = keys.indexOf(key)
    const before = lastOfSet.get(caseSet) ?? given[index - 1]
    lastOfSet.set(caseSet, given[index]!)
    const covered = [...settings.cases.keys()].filter((id) => suiteCases.has(id)).length
    return {
      selection: seriesId === undefined ? runIds[0]! : `series:${seriesId}`,
      runIds,
      startedAt,
      ...(label && { label }),
      state,
      covered,
      removed: settings.cases.size - covered,
      caseSet,
      changes: before ? findChanges(before.settings, settings) : [],
      scores: Object.fromEntries(
        Array.from(scores, ([model, score]) => [
          model,
          { ...score, isComplete: state === 'done' && score.n === settings.cases.size },
        ]),
      ),
    }
  })
  const models = new Set(given.flatMap((point) => point.models))
  const ordered = orderModels(points, models)
  return { models: ordered, cases: suiteCases.size, points, drift: findDrift(given, ordered) }
}
