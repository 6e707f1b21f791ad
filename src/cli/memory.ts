import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** From here on memory is worth a little time. */
const MANY_CELLS = 3000

let isMuchExpected = false

/** The room for new objects begins small and would grow, while the program is loaded, to what it never gives back. */
export function expectMuch(): void {
  isMuchExpected = true
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * A call leaves 60 KB of garbage. By itself Node would let it pile up to hundreds of megabytes, of which a tenth is in use;
 * to look sooner costs a tenth of a millisecond a call.
 */
function collectGarbageSooner(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  // Percent that all other room may grow from one collection to the next, and that in steps of 2 MB instead of 8.
  setFlagsFromString('--heap-growing-percent=10')
  setFlagsFromString('--optimize-for-size')
}

function collectGarbageAsUsual(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
  setFlagsFromString('--heap-growing-percent=0')
  setFlagsFromString('--no-optimize-for-size')
}

/** By itself V8 does it when the first answers come, all at once: then there is most to do. */
export function collectGarbageNow(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('globalThis.gc')
  if (typeof collect === 'function') collect()
}

/** Reading a large suite takes most of the memory there is before the first call. */
export function prepareToRead(): void {
  if (isMuchExpected) collectGarbageSooner()
}

export function prepareToAsk(cells: number): void {
  if (cells > MANY_CELLS) collectGarbageSooner()
  else collectGarbageAsUsual()
}
