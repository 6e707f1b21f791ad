const STRING = /"(?:[^"\\\t\n\r]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)(?![\w.+-])/y
const BLANKS = /[ \t\n\r]*/y

type Wanted = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end'

/** Where a text stops being JSON, from 0; its length when it only ends too early. The engine's own message does not always say. */
export function findJsonError(text: string): number {
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    if (!pattern.test(text)) return false
    at = pattern.lastIndex
    return true
  }
  const open: ('{' | '[')[] = []
  let wanted: Wanted = 'value'
  for (;;) {
    take(BLANKS)
    const character = text[at]
    if (character === undefined || (wanted === ', or end' && open.length === 0)) return at
    if (wanted === ':') {
      if (character !== ':') return at
      at++
      wanted = 'value'
    } else if (wanted === 'key' || (wanted === 'key or }' && character !== '}')) {
      if (!take(STRING)) return at
      wanted = ':'
    } else if (character === '}' || character === ']') {
      const isClosing = character === (open.at(-1) === '{' ? '}' : ']') && wanted !== 'value' && open.length > 0
      if (!isClosing) return at
      open.pop()
      at++
      wanted = ', or end'
    } else if (wanted === ', or end') {
      if (character !== ',') return at
      at++
      wanted = open.at(-1) === '{' ? 'key' : 'value'
    } else if (character === '{' || character === '[') {
      open.push(character)
      at++
      wanted = character === '{' ? 'key or }' : 'value or ]'
    } else if (take(character === '"' ? STRING : SCALAR)) wanted = ', or end'
    else return at
  }
}
