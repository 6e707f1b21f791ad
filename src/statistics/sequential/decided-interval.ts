import { confidenceSequence, findEdgeNextToZero } from './confidence-sequence.ts'
import { clipDifference } from '../tests/difference-interval.ts'
import { DECISION_ALPHA, type DecidedPair } from './model-decisions.ts'

interface DecidedIntervalOptions {
  /** The number of pairs that share alpha. */
  pairs: number
  /** The margin of the run, if it has one. */
  sameWithin?: number | undefined
}

function sumUp(values: readonly number[]): number[] {
  let sum = 0
  return values.map((value) => (sum += value))
}

/**
 * The interval of the mean difference of a pair, which excludes 0 exactly if the pair is decided and its mean still has
 * the sign of the decision. It holds for all pairs together, unless the pair was decided at less evidence than that
 * takes, on a lower line: then it has the level of that line and holds for the pair by itself.
 *
 * A mean that was excluded at an earlier look stays excluded: the sequence holds at all looks at once.
 */
export function decidedInterval(
  pair: DecidedPair,
  { pairs, sameWithin = Infinity }: DecidedIntervalOptions,
): [number, number] {
  const [low, high] = findInterval(pair, pairs)
  // What was excluded once stays so: a pair that was within the margin is still, whatever the last cases showed.
  const edge = sameWithin * (1 - 1e-9)
  const isWithin = pair.isSame === true && low < edge && high > -edge
  return isWithin ? [Math.max(low, -edge), Math.min(high, edge)] : [low, high]
}

function findInterval(
  { differences: weighted, weights, logEvidence, winner, modelA, line }: DecidedPair,
  pairs: number,
): [number, number] {
  const differences = weighted.map((difference, index) => clipDifference(difference / weights[index]!))
  const sums = sumUp(weighted)
  const side = winner === undefined ? 0 : winner === modelA ? 1 : -1
  const countUntilLastBeyond = (evidence: number) =>
    logEvidence.findLastIndex((one, index) => one >= Math.log(evidence) - 1e-12 && Math.sign(sums[index]!) === side) + 1

  const lineOfAll = pairs / DECISION_ALPHA
  const evidence = line === undefined || countUntilLastBeyond(lineOfAll) > 0 ? lineOfAll : line
  const alpha = 1 / evidence
  const { low, high } = confidenceSequence(differences, { alpha, weights })
  if (side === 0 || Math.sign(sums.at(-1)!) !== side) return [Math.min(low, 0), Math.max(high, 0)]

  const count = countUntilLastBeyond(evidence)
  const edge = findEdgeNextToZero(differences.slice(0, count), { alpha, weights: weights.slice(0, count) })
  const mean = sums.at(-1)! / weights.reduce((total, weight) => total + weight, 0)
  const near = side * Math.min(Math.abs(edge), Math.abs(mean))
  return side > 0 ? [near, high] : [low, near]
}
