import { parseExactJson } from '../../contract/index.ts'

/** Tokens that Python writes for numbers that JSON does not have. `1e999` reads as Infinity. */
const TOKENS: Readonly<Record<string, string>> = { NaN: '"NaN"', Infinity: '1e999', '-Infinity': '-1e999' }

/** The end of the string that starts at `start`: the place after its closing quote. */
function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at += 1
    else if (code === 0x22) return at + 1
  }
  return text.length
}

/** Replaces bare `NaN`, `Infinity` and `-Infinity` outside strings. */
function replaceTokens(text: string): string {
  const parts: string[] = []
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at)
    const end = quote < 0 ? text.length : quote
    parts.push(text.slice(at, end).replaceAll(/-?\bInfinity\b|\bNaN\b/g, (token) => TOKENS[token]!))
    if (quote < 0) break
    at = findStringEnd(text, quote)
    parts.push(text.slice(quote, at))
  }
  return parts.join('')
}

/** Keeps whole numbers that JavaScript would round, such as ids of 64 bits, as their digits: two of them stay two. */
function parseExactly(text: string): unknown {
  return parseExactJson(text, (digits, rounded) => (String(rounded) === digits ? rounded : digits))
}

/**
 * Parses JSON with the bare tokens that Python adds: infinities become numbers, `NaN` becomes the text "NaN", which no
 * reader takes for a number, and whole numbers that would be rounded become texts. Throws what `JSON.parse` throws for any other text.
 */
export function parseLooseJson(text: string): unknown {
  try {
    return parseExactly(text)
  } catch (error) {
    const replaced = replaceTokens(text)
    if (replaced === text) throw error
    return parseExactly(replaced)
  }
}
