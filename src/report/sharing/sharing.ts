import { readRunPrompts, type Prompts } from '../model/contestants/templates.ts'
import { hashSuite } from '../model/suite-hash.ts'
import { hideModels, type HiddenRuns } from './hide-models.ts'
import { omitTexts } from './omit-texts.ts'
import type { SharedRuns } from './name-models.ts'

/** What a report that is passed on leaves out. */
export interface SharingOptions {
  /** `Model A`, `Model B`, … instead of names. */
  isAnonymous?: boolean | undefined
  /** No prompts, answers, expected outputs and explanations. */
  isWithoutTexts?: boolean | undefined
}

/** What is left out, and the hash of the suite as it was asked: afterwards it can no longer be computed. */
function keepFacts({ runs, ...rest }: SharedRuns, { isAnonymous, isWithoutTexts }: SharingOptions): SharedRuns {
  const leftOut = [
    ...(isAnonymous ? ['names of models, costs and times'] : []),
    ...(isWithoutTexts ? ['prompts, answers and explanations'] : []),
  ].join('; ')
  return {
    ...rest,
    runs: runs.map((run) => {
      const { testSuiteSnapshot: suite, versions } = run
      const suiteHash = versions?.['suiteHash'] ?? (suite && hashSuite(suite))
      return { ...run, versions: { ...versions, leftOut, ...(suiteHash !== undefined && { suiteHash }) } }
    }),
  }
}

/** Runs as they may be passed on. Reports, charts and files are then built from them as from any others. */
export function prepareForSharing(
  shared: SharedRuns,
  { isAnonymous, isWithoutTexts }: SharingOptions,
): HiddenRuns & { prompts: Prompts } {
  const same = { nameOf: (id: string) => id, rename: (text: string) => text, caseOf: (id: string) => id }
  // Read before texts are left out; reports are built with them and do not contain them.
  const prompts = readRunPrompts(shared.runs)
  if (!isAnonymous && !isWithoutTexts) return { ...shared, ...same, prompts }
  const kept = keepFacts(shared, { isAnonymous, isWithoutTexts })
  const stripped = isWithoutTexts ? omitTexts(kept) : kept
  const hidden = isAnonymous ? hideModels(stripped) : { ...stripped, ...same }
  return { ...hidden, prompts: new Map(Array.from(prompts, ([id, prompt]) => [hidden.caseOf(id), prompt])) }
}
