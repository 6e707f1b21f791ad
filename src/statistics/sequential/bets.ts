/** Stakes against one hypothesis about the mean difference. */
export interface Bets {
  add(difference: number): void
  /** The logarithm of what a stake of 1 has become. */
  logEvidence(): number
}

/** Bets at this many odds. More would change the evidence by less than a millionth up to 10,000 cases. */
const ODDS = 500

/**
 * Bets against "the mean difference is `mean`": each of the odds θ in (−1, 1) multiplies its stake by 1 + λ(difference −
 * mean), where λ is θ times the largest bet that cannot lose more than the stake. The stakes follow a Beta(2, 2).
 */
export function createBets(mean: number): Bets {
  const odds = Array.from({ length: ODDS }, (_, index) => (2 * (index + 0.5)) / ODDS - 1)
  const factors = odds.map((theta) => theta / (theta > 0 ? 1 + mean : 1 - mean))
  const total = odds.reduce((sum, theta) => sum + 1 - theta * theta, 0)
  const logStakes = odds.map((theta) => Math.log((1 - theta * theta) / total))
  return {
    add(difference) {
      if (Math.abs(difference) > 1)
        throw new RangeError(`a difference is ${difference}: differences of scores are from −1 to 1.`)
      for (let index = 0; index < ODDS; index++) logStakes[index]! += Math.log1p(factors[index]! * (difference - mean))
    },
    logEvidence() {
      const largest = Math.max(...logStakes)
      return largest + Math.log(logStakes.reduce((sum, stake) => sum + Math.exp(stake - largest), 0))
    },
  }
}
