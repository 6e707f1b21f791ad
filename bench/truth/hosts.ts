/**
 * How often a worse host of a model is found, and how often a host that serves the same model is called worse or better:
 * both answer the same cases, and mostly give the same answers.
 */
import { createRandom, testEquivalence } from '../../src/statistics/index.ts'

export interface HostSetting {
  /** Calls to the host in question, one for each case; the reference answers the same cases. */
  calls: number
  /** The share of cases that the reference passes. */
  rate: number
  /** The share of answers that come out by chance, at either host: a temperature above 0, another order of sums. */
  chance: number
  /** By how many points the host is worse, 0 to 1. */
  drop: number
  replications: number
}

/** How likely k of n are, each with this chance, for every k. */
function binomial(n: number, chance: number): number[] {
  const shares = [1]
  for (let draw = 0; draw < n; draw++)
    for (let k = draw + 1; k >= 0; k--)
      shares[k] = (shares[k] ?? 0) * (1 - chance) + (k > 0 ? shares[k - 1]! * chance : 0)
  return shares
}

/** The power of the sign test of `pairs` that differ, drawn so that its level is 5 % exactly, if each is a loss with this chance. */
function signTestPower(pairs: number, loss: number): number {
  const [equal, real] = [binomial(pairs, 0.5), binomial(pairs, loss)]
  let [level, power] = [0, 0]
  for (let k = 0; 2 * k <= pairs; k++) {
    const ends = 2 * k === pairs ? [k] : [k, pairs - k]
    const sum = (of: number[]) => ends.reduce((total, end) => total + of[end]!, 0)
    const share = Math.min(1, (0.05 - level) / sum(equal))
    level += share * sum(equal)
    power += share * sum(real)
    if (share < 1) break
  }
  return power
}

/**
 * How often the best test there can be finds the drop: of all that are right in 5 % and take no side, McNemar's exact one with a
 * drawn border is the most powerful (Lehmann and Romano, Testing Statistical Hypotheses, 2005, section 4.5).
 */
export function bestPower({ calls, rate, chance, drop }: Omit<HostSetting, 'replications'>): number {
  let [lost, won] = [0, 0]
  for (const [known, share] of [
    [1, rate],
    [0, 1 - rate],
  ] as const) {
    const reference = (1 - chance) * known + chance * rate
    const host = reference * (1 - drop / rate)
    lost += share * reference * (1 - host)
    won += share * (1 - reference) * host
  }
  return binomial(calls, lost + won).reduce(
    (sum, share, pairs) => (share < 1e-9 ? sum : sum + share * signTestPower(pairs, lost / (lost + won))),
    0,
  )
}

export interface HostRates {
  /** Called worse. */
  worse: number
  /** Called better. */
  better: number
  /** Called practically the same within 3 points. */
  same: number
}

const MARGIN = 0.03

export function measureHosts({ calls, rate, chance, drop, replications }: HostSetting): HostRates {
  const random = createRandom(`hosts ${calls} ${rate} ${chance} ${drop}`)
  const counts = { worse: 0, better: 0, same: 0 }
  for (let i = 0; i < replications; i++) {
    const differences = Array.from({ length: calls }, () => {
      const draw = () => (random() < rate ? 1 : 0)
      const known = draw()
      const answer = () => (random() < chance ? draw() : known)
      const [reference, host] = [answer(), answer()]
      return (host === 1 && random() < drop / rate ? 0 : host) - reference
    })
    const { verdict } = testEquivalence(differences, { margin: MARGIN, isPassFail: true })
    if (verdict.startsWith('worse')) counts.worse++
    if (verdict.startsWith('better')) counts.better++
    if (verdict === 'practically the same') counts.same++
  }
  return {
    worse: counts.worse / replications,
    better: counts.better / replications,
    same: counts.same / replications,
  }
}
