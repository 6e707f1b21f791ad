import { createBets, type Bets } from './bets.ts'

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
