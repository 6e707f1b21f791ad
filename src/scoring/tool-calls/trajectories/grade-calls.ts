import type { ActualCall, ExpectedCall } from '../calls.ts'
import { findDifferences } from '../credit/argument-differences.ts'
import { argumentSimilarity } from '../credit/argument-similarity.ts'
import { ARGUMENT_WEIGHT, giveCallsCredit, NAME_WEIGHT } from '../credit/calls-credit.ts'
import { chooseEffects, effectComparison, giveEffectsCredit, type EffectOptions } from '../credit/effects-credit.ts'
import { pickCompared, type LeftOut, type Match, type OutputReason } from '../reasons.ts'
import type { GradeSetting, CallAlignment } from './grade-settings.ts'
import { matchArguments } from './match-arguments.ts'
import { assignOptimally } from '../credit/optimal-assignment.ts'

/** An expected call and the actual one that it is compared with. */
interface AlignedPair {
  row: number
  column: number
  similarity: number
}

interface Sides {
  /** How many calls were expected, and how many were made. */
  rows: number
  columns: number
  similarity(row: number, column: number): number
  /** Calls of different tools never match. */
  isSameTool(row: number, column: number): boolean
}

/** Aligns expected with actual calls; only pairs with something in common. */
function alignCalls(align: CallAlignment, sides: Sides): AlignedPair[] {
  const pairs = aligners[align](sides)
  return pairs.filter(({ similarity }) => similarity > 0)
}

const indices = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

const aligners: Record<CallAlignment, (sides: Sides) => AlignedPair[]> = {
  reuse: ({ rows, columns, similarity, isSameTool }) =>
    indices(rows).flatMap((row) => {
      let best: AlignedPair | undefined
      for (const column of indices(columns)) {
        if (!isSameTool(row, column)) continue
        const found = similarity(row, column)
        if (found > (best?.similarity ?? 0)) best = { row, column, similarity: found }
        if (found === 1) break
      }
      return best ? [best] : []
    }),

  positional: ({ rows, columns, similarity, isSameTool }) =>
    indices(Math.min(rows, columns)).map((index) => ({
      row: index,
      column: index,
      similarity: isSameTool(index, index) ? similarity(index, index) : 0,
    })),

  'one-to-one': ({ rows, columns, similarity, isSameTool }) => {
    const pairs: AlignedPair[] = []
    const done = new Set<number>()
    for (const first of indices(rows)) {
      if (done.has(first)) continue
      // Each tool is assigned on its own: the matrix of all calls would be far larger.
      const ownColumns = indices(columns).filter((column) => isSameTool(first, column))
      const ownRows = indices(rows).filter(
        (row) => !done.has(row) && (row === first || ownColumns.some((column) => isSameTool(row, column))),
      )
      for (const row of ownRows) done.add(row)
      const scores = ownRows.map((row) => ownColumns.map((column) => similarity(row, column)))
      assignOptimally(scores).forEach((at, index) => {
        if (at >= 0) pairs.push({ row: ownRows[index]!, column: ownColumns[at]!, similarity: scores[index]![at]! })
      })
    }
    return pairs.toSorted((a, b) => a.row - b.row)
  },

  /** The longest common subsequence, weighted by similarity. */
  'in-order': ({ rows, columns, similarity, isSameTool }) => {
    const width = columns + 1
    const best = new Float64Array((rows + 1) * width)
    const gain = (row: number, column: number) => (isSameTool(row, column) ? similarity(row, column) : 0)
    for (let row = rows - 1; row >= 0; row -= 1)
      for (let column = columns - 1; column >= 0; column -= 1)
        best[row * width + column] = Math.max(
          best[(row + 1) * width + column]!,
          best[row * width + column + 1]!,
          best[(row + 1) * width + column + 1]! + gain(row, column),
        )
    const pairs: AlignedPair[] = []
    for (let row = 0, column = 0; row < rows && column < columns;) {
      const here = best[row * width + column]!
      const found = gain(row, column)
      if (found > 0 && here === best[(row + 1) * width + column + 1]! + found) {
        pairs.push({ row, column, similarity: found })
        row += 1
        column += 1
      } else if (here === best[row * width + column + 1]!) column += 1
      else row += 1
    }
    return pairs
  },
}

export interface GradedCalls {
  /** 0 to 1. */
  score: number
  /** Each expected call that counts, with the actual one. */
  matches: Match[]
  leftOut: LeftOut[]
  /** Expected things that the agent had to say; only where the setting counts them. */
  outputs: OutputReason[]
}

/** The turn of each expected and of each actual call, from 0. */
export interface CallTurns {
  expected: readonly number[]
  actual: readonly number[]
  count: number
}

/**
 * The one definition behind every grade of calls: the sum of the similarities of aligned pairs, divided by a size. The
 * setting says how arguments are compared, which calls are aligned, what extra calls cost, and which calls count.
 */
export function gradeCalls(
  expected: readonly ExpectedCall[],
  calls: readonly ActualCall[],
  setting: GradeSetting,
  { turns, ...options }: EffectOptions & { turns?: CallTurns | undefined } = {},
): GradedCalls {
  if (isSetting(setting, 'similar', 'reuse', 'free', 'all'))
    return { ...giveCallsCredit(expected, calls), leftOut: [], outputs: [] }
  if (isSetting(setting, 'similar', 'one-to-one', 'cost', 'writes')) return giveEffectsCredit(expected, calls, options)
  if (setting.scope === 'turn' && turns) return gradeTurns(expected, calls, setting, turns)
  if (setting.scope !== 'writes')
    return { ...gradeSides({ expected, calls, setting }, allOf(expected), allOf(calls)), leftOut: [], outputs: [] }
  const { wanted, lasting, free, leftOut } = chooseEffects(expected, calls, options)
  const graded = gradeSides({ expected, calls, setting }, wanted, lasting, free)
  return { ...graded, leftOut, outputs: [] }
}

const isSetting = (
  { args, align, extra, scope, isWhole }: GradeSetting,
  ...wanted: readonly [string, string, string, string]
): boolean => !isWhole && [args, align, extra, scope].every((value, index) => value === wanted[index])

const allOf = (list: readonly unknown[]): number[] => list.map((_, index) => index)

interface Calls {
  expected: readonly ExpectedCall[]
  calls: readonly ActualCall[]
  setting: GradeSetting
}

type Graded = Pick<GradedCalls, 'score' | 'matches'>

function gradeSides(
  { expected, calls, setting }: Calls,
  given: readonly number[],
  made: readonly number[],
  free: ReadonlyMap<number, string> = new Map(),
): Graded {
  const { args, align, extra, isWhole = false, isDistinct = false } = setting
  const wanted = isDistinct ? dropRepeats(given, (index) => expected[index]!.name) : given
  const done = isDistinct ? dropRepeats(made, (index) => calls[index]!.name) : made
  const compare = (action: ExpectedCall, call: ActualCall): number => {
    if (args !== 'similar') return matchArguments(args, action, call) ? 1 : 0
    const alike =
      setting.scope === 'writes'
        ? effectComparison.similarity(action, call)
        : argumentSimilarity(pickCompared(action, action.arguments), call.arguments)
    return NAME_WEIGHT + ARGUMENT_WEIGHT * alike
  }
  const pairs = alignCalls(align, {
    rows: wanted.length,
    columns: done.length,
    similarity: (row, column) => compare(expected[wanted[row]!]!, calls[done[column]!]!),
    isSameTool: (row, column) => expected[wanted[row]!]!.name === calls[done[column]!]!.name,
  })
  const used = new Set(pairs.map(({ column }) => column))
  const costing = done.filter((index, column) => used.has(column) || !free.has(index)).length
  const sum = pairs.reduce((total, { similarity }) => total + similarity, 0)
  const score = divide(sum, { extra, expected: wanted.length, actual: costing, extras: costing - used.size })
  const byRow = new Map(pairs.map((pair) => [pair.row, pair]))
  const matches = wanted.map((expectedIndex, row): Match => {
    const pair = byRow.get(row)
    if (!pair) return { expectedIndex, actualIndex: null, score: 0, argumentScore: null }
    const argumentScore = args === 'similar' ? (pair.similarity - NAME_WEIGHT) / ARGUMENT_WEIGHT : pair.similarity
    return { expectedIndex, actualIndex: done[pair.column]!, score: pair.similarity, argumentScore }
  })
  return { score: isWhole && score < 1 ? 0 : score, matches }
}

function dropRepeats(given: readonly number[], nameOf: (index: number) => string): number[] {
  const seen = new Set<string>()
  return given.filter((index) => {
    const name = nameOf(index)
    if (seen.has(name)) return false
    seen.add(name)
    return true
  })
}

interface Size {
  extra: GradeSetting['extra']
  expected: number
  actual: number
  extras: number
}

function divide(sum: number, { extra, expected, actual, extras }: Size): number {
  if (extra === 'forbid' && extras > 0) return 0
  const size =
    extra === 'cost'
      ? Math.max(expected, actual)
      : extra === 'f1'
        ? (expected + actual) / 2
        : extra === 'only'
          ? actual
          : expected
  // Nothing was to be done, and nothing was done wrong.
  return size === 0 ? 1 : sum / size
}

/** The mean over the turns that have expectations: a turn that did not come about made none of its calls. */
function gradeTurns(
  expected: readonly ExpectedCall[],
  calls: readonly ActualCall[],
  setting: GradeSetting,
  turns: CallTurns,
): GradedCalls {
  const graded = Array.from({ length: turns.count }, (_, turn) =>
    gradeSides(
      { expected, calls, setting },
      allOf(expected).filter((index) => turns.expected[index] === turn),
      allOf(calls).filter((index) => turns.actual[index] === turn),
    ),
  )
  const score = graded.reduce((sum, one) => sum + one.score, 0) / Math.max(1, graded.length)
  return { score, matches: graded.flatMap(({ matches }) => matches), leftOut: [], outputs: [] }
}

/** What differs between two aligned calls, for a reader. */
export const describeDifferences = (action: ExpectedCall, call: ActualCall) =>
  findDifferences(pickCompared(action, action.arguments), pickCompared(action, call.arguments), 'effects')
