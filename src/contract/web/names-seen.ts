/** Tells the server which runs' models this browser has been named already: it keeps the names of the others until the vote. */
export const NAMES_SEEN_HEADER = 'x-benchmaker-names-seen'

/** Servers refuse longer headers; the last runs count. */
const MOST_LETTERS = 6000

export function writeSeenNames(runIds: readonly string[]): string {
  let written = ''
  for (const id of runIds.toReversed()) {
    const longer = written === '' ? encodeURIComponent(id) : `${encodeURIComponent(id)} ${written}`
    if (longer.length > MOST_LETTERS) break
    written = longer
  }
  return written
}

export function readSeenNames(header: string | undefined): (runId: string) => boolean {
  const seen = new Set(header?.split(' '))
  return (runId) => seen.has(encodeURIComponent(runId))
}
