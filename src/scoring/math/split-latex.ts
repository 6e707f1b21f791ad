/** Splits at a separator outside of all brackets. */
export function splitTop(text: string, separator: RegExp): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const match = depth === 0 ? separator.exec(text.slice(at, at + 40))?.[0] : undefined
    if (match) {
      parts.push(text.slice(start, at).trim())
      start = at + match.length
      at = start - 1
      continue
    }
    const character = text[at]!
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
    else if (character === '\\' && !/[A-Za-z{}]/.test(text[at + 1] ?? '')) at++
  }
  parts.push(text.slice(start).trim())
  return parts
}

export interface Relation {
  sides: string[]
  operators: string[]
}

const OPERATOR = /^(?:\\(?:leq|geq|ne|approx)(?![A-Za-z])|[<>=≈])/

/** `a \leq x < b` is three sides and two operators. */
export function splitRelation(text: string): Relation {
  const sides = splitTop(text, OPERATOR)
  const operators: string[] = []
  let at = 0
  for (const side of sides.slice(0, -1)) {
    at = text.indexOf(side, at) + side.length
    const found = /(?:\\(?:leq|geq|ne|approx)(?![A-Za-z])|[<>=≈])/.exec(text.slice(at))
    if (!found) break
    operators.push(found[0] === '≈' ? '\\approx' : found[0])
    at += found.index + found[0].length
  }
  return { sides, operators }
}
