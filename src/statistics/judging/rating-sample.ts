import { clamp } from '../../contract/index.ts'
import { relativeWeights } from '../numbers/relative-weights.ts'
import { sameScoreTolerance } from '../numbers/weighted-moments.ts'

/** With fewer ratings, the normal approximation is too narrow, and how far the judge can be used is not known. */
export const FEWEST_RATINGS = 30

const sum = (values: ArrayLike<number>) => Array.prototype.reduce.call(values, (a, b) => Number(a) + b, 0) as number

/** Values with the weights of their cases; only the ratios of weights matter. */
export class RatingSample {
  readonly values: readonly number[]
  readonly weights: Float64Array
  readonly mean: number
  /** The number of equally weighted values that are worth as much (Kish). */
  readonly size: number

  constructor(values: readonly number[], weights?: ArrayLike<number>) {
    this.values = values
    this.weights = relativeWeights(values.length, weights)
    const total = sum(this.weights)
    this.mean = sum(values.map((value, index) => value * this.weights[index]!)) / total
    this.size = total ** 2 / sum(this.weights.map((weight) => weight ** 2))
  }

  /** The mean of the products of deviations, by n; with weights, n times its value estimates that of the means. */
  covariance(other: RatingSample): number {
    const squares = this.weights.map((weight) => weight ** 2)
    const products = this.values.map(
      (value, index) => squares[index]! * (value - this.mean) * (other.values[index]! - other.mean),
    )
    return sum(products) / sum(squares)
  }

  get variance(): number {
    return this.covariance(this)
  }

  get isConstant(): boolean {
    return this.values.every((value) => Math.abs(value - this.values[0]!) <= sameScoreTolerance)
  }

  /** Of the mean: the third moment of the values about it, without the bias of few values, divided by n². */
  get thirdMoment(): number {
    const total = sum(this.weights)
    const cubes = this.values.map((value, index) => (this.weights[index]! * (value - this.mean)) ** 3)
    const bias = this.size > 2 ? this.size ** 2 / ((this.size - 1) * (this.size - 2)) : 1
    return (sum(cubes) / total ** 3) * bias
  }
}

/**
 * How far the judge's values are used, 0 to 1 (PPI++): the covariance by n, the variance of all of the judge's values
 * by n + N − 1. Without unrated values they are of no use.
 */
export function findLambda({
  human,
  judge,
  all,
  others,
}: {
  human: RatingSample
  judge: RatingSample
  /** The judge's values, rated or not. */
  all: RatingSample
  others: RatingSample | undefined
}): number {
  const spread = (all.variance * all.size) / (all.size - 1)
  if (!others || spread < 1e-12) return 0
  return clamp(human.covariance(judge) / ((1 + human.size / others.size) * spread))
}
