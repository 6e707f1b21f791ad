/** A run of this many letters, signs or blanks is no word of any language. */
const LONG_RUN = /[\p{L}\p{M}]{500,}|[^\s\p{L}\p{M}\p{N}]{500,}|\s{500,}/gu
const PIECE = 250

function* cutIntoPieces(run: string): Generator<string> {
  for (let start = 0; start < run.length; start += PIECE) yield run.slice(start, start + PIECE)
}

/**
 * Counts the tokens of a text. A tokenizer's time grows with the square of a word's length, and a word of a megabyte
 * would block the program for hours, so that only such words are counted in pieces: a few tokens too many.
 */
export function countInPieces(text: string, count: (text: string) => number): number {
  let sum = 0
  let done = 0
  for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
    sum += count(text.slice(done, index))
    for (const piece of cutIntoPieces(run)) sum += count(piece)
    done = index + run.length
  }
  return sum + count(text.slice(done))
}
