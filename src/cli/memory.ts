import { statSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

/** From here on memory is worth a little time. */
const MANY_CELLS = 3000
const LARGE_FILE = 300_000

/**
 * The room for new objects begins small and would grow, while the program is loaded, to what it never gives back. Until it is
 * known how much there is to do it stays as it is.
 */
export function beginSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * A call leaves 60 KB of garbage. By itself Node would let it pile up to hundreds of megabytes, of which a tenth is in use;
 * to look sooner costs a tenth of a millisecond a call.
 */
function collectGarbageSooner(): void {
  beginSmall()
  // Percent that all other room may grow from one collection to the next, and that in steps of 2 MB instead of 8.
  setFlagsFromString('--heap-growing-percent=10')
  setFlagsFromString('--optimize-for-size')
}

/** Reading a large suite takes most of the memory there is before the first call. */
export function prepareToRead(suiteFile: string): void {
  if ((statSync(suiteFile, { throwIfNoEntry: false })?.size ?? 0) > LARGE_FILE) collectGarbageSooner()
}

export function prepareToAsk(cells: number): void {
  if (cells > MANY_CELLS) collectGarbageSooner()
  else setFlagsFromString('--semi-space-growth-factor=2')
}
