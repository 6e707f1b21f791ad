import type { InspectedPage } from '../../contract/index.ts'
import { readPng } from './png.ts'

/** Pictures of one colour compress to less than this, whatever their size; others need not be unpacked. */
const MOST_BYTES_OF_ONE_COLOUR = 300_000

/** Returns true if every pixel of an 8-bit PNG has the same colour. */
export function isOneColour(picture: Uint8Array): boolean {
  if (picture.length > MOST_BYTES_OF_ONE_COLOUR) return false
  const pixels = readPng(picture)
  if (!pixels) return false
  let first: Uint8Array | undefined
  for (const row of pixels.rows) {
    first ??= row.subarray(0, pixels.channels)
    for (let x = 0; x < row.length; x++) if (row[x] !== first[x % pixels.channels]) return false
  }
  return first !== undefined
}

/**
 * Why a person who opens the page sees nothing or cannot use it, because it hangs; undefined if there is something to
 * see, or if no browser has tried.
 */
export function whyInvisible({ runs, problem, files, findings, pictures }: InspectedPage): string | undefined {
  if (files.length === 0) return 'There is no page in the answer.'
  if (!runs) return problem ?? 'The code makes no page.'
  if (!findings) return undefined
  if (findings.hang !== undefined) return findings.hang
  if (pictures.length === 0) return findings.errors[0] ?? 'The page never finished loading.'
  return pictures.every(({ png }) => isOneColour(png)) ? 'The page shows nothing.' : undefined
}
