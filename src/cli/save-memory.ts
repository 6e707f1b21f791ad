import { stat } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'

/** A run over this many bytes of test cases, counted for each model, fits into memory without saving. */
const SMALL_BYTES = 1_000_000

/** Collects garbage earlier, at the price of speed: docs/decisions/0005-simple-start.md. */
export function saveMemory(): void {
  setFlagsFromString('--optimize-for-size')
}

/** Must be called before the suite is read: later, the memory is already taken. */
export async function saveMemoryIfLarge(suiteFile: string, models: number): Promise<void> {
  const size = (await stat(suiteFile).catch(() => undefined))?.size ?? 0
  if (size * models > SMALL_BYTES) saveMemory()
}
