import { checkAtLeast, checkWhole } from '../numbers/check-arguments.ts'
import { pairsNeeded, powerOfPairedTest, type PowerInput } from './power.ts'

export interface PlanInput {
  difference: number
  caseVariance: number
  /** Null if unknown, because every case ran only once. */
  runVariance: number | null
  cases: number
  runs: number
  power?: number
  alpha?: number
  panel?: PowerInput['panel']
}

export interface SampleSizePlan {
  moreCases: number
  moreRuns: number | null
  runsCannotHelp: boolean
}

/**
 * How many more cases, or how many more runs of the same cases, would detect the difference with the given power.
 *
 * The difference on a case varies by caseVariance between cases and by runVariance/runs from run to run, so
 * Var(mean) = (caseVariance + runVariance/runs)/cases (as in Miller, Adding Error Bars to Evals, 2024): more runs
 * only shrink the second term.
 */
export function planForDifference(input: PlanInput): SampleSizePlan {
  const { difference, caseVariance, runVariance, cases, runs, power = 0.8, alpha = 0.05, panel } = input
  const stdDev = Math.sqrt(caseVariance + (runVariance ?? 0) / runs)
  const runsPlan = planMoreRuns(input)
  const needed = pairsNeeded({ difference, stdDev, power, alpha, panel })
  return { moreCases: Math.max(0, needed - cases), ...runsPlan }
}

/** The part about runs alone: much quicker than to find the number of cases. */
export function planMoreRuns(input: PlanInput): Pick<SampleSizePlan, 'moreRuns' | 'runsCannotHelp'> {
  const { difference, caseVariance, runVariance, cases, runs, power = 0.8, alpha = 0.05, panel } = input
  checkAtLeast(caseVariance, 0, 'caseVariance')
  if (runVariance !== null) checkAtLeast(runVariance, 0, 'runVariance')
  checkWhole(cases, 1, 'cases')
  checkWhole(runs, 1, 'runs')

  const stdDevAt = (runCount: number) => Math.sqrt(caseVariance + (runVariance ?? 0) / runCount)
  if (runVariance === null) return { moreRuns: null, runsCannotHelp: false }

  // A t test needs two cases, whatever the number of runs.
  const reaches = (runCount: number) =>
    cases >= 2 && powerOfPairedTest({ difference, stdDev: stdDevAt(runCount), n: cases, alpha, panel }) >= power
  const runsNeeded = reaches(Infinity) ? findSmallest(runs, reaches) : null
  const moreRuns = runsNeeded === null ? null : runsNeeded - runs
  return { moreRuns, runsCannotHelp: moreRuns === null }
}

/** The smallest number from `start` that is enough, if all larger numbers are enough too; null if it is too large. */
function findSmallest(start: number, isEnough: (count: number) => boolean): number | null {
  if (isEnough(start)) return start
  let tooFew = start
  let enough = start * 2
  while (!isEnough(enough)) {
    tooFew = enough
    enough *= 2
    if (enough > Number.MAX_SAFE_INTEGER) return null
  }
  while (enough - tooFew > 1) {
    const middle = Math.floor((enough + tooFew) / 2)
    if (isEnough(middle)) enough = middle
    else tooFew = middle
  }
  return enough
}
