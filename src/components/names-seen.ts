export const NAMES_SEEN_KEY = 'benchmaker-code-arena-names-seen'

/** Far more runs than anyone votes on; the oldest are forgotten first. */
const MOST_RUNS = 5000

/** If storage is disabled, everything applies until the page is closed. */
let kept = ''

/** The runs whose models this browser has named, in the order in which it did. */
export function readRunsWithSeenNames(): string[] {
  try {
    return (localStorage.getItem(NAMES_SEEN_KEY) ?? kept).split(' ').filter(Boolean)
  } catch {
    return kept.split(' ').filter(Boolean)
  }
}

export function writeRunsWithSeenNames(runIds: readonly string[]): void {
  kept = runIds.slice(-MOST_RUNS).join(' ')
  try {
    localStorage.setItem(NAMES_SEEN_KEY, kept)
  } catch {
    // Full or disabled, see above.
  }
}
