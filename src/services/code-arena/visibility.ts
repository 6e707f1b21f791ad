import type { InspectedPage } from '../../contract/index.ts'
import { readPng } from './png.ts'

/** Pictures of one colour compress to less than this, whatever their size; others need not be unpacked. */
const MOST_BYTES_OF_ONE_COLOUR = 300_000

/**
 * The largest difference in a channel, of 255, that no eye can see. Measured in Chromium: smoothing leaves up to 2 around
 * text that has the colour of its background, `opacity: .01` and text of contrast 1.02:1 up to 3. The faintest things that
 * pages show on purpose, a #fafafa card or hairline on white, or #0f0f0f on #0a0a0a, differ by 5.
 */
const MOST_UNSEEN = 3

/** Returns true if the pixels of an 8-bit PNG all have the same colour, as far as an eye can see. */
export function isOneColour(picture: Uint8Array): boolean {
  if (picture.length > MOST_BYTES_OF_ONE_COLOUR) return false
  const pixels = readPng(picture)
  if (!pixels) return false
  const { channels, rows } = pixels
  let lowest: Uint8Array | undefined
  let highest: Uint8Array | undefined
  for (const row of rows) {
    lowest ??= row.slice(0, channels)
    highest ??= row.slice(0, channels)
    for (let x = 0; x < row.length; x++) {
      const value = row[x]!
      const channel = x % channels
      if (value < lowest[channel]!) lowest[channel] = value
      else if (value > highest[channel]!) highest[channel] = value
      else continue
      if (highest[channel]! - lowest[channel]! > MOST_UNSEEN) return false
    }
  }
  return lowest !== undefined
}

/**
 * Why what a browser here shows is no evidence about a page: something that it needs was blocked or is missing, or our
 * tools failed. Undefined if the page could be seen as its author means it.
 */
export function whyNotSeen(page: InspectedPage): string | undefined {
  const { missing = [], findings, notSeen, pictures } = page
  if (missing.length > 0) return missing.join(' ')
  if (!page.runs || findings?.hang !== undefined) return undefined
  if (notSeen !== undefined && pictures.length === 0) return findings && notSeen
  const blocked = findings?.blocked.find(({ isCode }) => isCode)
  return blocked && whyInvisible(page) !== undefined ? `There is no network here for ${blocked.url}.` : undefined
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
