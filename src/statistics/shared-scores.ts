import { NO_SCORING, selectCells, type ScoreTable } from '../contract/index.ts'
import { leaderLuck } from './ranking/leader-luck.ts'
import { meanOf } from './numbers/weighted-moments.ts'
import { combineRepeats, scoresOfModel } from './run-scores.ts'
import { replayDecisions } from './sequential/replay-decisions.ts'
import { findSharedCases } from './shared-cases.ts'

/** A model by itself, where not all models have the same cases. */
export interface OwnCases {
  /** Cases without a score, of all that any shown model was given. */
  lacks: number
  of: number
  /** The mean if all that is missing scored 0, and if it all scored 1. */
  boundsWithMissing: [number, number]
}

/** What a leaderboard rests on if some models lack cases. */
export interface SharedScores {
  ranked: ReadonlySet<string>
  /** Models that lack too many cases to be ranked; the one that lacks most first. */
  leftOut: string[]
  /** How many cases all ranked models have a score for, of those that any of them has one for. */
  cases: number
  of: number
  own: ReadonlyMap<string, OwnCases>
  /** The cells of the ranked models on the shared cases. */
  table: ScoreTable
}

/** A model's answers to a case in all runs. */
interface Answers {
  weight: number
  sum: number
  scored: number
  missing: number
}

type AnswersByCase = Map<number, Answers>

/** By model and case; what the suite does not score is no answer. */
function collectAnswers({ cells, modelIds, reasons }: ScoreTable): Map<string, AnswersByCase> {
  const byModel = new Map<string, AnswersByCase>()
  for (let cell = 0; cell < cells.run.length; cell++) {
    const score = cells.score[cell]!
    const isMissing = Number.isNaN(score)
    if (isMissing && reasons[cells.reason[cell]!] === NO_SCORING) continue
    const modelId = modelIds[cells.model[cell]!]!
    const own: AnswersByCase = byModel.get(modelId) ?? new Map()
    byModel.set(modelId, own)
    const index = cells.case[cell]!
    const answers = own.get(index) ?? { weight: cells.weight[cell]!, sum: 0, scored: 0, missing: 0 }
    own.set(index, answers)
    if (isMissing) answers.missing++
    else {
      answers.sum += score
      answers.scored++
    }
  }
  return byModel
}

function meanOfCases(own: AnswersByCase): number {
  let [sum, total] = [0, 0]
  for (const answers of own.values()) {
    if (answers.scored === 0) continue
    sum += (answers.weight * answers.sum) / answers.scored
    total += answers.weight
  }
  return sum / total
}

function boundOwn(own: AnswersByCase, all: ReadonlyMap<number, number>): OwnCases {
  let [low, high, total, lacks] = [0, 0, 0, 0]
  for (const [index, weight] of all) {
    const { sum = 0, scored = 0, missing = 1 } = own.get(index) ?? {}
    if (scored === 0) lacks++
    total += weight
    low += (weight * sum) / (scored + missing)
    high += (weight * (sum + missing)) / (scored + missing)
  }
  return { lacks, of: all.size, boundsWithMissing: [low / total, high / total] }
}

/**
 * The part of the table on which models can be ranked: the cases that all of them have a score for. Undefined if they all
 * have the same cases. A model that a run dropped by decision lacks cases on purpose: it shrinks nothing.
 */
export function shareScores(table: ScoreTable): SharedScores | undefined {
  const answers = collectAnswers(table)
  const decisions = replayDecisions(table)?.decisions
  const dropped = new Set(decisions?.dropped.map(({ modelId }) => modelId))
  const scoredBy = new Map<string, Set<number>>()
  for (const [modelId, own] of answers) {
    const scored = [...own].flatMap(([index, { scored: count }]) => (count > 0 ? [index] : []))
    if (scored.length > 0 && !dropped.has(modelId)) scoredBy.set(modelId, new Set(scored))
  }
  const ownMean = (modelId: string) => meanOfCases(answers.get(modelId)!)
  const bestFirst = [...scoredBy].toSorted(([a], [b]) => ownMean(b) - ownMean(a))
  const { ranked, leftOut, cases, of } = findSharedCases(new Map(bestFirst))
  if (scoredBy.size < 2 || (leftOut.length === 0 && cases.size === of)) return undefined

  // A run that decides leaves cases out for all models: they are not missing.
  const all = new Map<number, number>()
  for (const [modelId, own] of answers)
    for (const [index, { weight, scored }] of own)
      if (decisions ? scored > 0 && !dropped.has(modelId) : true) all.set(index, weight)
  const { cells, modelIds } = table
  const isRanked = new Set(ranked)
  return {
    ranked: isRanked,
    leftOut,
    cases: cases.size,
    of,
    own: new Map(Array.from(scoredBy.keys(), (modelId) => [modelId, boundOwn(answers.get(modelId)!, all)])),
    table: selectCells(table, (cell) => isRanked.has(modelIds[cells.model[cell]!]!) && cases.has(cells.case[cell]!)),
  }
}

/** The first of several models, and what it may owe to having been first. */
export interface LuckyLeader {
  modelId: string
  /** How many models it is the first of. */
  models: number
  /** 0 to 1: its interval reaches that much lower. */
  luck: number
}

/** Of models that have a score for the same cases, each averaged over its runs; undefined for fewer than two. */
export function findLuckyLeader(table: ScoreTable, models: readonly string[]): LuckyLeader | undefined {
  if (models.length < 2) return undefined
  const repeats = models.map((modelId) => combineRepeats(scoresOfModel(table, modelId)))
  const cases = [...repeats[0]!.values()].filter(({ testCaseId }) => repeats.every((own) => own.has(testCaseId)))
  if (cases.length === 0) return undefined
  const { leader, luck } = leaderLuck(
    repeats.map((own) => cases.map(({ testCaseId }) => meanOf(own.get(testCaseId)!.scores))),
    { weights: cases.map(({ weight }) => weight), clusters: cases.map(({ cluster }) => cluster) },
  )
  return { modelId: models[leader]!, models: models.length, luck }
}
