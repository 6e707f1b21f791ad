import { clopperPearsonInterval } from '../intervals/clopper-pearson.ts'
import { binomialTest } from '../tests/binomial-test.ts'

type Winner = 'first' | 'second' | 'tie'

/** What a judge said of the same two answers, in one order and in the other. */
export interface OrderedVerdicts {
  forward: Winner
  backward: Winner
}

export interface PositionPreference {
  pairs: number
  /** Pairs with another outcome in the other order; of these, those in which the first or the second place gained. */
  inconsistent: number
  first: number
  second: number
  /** The share of inconsistent pairs that went to the first place; absent if there are none. Exact 95 % interval. */
  share?: number
  low: number
  high: number
  /** Exact binomial test of a share of ½. */
  pValue: number
  /** The share of all pairs that were inconsistent, with its exact 95 % interval. */
  inconsistentShare: number
  inconsistentLow: number
  inconsistentHigh: number
}

const LEANS: Record<Winner, number> = { first: 1, tie: 0, second: -1 }

/** Positive if the first place gained: it won both times, or once with a tie. 0 if the order made no difference. */
export function leanOf({ forward, backward }: OrderedVerdicts): number {
  return LEANS[forward] + LEANS[backward]
}

/** Whether a judge prefers an answer because it reads it first (or second): pairs compared in both orders. */
export function measurePositionPreference(verdicts: readonly OrderedVerdicts[]): PositionPreference {
  if (verdicts.length === 0) throw new RangeError('There are no pairs: at least 1 is needed.')
  const pairs = verdicts.length
  const first = verdicts.filter((verdict) => leanOf(verdict) > 0).length
  const second = verdicts.filter((verdict) => leanOf(verdict) < 0).length
  const inconsistent = first + second
  const all = clopperPearsonInterval(inconsistent, pairs)
  const share = inconsistent === 0 ? { low: 0, high: 1 } : clopperPearsonInterval(first, inconsistent)
  return {
    pairs,
    inconsistent,
    first,
    second,
    ...(inconsistent > 0 && { share: first / inconsistent }),
    low: share.low,
    high: share.high,
    pValue: binomialTest(first, inconsistent),
    inconsistentShare: inconsistent / pairs,
    inconsistentLow: all.low,
    inconsistentHigh: all.high,
  }
}
