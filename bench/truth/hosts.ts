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
