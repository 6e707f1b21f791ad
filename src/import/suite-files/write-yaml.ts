import { stringify } from 'yaml'
import type { Suite } from '../../contract/index.ts'
import { escapeSuiteVariables } from './variables.ts'

/** A suite as a file that is read back as the same suite: braces that came from values are escaped. */
export function formatSuiteYaml(suite: Suite): string {
  return stringify(escapeSuiteVariables(suite), { lineWidth: 0 })
}

/** The same as JSON. */
export function formatSuiteJson(suite: Suite): string {
  return `${JSON.stringify(escapeSuiteVariables(suite), null, 2)}\n`
}
