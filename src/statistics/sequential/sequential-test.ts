import { checkFraction, checkNumbers } from '../numbers/check-arguments.ts'
import { createRunningTest } from './bets.ts'

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

/** The logarithm of the evidence that decides. Rounding must not keep evidence of exactly 1/alpha from deciding. */
function logLine(alpha: number): number {
  return -Math.log(alpha) - 1e-12
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
  const bets = createRunningTest()
  const line = logLine(alpha)
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
