import { hashSuite } from '../model/suite-hash.ts'
import { hideModels, type HiddenRuns, type SharedRuns } from './hide-models.ts'
import { leaveOutTexts } from './leave-out-texts.ts'

/** What a report that is passed on leaves out. */
export interface SharingOptions {
  /** `Model A`, `Model B`, … instead of names. */
  isAnonymous?: boolean | undefined
  /** No prompts, answers, expected outputs and explanations. */
  isWithoutTexts?: boolean | undefined
}

/** The hash of the suite as it was asked: afterwards it can no longer be computed. */
function keepSuiteHash({ runs, ...rest }: SharedRuns): SharedRuns {
  return {
    ...rest,
    runs: runs.map((run) => {
      const { testSuiteSnapshot: suite, versions } = run
      return suite ? { ...run, versions: { ...versions, suiteHash: versions?.['suiteHash'] ?? hashSuite(suite) } } : run
    }),
  }
}

/** Runs as they may be passed on. Reports, charts and files are then built from them as from any others. */
export function prepareForSharing(shared: SharedRuns, { isAnonymous, isWithoutTexts }: SharingOptions): HiddenRuns {
  const same = { nameOf: (id: string) => id, caseOf: (id: string) => id }
  if (!isAnonymous && !isWithoutTexts) return { ...shared, ...same }
  const hashed = keepSuiteHash(shared)
  const stripped = isWithoutTexts ? leaveOutTexts(hashed) : hashed
  return isAnonymous ? hideModels(stripped) : { ...stripped, ...same }
}
