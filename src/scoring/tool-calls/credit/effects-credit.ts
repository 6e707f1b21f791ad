import type { ActualCall, ArgumentComparison, ExpectedCall, ExpectedOutputs } from '../calls.ts'
import { findDifferences } from './argument-differences.ts'
import { changesSomething, replacesState, setsState, togglesState } from './effectful-tools.ts'
import { effectSimilarity } from './effect-similarity.ts'
import { isFailedCall } from './failed-reply.ts'
import { assignOptimally } from './optimal-assignment.ts'
import { pickCompared, referTo, type LeftOut, type Match, type OutputReason } from '../reasons.ts'
import { ARGUMENT_WEIGHT, NAME_WEIGHT } from './calls-credit.ts'
import { findRefused } from './refused-actions.ts'
import { findOutputs } from './said-outputs.ts'

interface CreditResult {
  score: number
  matches: Match[]
  leftOut: LeftOut[]
  outputs: OutputReason[]
}

/** The tools that count: those listed, all of them or, if undefined, those that change something by their names. */
export type EffectfulTools = readonly string[] | 'all' | undefined

export interface EffectOptions {
  effectfulTools?: EffectfulTools
  outputs?: ExpectedOutputs
  comparison?: ArgumentComparison
  /** The benchmark replays the expected actions with the same tools: one that they refuse is not expected. */
  isReplayed?: boolean
}

/** Compares arguments both ways: an unexpected argument costs as much as a missing one. */
export const effectComparison: ArgumentComparison = {
  similarity: (action, call) =>
    effectSimilarity(pickCompared(action, action.arguments), pickCompared(action, call.arguments)),
  differences: (action, call) =>
    findDifferences(pickCompared(action, action.arguments), pickCompared(action, call.arguments), 'effects'),
}

/**
 * Scores what the agent changed and said. Expected and actual calls that change something are assigned one to one for the
 * highest sum; the mean is over the larger side, so an unexpected effect costs as much as a missing one. Each expected
 * output counts like one more effect. With nothing on either side the score is 1.
 */
export function giveEffectsCredit(
  expected: readonly ExpectedCall[],
  calls: readonly ActualCall[],
  options: EffectOptions = {},
): CreditResult {
  const { outputs: expectedOutputs, comparison = effectComparison } = options
  const { wanted, lasting, free, leftOut } = chooseEffects(expected, calls, options)
  const matches = matchByTool({ expected, calls, wanted, done: lasting, comparison, free })
  const taken = new Set(matches.map(({ actualIndex }) => actualIndex))
  const costing = lasting.filter((index) => taken.has(index) || !free.has(index))
  for (const index of lasting)
    if (!taken.has(index) && free.has(index))
      leftOut.push({ side: 'actual', ...referTo(calls[index]!, index), why: free.get(index)! })

  const outputs = checkOutputs(expectedOutputs)
  const larger = Math.max(wanted.length, costing.length) + outputs.length
  const sum = matches.reduce((total, { score }) => total + score, 0) + outputs.filter(({ isSaid }) => isSaid).length
  return { score: larger === 0 ? 1 : sum / larger, matches, leftOut, outputs }
}

/** Both sides of effects credit: the expected and actual calls that change something, by position. */
interface Effects {
  wanted: number[]
  lasting: number[]
  /** Calls among `lasting` that may match an expected action and never cost, with the reason. */
  free: ReadonlyMap<number, string>
  leftOut: LeftOut[]
}

/** Chooses the calls that count: those that change something, were carried out, and lasted. */
export function chooseEffects(
  expected: readonly ExpectedCall[],
  calls: readonly ActualCall[],
  { effectfulTools, comparison = effectComparison, isReplayed = false }: EffectOptions,
): Effects {
  const counts = chooseTools(effectfulTools, expected)
  const leftOut: LeftOut[] = []
  const refused = comparison.isLiteral ? nothing : findRefused({ expected, calls, counts, isReplayed })

  const wanted: number[] = []
  expected.forEach((action, index) => {
    const why = counts(action.name) ? refused.get(index) : 'changes nothing'
    if (why === undefined) wanted.push(index)
    else leftOut.push({ side: 'expected', ...referTo(action, index), why })
  })

  const done: number[] = []
  calls.forEach((call, index) => {
    const why = comparison.isLiteral ? undefined : findExclusion(call, counts)
    if (why === undefined) done.push(index)
    else leftOut.push({ side: 'actual', ...referTo(call, index), why })
  })
  const undone = comparison.isLiteral ? nothing : findUndone({ expected, calls, wanted, done })
  const lasting = done.filter((index) => !undone.has(index))
  const free = comparison.isLiteral ? nothing : findFree(calls, lasting)
  for (const [index, why] of undone) leftOut.push({ side: 'actual', ...referTo(calls[index]!, index), why })
  return { wanted, lasting, free, leftOut }
}

const nothing: ReadonlyMap<number, string> = new Map()

export function checkOutputs(outputs: ExpectedOutputs | undefined): OutputReason[] {
  if (!outputs || outputs.expected.length === 0) return []
  const found = findOutputs(outputs.expected, outputs.said)
  return outputs.expected.map((text, index) => ({ text, isSaid: found[index]! }))
}

function chooseTools(effectfulTools: EffectfulTools, expected: readonly ExpectedCall[]): (name: string) => boolean {
  if (effectfulTools === 'all') return () => true
  if (effectfulTools !== undefined) {
    const names = new Set(effectfulTools)
    return (name) => names.has(name)
  }
  const said = new Map<string, boolean>()
  for (const action of expected)
    if (action.changesSomething !== undefined) said.set(action.name, action.changesSomething)
  return (name) => said.get(name) ?? changesSomething(name)
}

/** Why the call does not count, if it does not. */
function findExclusion(call: ActualCall, counts: (name: string) => boolean): string | undefined {
  if (!counts(call.name)) return 'changes nothing'
  if (call.isIgnored) return 'was not carried out: it got no reply'
  if (isFailedCall(call)) return 'the tool replied with an error'
  return undefined
}

/** Calls that a later call toggled back, with that call. If both are expected, both count. */
function findUndone({ expected, calls, wanted, done }: Omit<Sides, 'comparison' | 'free'>): Map<number, string> {
  const undone = new Map<number, string>()
  const toggled = new Map<string, number>()
  for (const index of done) {
    const { name, requestor, arguments: given } = calls[index]!
    if (!togglesState(name) || wanted.filter((position) => expected[position]!.name === name).length > 1) continue
    const key = JSON.stringify([requestor, name, given])
    const before = toggled.get(key)
    if (before === undefined) toggled.set(key, index)
    else {
      toggled.delete(key)
      undone.set(before, 'toggled back by a later call')
      undone.set(index, 'toggles back an earlier call')
    }
  }
  return undone
}

/** True if `later` sets the same arguments of the same thing to other values: what a call is about ends in `id`. */
function replaces(later: ActualCall, call: ActualCall): boolean {
  if (later.name !== call.name || later.requestor !== call.requestor || isSameCall(call, later)) return false
  const [before, after] = [ownFields(call.arguments), ownFields(later.arguments)]
  const keys = Object.keys(before)
  return (
    keys.every((key) => Object.hasOwn(after, key)) &&
    keys
      .filter((key) => /(^|_)id$|Id$|(^|_)name$/.test(key))
      .every((key) => effectSimilarity(before[key], after[key]) === 1)
  )
}

function ownFields(given: unknown): Record<string, unknown> {
  return typeof given === 'object' && given !== null ? Object.fromEntries(Object.entries(given)) : {}
}

/** Calls that may match an expected action and never cost, with the reason. */
function findFree(calls: readonly ActualCall[], done: readonly number[]): Map<number, string> {
  const free = new Map<number, string>()
  const latest = new Map<string, ActualCall>()
  for (const [position, index] of done.entries()) {
    const call = calls[index]!
    const before = latest.get(call.name)
    // The agent is not responsible for what the simulated user does.
    if (call.requestor === 'user') free.set(index, 'done by the user')
    else if (before && setsState(call.name) && isSameCall(before, call))
      free.set(index, 'repeats the call before it, with no further effect')
    else if (replacesState(call.name) && done.slice(position + 1).some((next) => replaces(calls[next]!, call)))
      free.set(index, 'replaced by a later call')
    latest.set(call.name, call)
  }
  return free
}

function isSameCall(before: ActualCall, call: ActualCall): boolean {
  return (
    before.requestor === call.requestor &&
    effectSimilarity(before.arguments, call.arguments) === 1 &&
    effectSimilarity(call.arguments, before.arguments) === 1
  )
}

interface Sides {
  expected: readonly ExpectedCall[]
  calls: readonly ActualCall[]
  wanted: readonly number[]
  done: readonly number[]
  comparison: ArgumentComparison
  free: ReadonlyMap<number, string>
}

/** Of equally good calls, one that would cost otherwise is matched first; too little to change which match is better. */
const TIE_BREAK = 1e-9

// Calls of different tools never match, so each tool can be assigned separately.
function matchByTool({ expected, calls, wanted, done, comparison, free }: Sides): Match[] {
  const matchOf = new Map<number, Match>()
  for (const name of new Set(wanted.map((index) => expected[index]!.name))) {
    const rows = wanted.filter((index) => expected[index]!.name === name)
    const columns = done.filter((index) => calls[index]!.name === name)
    const similarities = rows.map((row) =>
      columns.map((column) => comparison.similarity(expected[row]!, calls[column]!)),
    )
    assignOptimally(
      similarities.map((row) =>
        row.map(
          (similarity, column) =>
            NAME_WEIGHT + ARGUMENT_WEIGHT * similarity - (free.has(columns[column]!) ? TIE_BREAK : 0),
        ),
      ),
    ).forEach((column, row) => {
      if (column < 0) return
      const argumentScore = similarities[row]![column]!
      matchOf.set(rows[row]!, {
        expectedIndex: rows[row]!,
        actualIndex: columns[column]!,
        score: NAME_WEIGHT + ARGUMENT_WEIGHT * argumentScore,
        argumentScore,
      })
    })
  }
  return wanted.map(
    (expectedIndex) =>
      matchOf.get(expectedIndex) ?? { expectedIndex, actualIndex: null, score: 0, argumentScore: null },
  )
}
