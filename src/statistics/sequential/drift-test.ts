/** The scores of one run by case, 0 to 1. */
export type RunOfCases = ReadonlyMap<string, number>

export interface DriftTest {
  /** How many runs had earlier scores to be compared with. */
  looks: number
  /** Right at every look at once, however often one looked. */
  p: number
  isDrift: boolean
  /** The run since which the scores differ, as an index; undefined without a drift. */
  since?: number
  /** The mean over the cases of their scores since that run less those before; 0 without a comparison. */
  difference: number
  /** Cases that have scores on both sides. */
  cases: number
}

const ALPHA = 0.05

/** Fewer odds than where two models are compared: here every run has bets of its own. */
const ODDS = 64
const odds = Float64Array.from({ length: ODDS }, (_, index) => (2 * (index + 0.5)) / ODDS - 1)
const totalStake = odds.reduce((sum, theta) => sum + 1 - theta * theta, 0)
const firstStakes = odds.map((theta) => (1 - theta * theta) / totalStake)

/** A stake may shrink to a hundredth with one case: more would not fit into a number. */
const CASES_PER_LOG = 100

/** What each of the odds made of its stake in one run, as a logarithm. */
function betOnRun(run: RunOfCases, earlier: ReadonlyMap<string, { sum: number; count: number }>) {
  const logs = new Float64Array(odds.length)
  const products = new Float64Array(odds.length).fill(1)
  let isPairwise = false
  let bets = 0
  const takeLogs = () => {
    for (let bet = 0; bet < odds.length; bet++) logs[bet]! += Math.log(products[bet]!)
    products.fill(1)
  }
  for (const [id, score] of run) {
    const before = earlier.get(id)
    if (!before) continue
    isPairwise = true
    const difference = score - before.sum / before.count
    if (difference === 0) continue
    for (let bet = 0; bet < odds.length; bet++) products[bet]! *= 1 + odds[bet]! * difference
    if (++bets % CASES_PER_LOG === 0) takeLogs()
  }
  takeLogs()
  return { logs, isPairwise }
}

/** The logarithm of what stakes spread over all odds have become. */
function sumStakes(logs: Float64Array): number {
  let largest = -Infinity
  for (const log of logs) largest = Math.max(largest, log)
  let sum = 0
  for (let bet = 0; bet < logs.length; bet++) sum += firstStakes[bet]! * Math.exp(logs[bet]! - largest)
  return largest + Math.log(sum)
}

function compareSides(runs: readonly RunOfCases[], since: number): Pick<DriftTest, 'difference' | 'cases'> {
  const means = [runs.slice(0, since), runs.slice(since)].map((side) => {
    const sums = new Map<string, { sum: number; count: number }>()
    for (const run of side) addRun(sums, run)
    return sums
  })
  let total = 0
  let cases = 0
  for (const [id, { sum, count }] of means[1]!) {
    const before = means[0]!.get(id)
    if (!before) continue
    total += sum / count - before.sum / before.count
    cases++
  }
  return { difference: cases === 0 ? 0 : total / cases, cases }
}

function addRun(sums: Map<string, { sum: number; count: number }>, run: RunOfCases): void {
  for (const [id, score] of run) {
    const before = sums.get(id) ?? { sum: 0, count: 0 }
    sums.set(id, { sum: before.sum + score, count: before.count + 1 })
  }
}

/** Among equally likely runs the latest: those before it did not differ. */
function latestOf(evidence: number[], largest: number, started: readonly { since: number }[]): number {
  return started[evidence.findLastIndex((one) => one >= largest - 1e-9)]!.since
}

/**
 * Tests whether the scores of a model on the same cases have changed over its runs, oldest first, after every run.
 *
 * Without a drift the scores of a case are as likely in any order. So, given the scores of a case so far in no order,
 * the latest less the mean of the earlier ones is 0 on average, and bets on it are fair; the cases are independent. The
 * product of the bets from run j on is an e-value for "changed at run j", and so is their mean over all j. Fixed base
 * runs would not do: their luck is in every later comparison, and whoever looks often enough would find it.
 *
 * At look t the evidence must reach t(t + 1)/alpha. By Markov's inequality that happens without a drift with a chance
 * of at most alpha/(t(t + 1)), and these add up to alpha over all looks.
 */
export function driftTest(runs: readonly RunOfCases[], { alpha = ALPHA }: { alpha?: number } = {}): DriftTest {
  const earlier = new Map<string, { sum: number; count: number }>()
  /** For each run that was compared: what the bets that began with it have become. */
  const started: { since: number; logs: Float64Array }[] = []
  let best: { p: number; since: number } | undefined
  for (const [index, run] of runs.entries()) {
    const { logs, isPairwise } = betOnRun(run, earlier)
    addRun(earlier, run)
    if (!isPairwise) continue
    started.push({ since: index, logs: new Float64Array(odds.length) })
    const evidence = started.map((start) => {
      for (let bet = 0; bet < logs.length; bet++) start.logs[bet]! += logs[bet]!
      return sumStakes(start.logs)
    })
    const looks = started.length
    const largest = Math.max(...evidence)
    const mean = largest + Math.log(evidence.reduce((sum, one) => sum + Math.exp(one - largest), 0) / looks)
    const p = Math.min(1, Math.exp(Math.log(looks * (looks + 1)) - mean))
    if (!best || p < best.p) best = { p, since: latestOf(evidence, largest, started) }
  }
  if (!best) return { looks: 0, p: 1, isDrift: false, difference: 0, cases: 0 }
  const sides = compareSides(runs, best.since)
  // A drift that later runs undid on average is not shown.
  const isDrift = best.p <= alpha && sides.difference !== 0
  return { looks: started.length, p: best.p, isDrift, ...(isDrift && { since: best.since }), ...sides }
}
