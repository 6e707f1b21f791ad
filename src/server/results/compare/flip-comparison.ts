import type { ModelComparison, PairedComparison } from '../../../statistics/index.ts'

type Interval = [number, number]

const flipInterval = ([low, high]: Interval): Interval => [-high, -low]

function flipPaired(paired: PairedComparison): PairedComparison {
  return {
    ...paired,
    meanDiff: -paired.meanDiff,
    tStatistic: -paired.tStatistic,
    confidence95: flipInterval(paired.confidence95),
    wins: paired.losses,
    losses: paired.wins,
    effectSize: -paired.effectSize,
  }
}

/** The same comparison from the other side: B against A. Nothing is recomputed; only signs and sides change. */
export function flipComparison(comparison: ModelComparison): ModelComparison {
  const { modelA, modelB, meanA, meanB, scoreDiff, tStatistic, effectSize, welch, paired } = comparison
  return {
    ...comparison,
    modelA: modelB,
    modelB: modelA,
    meanA: meanB,
    meanB: meanA,
    scoreDiff: -scoreDiff,
    tStatistic: -tStatistic,
    effectSize: -effectSize,
    welch: { ...welch, tStatistic: -welch.tStatistic, confidence95: flipInterval(welch.confidence95) },
    ...(paired && { paired: flipPaired(paired) }),
  }
}
