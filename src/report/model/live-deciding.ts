import type { LiveDeciding } from '../../contract/index.ts'
import type { DecidedPair, ModelDecisions } from '../../statistics/index.ts'

/** More lines than this cannot be told apart. */
const MAX_PAIRS = 6
/** An update is sent several times a second. */
const MAX_POINTS = 60

const lastOf = ({ logEvidence }: DecidedPair) => logEvidence.at(-1) ?? 0

/** Undecided pairs first, those with the most evidence before the others; then the pairs decided last. */
function compareInterest(a: DecidedPair, b: DecidedPair): number {
  if (a.at === undefined || b.at === undefined)
    return a.at === b.at ? lastOf(b) - lastOf(a) : a.at === undefined ? -1 : 1
  return b.at - a.at
}

/** Evenly chosen points with the first and the last; a line needs no more than there are pixels. */
function sampleEvidence({ counted, logEvidence }: DecidedPair): [number, number][] {
  const last = counted.length - 1
  const chosen =
    counted.length <= MAX_POINTS
      ? counted.keys()
      : Array.from({ length: MAX_POINTS }, (_, index) => Math.round((index * last) / (MAX_POINTS - 1)))
  // JSON has no infinity.
  return Array.from(chosen, (index) => [counted[index]!, Math.min(Math.exp(logEvidence[index]!), Number.MAX_VALUE)])
}

/** What a screen shows of a run that decides while it runs. */
export function describeLiveDeciding(decisions: ModelDecisions, caseCount: number): LiveDeciding {
  const { pairs, cases, line, isSettled, dropped } = decisions
  return {
    cases,
    caseCount,
    line,
    decided: pairs.filter(({ winner }) => winner !== undefined).length,
    pairCount: pairs.length,
    isSettled,
    pairs: pairs
      .toSorted(compareInterest)
      .slice(0, MAX_PAIRS)
      .map(({ modelA, modelB, winner, at, ...pair }) => ({
        modelA,
        modelB,
        ...(winner !== undefined && { winner }),
        ...(at !== undefined && { at }),
        points: sampleEvidence({ modelA, modelB, ...pair }),
      })),
    dropped: [...dropped],
  }
}
