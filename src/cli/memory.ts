import { existsSync, statSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

/** From here on memory is worth a little time. */
const MANY_CELLS = 3000
const LARGE_FILE = 300_000

function isLarge(file: string): boolean {
  return existsSync(file) && statSync(file).size > LARGE_FILE
}

/** The room for new objects begins small and would grow, while the program is loaded, to what it never gives back. */
function keepRoomSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** Before anything else is loaded, when a large suite may be asked for: it stays small until that is known. */
export function prepareToLoad([command, ...args]: string[]): void {
  if (command === 'resume' || (command === 'run' && args.some(isLarge))) keepRoomSmall()
}

/**
 * A call leaves 60 KB of garbage. By itself Node would let it pile up to hundreds of megabytes, of which a tenth is in use;
 * to look sooner costs a tenth of a millisecond a call.
 */
function collectGarbageSooner(): void {
  keepRoomSmall()
  // Percent that all other room may grow from one collection to the next, and that in steps of 2 MB instead of 8.
  setFlagsFromString('--heap-growing-percent=10')
  setFlagsFromString('--optimize-for-size')
}

/** Reading a large suite takes most of the memory there is before the first call. */
export function prepareToRead(suiteFile: string): void {
  if (isLarge(suiteFile)) collectGarbageSooner()
}

export function prepareToAsk(cells: number): void {
  if (cells > MANY_CELLS) collectGarbageSooner()
  else setFlagsFromString('--semi-space-growth-factor=2')
}
