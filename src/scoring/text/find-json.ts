/** An answer with more brackets than this is not JSON with prose around it. */
const MAX_ATTEMPTS = 50

export function parseWhole(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The outermost balanced `{…}` and `[…]` spans. Quotes only count inside brackets, since prose has stray ones. */
function findBracketSpans(text: string): [number, number][] {
  const spans: [number, number][] = []
  const open: number[] = []
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (inString) {
      if (character === '\\') index++
      else if (character === '"') inString = false
    } else if (character === '{' || character === '[') open.push(index)
    else if (character === '"') inString = open.length > 0
    else if ((character === '}' || character === ']') && open.length > 0) {
      const start = open.pop()!
      while (spans.length > 0 && spans.at(-1)![0] > start) spans.pop()
      spans.push([start, index + 1])
    }
  }
  return spans
}

/**
 * The JSON value in a model's answer: the whole text if it is JSON, else the last fenced block that is, else the last
 * balanced object or array that is. `undefined` if there is none.
 */
export function findJson(text: string): { value: unknown } | undefined {
  const whole = parseWhole(text)
  if (whole) return whole
  const fenced = [...text.matchAll(/```[^\n`]*\n(.*?)(?:```|$)/gs)].map((match) => match[1]!)
  const bracketed = findBracketSpans(text).map(([start, end]) => text.slice(start, end))
  for (const candidate of [...fenced.reverse().slice(0, MAX_ATTEMPTS), ...bracketed.reverse().slice(0, MAX_ATTEMPTS)]) {
    const found = parseWhole(candidate)
    if (found) return found
  }
  return undefined
}
