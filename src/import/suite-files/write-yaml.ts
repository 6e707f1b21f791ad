import { stringify } from 'yaml'
import type { Suite } from '../../contract/index.ts'
import { escapeSuiteVariables } from './variables.ts'

/** Writes a suite that reads back the same: braces that came from values are escaped. */
export function writeSuiteYaml(suite: Suite): string {
  return stringify(escapeSuiteVariables(suite), { lineWidth: 0 })
}

/** The same, as JSON. */
export function writeSuiteJson(suite: Suite): string {
  return `${JSON.stringify(escapeSuiteVariables(suite), null, 2)}\n`
}
