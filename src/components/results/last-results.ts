import { resultsAddress } from './addresses.ts'

/** The results last shown, so that the back link restores the same filters and row. */
let last: { selection: string; search: string } | undefined

export function rememberResults(selection: string, search: string): void {
  last = { selection, search }
}

export function lastResultsAddress(selection: string): string {
  return resultsAddress(selection) + (last?.selection === selection ? last.search : '')
}
