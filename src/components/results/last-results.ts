import { resultsAddress } from './addresses.ts'

/** How the results were last looked at, so that the way back leads to the same filters and row. */
let last: { selection: string; search: string } | undefined

export function rememberResults(selection: string, search: string): void {
  last = { selection, search }
}

export function lastResultsAddress(selection: string): string {
  return resultsAddress(selection) + (last?.selection === selection ? last.search : '')
}
