import type { z } from 'zod'
import {
  completeParameters,
  InputError,
  givenParametersSchema,
  type ModelParameters,
  type Suite,
  type suiteSchema,
} from '../../contract/index.ts'
import type { Scorer } from '../../scoring/index.ts'
import { finishSuite, type FinishedSuite } from './finish-suite.ts'
import { escapeSuiteVariables } from './variables.ts'

/** A suite as written in code: weights are optional, and `{{variables}}` are not filled yet. */
export type SuiteInput = z.input<typeof suiteSchema>

/** Cases read from a file: their variables are filled already, so `{{…}}` in them means literal braces. */
const loadedCases = new WeakSet<object>()

export function rememberLoaded<T extends FinishedSuite>(loaded: T): T {
  for (const testCase of loaded.suite.testCases) loadedCases.add(testCase)
  return loaded
}

function isLoaded({ testCases }: SuiteInput): boolean {
  return Array.isArray(testCases) && testCases.every((testCase) => loadedCases.has(testCase))
}

/** Names the case by its id, as there is no line to name. */
function locateIn({ testCases }: SuiteInput): (path: readonly PropertyKey[]) => string {
  return ([field, index]) => {
    if (field !== 'testCases' || typeof index !== 'number') return 'the suite'
    const id: unknown = testCases[index]?.id
    return typeof id === 'string' ? `test case ${JSON.stringify(id)}` : `test case ${index + 1}`
  }
}

/** What `loadSuite` returned, or the suite itself. */
export type GivenSuite = SuiteInput | FinishedSuite

function isLoadResult(given: GivenSuite): given is FinishedSuite {
  return !('testCases' in given) && 'suite' in given && 'warnings' in given
}

/** Fills and checks a suite from code as if it came from a file; one that was loaded from a file is only checked. */
export function checkGivenSuite(asGiven: GivenSuite, scorers?: readonly Scorer[]): Suite {
  const given = isLoadResult(asGiven) ? asGiven.suite : asGiven
  return finishSuite(isLoaded(given) ? escapeSuiteVariables(given) : given, locateIn(given), scorers).suite
}

/** Checks the parameters and adds defaults for those left out. */
export function checkGivenParameters(given: Partial<ModelParameters> = {}): ModelParameters {
  const names = Object.keys(givenParametersSchema.shape)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new InputError(`parameters.${unknown}: there is no such parameter; there are ${names.join(', ')}`)
  const parsed = givenParametersSchema.safeParse(given)
  if (parsed.success) return completeParameters(parsed.data)
  throw new InputError(
    parsed.error.issues.map(({ path, message }) => `parameters.${path.join('.')}: ${message}`).join('\n'),
  )
}
