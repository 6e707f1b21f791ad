/** The methodology's guidance (section 9) on how often to run, by how a suite is scored. */
export const RUNS_NEEDED = { judged: '3-5', others: '1' }

const inWords = (runsNeeded: string) => runsNeeded.replace('-', ' to ')

const WHY_SEVERAL = 'because judge scores vary'

/** For one suite. */
export function describeRunsNeeded(runsNeeded: string): string {
  if (runsNeeded === RUNS_NEEDED.others)
    return `Runs needed for this suite: ${RUNS_NEEDED.others}. Its scoring is exact; more runs show how much the models vary.`
  return `Runs needed for this suite: ${inWords(runsNeeded)}, ${WHY_SEVERAL}.`
}
