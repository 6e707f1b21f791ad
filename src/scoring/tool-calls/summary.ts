import { meanOf } from '../../statistics/index.ts'
import { areaUnderCurve } from '../../statistics/agreement/auc.ts'
import { clusterMeanInterval } from '../../statistics/intervals/case-interval.ts'
import type { Interval } from '../../statistics/intervals/interval.ts'
import { passHatK } from '../../statistics/pass-at-k.ts'
import type { Credit } from './credit.ts'
import { isSuccess, rangeOf, scoreRanges, type ScoreRange } from './score-ranges.ts'
import type { ScoredRecord } from './score-record.ts'
import type { ToolCallReasons } from './reasons.ts'

interface ToolRow {
  tool: string
  expected: number
  exact: number
  argumentsDiffer: number
  missing: number
  /** Calls of this tool that match no expected action. */
  extra: number
}

/** How often an argument was wrong among the expected calls of its tool that were made. */
interface ArgumentRow {
  tool: string
  argument: string
  wrong: number
  of: number
}

/** Counts, record by record, which tools and arguments went wrong. */
function createMistakeTables() {
  const tools = new Map<string, ToolRow>()
  const arguments_ = new Map<string, ArgumentRow>()

  const toolRow = (tool: string): ToolRow => {
    const row = tools.get(tool) ?? { tool, expected: 0, exact: 0, argumentsDiffer: 0, missing: 0, extra: 0 }
    tools.set(tool, row)
    return row
  }
  const argumentRow = (tool: string, argument: string): ArgumentRow => {
    const key = `${tool}\n${argument}`
    const row = arguments_.get(key) ?? { tool, argument, wrong: 0, of: 0 }
    arguments_.set(key, row)
    return row
  }

  return {
    add({ actions, extraCalls }: ToolCallReasons): void {
      for (const { name, kind, arguments: expected, differences } of actions) {
        const row = toolRow(name)
        row.expected += 1
        if (kind === 'exact') row.exact += 1
        else if (kind === 'tool not called') row.missing += 1
        else row.argumentsDiffer += 1
        if (kind === 'tool not called') continue
        const wrong = new Set(differences.map(({ path }) => topLevelName(path)))
        const wanted = typeof expected === 'object' && expected !== null ? Object.keys(expected) : []
        for (const argument of new Set([...wanted, ...wrong])) {
          const counts = argumentRow(name, argument)
          counts.of += 1
          if (wrong.has(argument)) counts.wrong += 1
        }
      }
      for (const { name } of extraCalls) toolRow(name).extra += 1
    },
    tools: (): ToolRow[] =>
      [...tools.values()].sort((a, b) => b.expected - b.exact - (a.expected - a.exact) || b.extra - a.extra),
    arguments: (): ArgumentRow[] =>
      [...arguments_.values()].filter(({ wrong }) => wrong > 0).sort((a, b) => b.wrong - a.wrong || a.of - b.of),
  }
}

function topLevelName(path: string): string {
  const quoted = /^\["((?:[^"\\]|\\.)*)"\]/.exec(path)
  if (quoted) return String(JSON.parse(`"${quoted[1]}"`))
  return /^[^.[]+/.exec(path)?.[0] ?? path
}

export interface Example {
  taskId: string
  trial: number
  score: number
}

export interface ToolCallSummary {
  credit: Credit
  records: number
  /** Records with a score; the others do not say what was expected. */
  scored: number
  tasks: number
  binary: { successes: number; of: number; average: number } | null
  /** `tasks` are those with a score, which the interval is over. */
  partial: { average: number; min: number; max: number; interval: Interval; tasks: number } | null
  distribution: { label: string; count: number; share: number }[]
  ranges: Record<ScoreRange, number>
  failedButHigh: { count: number; examples: Example[] }
  passedButLow: { count: number; examples: Example[] }
  nearMisses: { count: number; examples: Example[] }
  toolSelection: { right: number; of: number } | null
  argumentPrecision: { mean: number; of: number } | null
  tools: ToolRow[]
  arguments: ArgumentRow[]
  passHatK: ({ k: number; mean: number } & Interval)[]
  auc: (Record<Credit, number> & { successes: number; failures: number }) | null
}

const bins = [
  { label: '[0.0-0.2)', below: 0.2 },
  { label: '[0.2-0.4)', below: 0.4 },
  { label: '[0.4-0.6)', below: 0.6 },
  { label: '[0.6-0.8)', below: 0.8 },
  { label: '[0.8-1.0)', below: 1 },
  { label: '[1.0]', below: Infinity },
]

const MAX_EXAMPLES = 3
const MAX_TRIALS = 8

const isFailure = (reward: number | undefined): boolean => reward !== undefined && reward < 0.1

interface Row {
  taskId: string
  reward: number | undefined
  score: number | null
  scores: Record<Credit, number> | null
}

/** Collects scored records one at a time, keeps a few numbers of each, and summarises them at the end. */
export function createSummary(credit: Credit) {
  const rows: Row[] = []
  const mistakes = createMistakeTables()
  const failedButHigh = createExamples()
  const passedButLow = createExamples()
  const nearMisses = createExamples()
  const selection = { right: 0, of: 0 }
  const precision = { sum: 0, of: 0 }

  return {
    add(record: ScoredRecord): void {
      const { taskId, trial, reward, score, scores, reasons } = record
      rows.push({ taskId, reward, score, scores })
      if (score === null) return
      const example = { taskId, trial, score }
      if (isFailure(reward) && score > 0.7) failedButHigh.add(example)
      if (isSuccess(reward) && score < 0.8) passedButLow.add(example)
      if (isFailure(reward) && score >= 0.9) nearMisses.add(example)
      if (!reasons) return
      mistakes.add(reasons)
      for (const { argumentScore } of reasons.actions) {
        selection.of += 1
        if (argumentScore === null) continue
        selection.right += 1
        precision.of += 1
        precision.sum += argumentScore
      }
    },

    finish(): ToolCallSummary {
      const byTask = Map.groupBy(rows, ({ taskId }) => taskId)
      const scores = rows.flatMap(({ score }) => (score === null ? [] : [score]))
      return {
        credit,
        records: rows.length,
        scored: scores.length,
        tasks: byTask.size,
        binary: summariseRewards(rows),
        partial: summariseScores(scores, byTask),
        distribution: distribute(scores),
        ranges: countRanges(scores),
        failedButHigh: failedButHigh.result,
        passedButLow: passedButLow.result,
        nearMisses: nearMisses.result,
        toolSelection: selection.of === 0 ? null : selection,
        argumentPrecision: precision.of === 0 ? null : { mean: precision.sum / precision.of, of: precision.of },
        tools: mistakes.tools(),
        arguments: mistakes.arguments(),
        passHatK: estimatePassHatK(byTask),
        auc: compareWithRewards(rows),
      }
    },

    /** Score and reward of each record, for comparing files task by task. */
    rows: (): readonly Row[] => rows,
  }
}

export type SummaryRow = Row

function createExamples() {
  const result = { count: 0, examples: new Array<Example>() }
  return {
    result,
    add(example: Example): void {
      result.count += 1
      if (result.examples.length < MAX_EXAMPLES) result.examples.push(example)
    },
  }
}

function summariseRewards(rows: readonly Row[]): ToolCallSummary['binary'] {
  const rewards = rows.flatMap(({ reward }) => (reward === undefined ? [] : [reward]))
  if (rewards.length === 0) return null
  return { successes: rewards.filter(isSuccess).length, of: rewards.length, average: meanOf(rewards) }
}

function summariseScores(scores: readonly number[], byTask: Map<string, Row[]>): ToolCallSummary['partial'] {
  if (scores.length === 0) return null
  const clusters = [...byTask.values()]
    .map((rows) => rows.flatMap(({ score }) => (score === null ? [] : [score])))
    .filter(({ length }) => length > 0)
  const { low, high, method } = clusterMeanInterval(clusters)
  return {
    average: meanOf(scores),
    min: scores.reduce((least, score) => Math.min(least, score), 1),
    max: scores.reduce((most, score) => Math.max(most, score), 0),
    interval: { low, high, method },
    tasks: clusters.length,
  }
}

function distribute(scores: readonly number[]): ToolCallSummary['distribution'] {
  const counts = bins.map(() => 0)
  for (const score of scores) counts[bins.findIndex(({ below }) => score < below)]! += 1
  return bins.map(({ label }, index) => ({
    label,
    count: counts[index]!,
    share: scores.length === 0 ? 0 : counts[index]! / scores.length,
  }))
}

function countRanges(scores: readonly number[]): Record<ScoreRange, number> {
  const count = (label: ScoreRange) => scores.filter((score) => rangeOf(score) === label).length
  const [perfect, nearMiss, partialSuccess, wrongApproach] = scoreRanges
  return {
    [perfect.label]: count(perfect.label),
    [nearMiss.label]: count(nearMiss.label),
    [partialSuccess.label]: count(partialSuccess.label),
    [wrongApproach.label]: count(wrongApproach.label),
  }
}

function estimatePassHatK(byTask: Map<string, Row[]>): ToolCallSummary['passHatK'] {
  const trials = [...byTask.values()]
    .map((rows) => rows.filter(({ reward }) => reward !== undefined))
    .filter(({ length }) => length > 0)
    .map((rows) => ({ count: rows.length, successes: rows.filter(({ reward }) => isSuccess(reward)).length }))
  if (trials.length === 0) return []
  const fewest = trials.reduce((least, { count }) => Math.min(least, count), MAX_TRIALS)
  return Array.from({ length: fewest }, (_, index) => {
    const k = index + 1
    return { k, ...clusterMeanInterval(trials.map(({ count, successes }) => [passHatK(count, successes, k)])) }
  })
}

function compareWithRewards(rows: readonly Row[]): ToolCallSummary['auc'] {
  const rated = rows.filter(({ reward, scores }) => scores !== null && (isSuccess(reward) || isFailure(reward)))
  const labels = rated.map(({ reward }) => isSuccess(reward))
  const successes = labels.filter(Boolean).length
  if (successes === 0 || successes === labels.length) return null
  const aucOf = (credit: Credit) =>
    areaUnderCurve(
      rated.map(({ scores }) => scores![credit]),
      labels,
    )
  return { calls: aucOf('calls'), effects: aucOf('effects'), successes, failures: labels.length - successes }
}
