import { checkFraction, checkNumbers } from '../numbers/check-arguments.ts'
import { logGamma } from '../numbers/log-gamma.ts'
import { createBets, type Bets } from './bets.ts'

export interface SequentialTestOptions {
  /** The chance of ever deciding although there is no difference. */
  alpha?: number
}

export interface SequentialTest {
  /** After all the differences: how many times a stake against "no difference" has grown. */
  evidence: number
  /** True as soon as the evidence has reached 1/alpha, even if it fell again afterwards. */
  decided: boolean
  /** The number of differences that it took; null if undecided. */
  at: number | null
  /** `a` if the differences (a − b) that decided it are positive on average, `b` if negative; null if undecided. */
  winner: 'a' | 'b' | null
}

const isWhole = (difference: number) => difference === 0 || difference === 1 || difference === -1

const logBeta = (a: number, b: number) => logGamma(a) + logGamma(b) - logGamma(a + b)

/** The logarithm of 2^(k+l)·B(2+k, 2+l)/B(2, 2) for k wins and l losses, which is what `createBets` approximates. */
function createExactBets(): Bets {
  let wins = 0
  let losses = 0
  return {
    add(difference) {
      if (difference > 0) wins++
      if (difference < 0) losses++
    },
    logEvidence: () => (wins + losses) * Math.LN2 + logBeta(2 + wins, 2 + losses) - logBeta(2, 2),
  }
}

/**
 * A paired test that may be looked at after every case: `differences` are score a − score b, from −1 to 1, in an order
 * drawn before the first was known. Bets against "the mean difference is 0" start with a stake of 1 and are fair under
 * that hypothesis, so they ever reach 1/alpha with a chance of at most alpha (Ville's inequality; Waudby-Smith &
 * Ramdas, JRSS B 86, 2024). The bets are spread over all odds by a Beta(2, 2).
 */
export function sequentialTest(
  differences: readonly number[],
  { alpha = 0.05 }: SequentialTestOptions = {},
): SequentialTest {
  checkFraction(alpha, 'alpha')
  if (differences.length > 0) checkNumbers(differences, 'differences')
  const bets = differences.every(isWhole) ? createExactBets() : createBets(0)
  // Rounding must not keep evidence of exactly 1/alpha from deciding.
  const line = -Math.log(alpha) - 1e-12
  let sum = 0
  let at: number | null = null
  let winner: SequentialTest['winner'] = null
  for (const [index, difference] of differences.entries()) {
    bets.add(difference)
    sum += difference
    if (at === null && bets.logEvidence() >= line) {
      at = index + 1
      winner = sum > 0 ? 'a' : 'b'
    }
  }
  return { evidence: Math.exp(bets.logEvidence()), decided: at !== null, at, winner }
}
