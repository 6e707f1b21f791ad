import type { ActualCall, ExpectedCall } from '../calls.ts'
import { changesSomething, setsState } from './effectful-tools.ts'
import { effectSimilarity } from './effect-similarity.ts'
import { isFailedCall } from './failed-reply.ts'
import { assignOptimally } from './optimal-assignment.ts'
import { pickCompared, referTo, type LeftOut, type Match } from '../reasons.ts'
import { ARGUMENT_WEIGHT, NAME_WEIGHT } from './calls-credit.ts'

interface CreditResult {
  score: number
  matches: Match[]
  leftOut: LeftOut[]
}

/** The tools that count: those listed, all of them or, if undefined, those that change something by their names. */
export type EffectfulTools = readonly string[] | 'all' | undefined

/**
 * Scores what the agent changed. Expected and actual calls that change something are assigned one to one for the
 * highest sum; the mean is over the larger side, so an unexpected effect costs as much as a missing one. With no
 * effects on either side the score is 1.
 */
export function giveEffectsCredit(
  expected: readonly ExpectedCall[],
  calls: readonly ActualCall[],
  effectfulTools?: EffectfulTools,
): CreditResult {
  const counts = chooseTools(effectfulTools)
  const leftOut: LeftOut[] = []

  const wanted: number[] = []
  expected.forEach((action, index) => {
    if (counts(action.name)) wanted.push(index)
    else leftOut.push({ side: 'expected', ...referTo(action, index), why: 'changes nothing' })
  })

  const done: number[] = []
  const latest = new Map<string, ActualCall>()
  calls.forEach((call, index) => {
    const why = findExclusion(call, { counts, latest })
    if (why === undefined) {
      done.push(index)
      latest.set(call.name, call)
    } else leftOut.push({ side: 'actual', ...referTo(call, index), why })
  })

  const matches = matchByTool({ expected, calls, wanted, done })
  const taken = new Set(matches.map(({ actualIndex }) => actualIndex))
  // The agent is not responsible for what the simulated user does: such a call can match an action but never costs.
  const costing = done.filter((index) => {
    if (taken.has(index) || calls[index]!.requestor !== 'user') return true
    leftOut.push({ side: 'actual', ...referTo(calls[index]!, index), why: 'done by the user' })
    return false
  })
  const larger = Math.max(wanted.length, costing.length)
  const score = larger === 0 ? 1 : matches.reduce((sum, match) => sum + match.score, 0) / larger
  return { score, matches, leftOut }
}

function chooseTools(effectfulTools: EffectfulTools): (name: string) => boolean {
  if (effectfulTools === undefined) return changesSomething
  if (effectfulTools === 'all') return () => true
  const names = new Set(effectfulTools)
  return (name) => names.has(name)
}

/** Why the call does not count, if it does not. */
function findExclusion(
  call: ActualCall,
  { counts, latest }: { counts: (name: string) => boolean; latest: Map<string, ActualCall> },
): string | undefined {
  if (!counts(call.name)) return 'changes nothing'
  if (isFailedCall(call)) return 'the tool replied with an error'
  const before = latest.get(call.name)
  if (before && setsState(call.name) && isSameCall(before, call))
    return 'repeats the call before it, with no further effect'
  return undefined
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
}

// Calls of different tools never match, so each tool can be assigned separately.
function matchByTool({ expected, calls, wanted, done }: Sides): Match[] {
  const matchOf = new Map<number, Match>()
  for (const name of new Set(wanted.map((index) => expected[index]!.name))) {
    const rows = wanted.filter((index) => expected[index]!.name === name)
    const columns = done.filter((index) => calls[index]!.name === name)
    const similarities = rows.map((row) => columns.map((column) => similarityOf(expected[row]!, calls[column]!)))
    assignOptimally(
      similarities.map((row) => row.map((similarity) => NAME_WEIGHT + ARGUMENT_WEIGHT * similarity)),
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

function similarityOf(action: ExpectedCall, call: ActualCall): number {
  return effectSimilarity(pickCompared(action, action.arguments), pickCompared(action, call.arguments))
}
