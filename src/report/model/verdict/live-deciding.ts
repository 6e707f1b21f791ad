import type { LiveDeciding } from '../../../contract/index.ts'
import type { DecidedPair, ModelDecisions } from '../../../statistics/index.ts'

/** More lines than this cannot be told apart. */
const MAX_PAIRS = 6
/** An update is sent several times a second. */
const MAX_POINTS = 60

const lastOf = ({ logEvidence }: DecidedPair) => logEvidence.at(-1) ?? 0

/** Pairs in question first, those with the most evidence before the others; then the pairs decided last. */
function compareInterest(a: RankedPair, b: RankedPair): number {
  return a.rank - b.rank || (b.pair.at ?? 0) - (a.pair.at ?? 0) || lastOf(b.pair) - lastOf(a.pair)
}

interface RankedPair {
  pair: DecidedPair
  /** 0 in question, 1 decided, 2 left open. */
  rank: number
}

/** Evenly chosen points with the first and the last; a line needs no more than there are pixels. */
function sampleEvidence({ after, logEvidence }: DecidedPair): [number, number][] {
  const last = after.length - 1
  const chosen =
    after.length <= MAX_POINTS
      ? after.keys()
      : Array.from({ length: MAX_POINTS }, (_, index) => Math.round((index * last) / (MAX_POINTS - 1)))
  // JSON has no infinity.
  return Array.from(chosen, (index) => [after[index]!, Math.min(Math.exp(logEvidence[index]!), Number.MAX_VALUE)])
}

/** What a screen shows of a run that decides while it runs. */
export function makeLiveDeciding(decisions: ModelDecisions, caseCount: number): LiveDeciding {
  const { pairs, cases, line, isSettled, dropped, asked } = decisions
  const rankOf = ({ winner, isSame, modelA, modelB }: DecidedPair) =>
    winner !== undefined || isSame ? 1 : asked.has(modelA) && asked.has(modelB) ? 0 : 2
  const ranked = pairs.map((pair): RankedPair => ({ pair, rank: rankOf(pair) })).toSorted(compareInterest)
  return {
    cases,
    caseCount,
    line,
    decided: pairs.filter(({ winner, isSame }) => winner !== undefined || isSame).length,
    pairCount: pairs.length,
    isSettled,
    pairs: ranked.slice(0, MAX_PAIRS).map(({ pair, rank }) => {
      const { modelA, modelB, winner, isSame, at } = pair
      return {
        modelA,
        modelB,
        ...(winner !== undefined && { winner }),
        ...(isSame && { isSame }),
        ...(at !== undefined && { at }),
        ...(rank === 2 && { isLeftOpen: true }),
        points: sampleEvidence(pair),
      }
    }),
    dropped: [...dropped],
  }
}
