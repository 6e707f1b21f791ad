/** Stakes against one hypothesis about the mean difference. */
export interface Bets {
  /** Of a case, or cluster of cases, with this share of the largest weight: the difference times that share. */
  add(difference: number, weight?: number): void
  /** The logarithm of what a stake of 1 has become. */
  logEvidence(): number
}

/** Bets at this many odds. More would change the evidence by less than a millionth up to 10,000 cases. */
const ODDS = 500

const odds = Float64Array.from({ length: ODDS }, (_, index) => (2 * (index + 0.5)) / ODDS - 1)
const totalStake = odds.reduce((sum, theta) => sum + 1 - theta * theta, 0)
const firstStakes = odds.map((theta) => (1 - theta * theta) / totalStake)

/** Outside these, numbers are replaced by their logarithms: one bet multiplies a stake by 0.002 to 2. */
const SMALLEST = 1e-290
const LARGEST = 1e290

/** How much of a difference each of the odds bets on: θ times the largest bet that cannot lose more than the stake. */
function scaleBets(mean: number): Float64Array {
  return odds.map((theta) => theta / (theta > 0 ? 1 + mean : 1 - mean))
}

export function checkDifference(difference: number): void {
  if (!(Math.abs(difference) <= 1))
    throw new RangeError(`a difference is ${difference}: differences of scores are from −1 to 1.`)
}

/**
 * Bets against "the mean difference is `mean`": each of the odds θ in (−1, 1) multiplies its stake by 1 + λ(difference −
 * mean), where λ is θ times the largest bet that cannot lose more than the stake. The stakes follow a Beta(2, 2).
 */
export function createBets(mean: number): Bets {
  const factors = scaleBets(mean)
  const stakes = firstStakes.slice()
  let total = 1
  let logUnit = 0
  return {
    add(difference, weight = 1) {
      checkDifference(difference)
      const ahead = difference - weight * mean
      total = 0
      for (let index = 0; index < ODDS; index++) total += stakes[index]! *= 1 + factors[index]! * ahead
      if (total > SMALLEST ** 0.5 && total < LARGEST ** 0.5) return
      for (let index = 0; index < ODDS; index++) stakes[index]! /= total
      logUnit += Math.log(total)
      total = 1
    },
    logEvidence: () => logUnit + Math.log(total),
  }
}

/**
 * What `createBets` arrives at after all the differences, here not yet multiplied by their weights. Weights, from 0 to 1,
 * shrink the bets on a case: then the hypothesis is about the weighted mean.
 */
export function logEvidenceAgainst(
  mean: number,
  differences: ArrayLike<number>,
  weights?: ArrayLike<number> | undefined,
): number {
  const factors = scaleBets(mean)
  const logStakes = firstStakes.map((stake) => Math.log(stake))
  for (let bet = 0; bet < ODDS; bet++) {
    const factor = factors[bet]!
    let product = 1
    for (let index = 0; index < differences.length; index++) {
      product *= 1 + factor * (weights?.[index] ?? 1) * (differences[index]! - mean)
      if (product > SMALLEST && product < LARGEST) continue
      logStakes[bet]! += Math.log(product)
      product = 1
    }
    logStakes[bet]! += Math.log(product)
  }
  const largest = logStakes.reduce((most, stake) => Math.max(most, stake), -Infinity)
  return largest + Math.log(logStakes.reduce((sum, stake) => sum + Math.exp(stake - largest), 0))
}

const isWhole = (difference: number) => difference === 0 || difference === 1 || difference === -1

/**
 * The bets of `sequentialTest`, one difference at a time. While all differences are −1, 0 or 1, the evidence is exactly
 * 2^(k+l)·B(2+k, 2+l)/B(2, 2) for k wins and l losses, which is what `createBets` approximates from then on.
 */
export function createRunningTest(): Bets {
  let wins = 0
  let losses = 0
  let logEvidence = 0
  let graded: Bets | undefined
  const switchToGraded = () => {
    const bets = createBets(0)
    for (let index = 0; index < wins; index++) bets.add(1)
    for (let index = 0; index < losses; index++) bets.add(-1)
    return bets
  }
  return {
    add(difference) {
      if (!graded && !isWhole(difference)) graded = switchToGraded()
      if (graded) return graded.add(difference)
      if (difference === 0) return
      // The quotient of the formula for one more win, or one more loss, to the formula before it.
      const same = difference > 0 ? wins++ : losses++
      logEvidence += Math.log((2 * (2 + same)) / (3 + wins + losses))
    },
    logEvidence: () => (graded ? graded.logEvidence() : logEvidence),
  }
}
