/** Where a text stops being JSON, and what stands there; `undefined` when it is JSON. */
export function locateJsonError(text: string): { index: number; found: string } | undefined {
  const stack: ('{' | '[')[] = []
  let expects: 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' = 'value'
  let at = 0
  const problem = () => ({ index: at, found: describe(text, at) })

  for (;;) {
    while (at < text.length && ' \t\n\r'.includes(text[at]!)) at += 1
    const character = text[at]
    if (expects === ', or end' && stack.length === 0) return at === text.length ? undefined : problem()
    if (character === undefined) return problem()

    if (expects === ':') {
      if (character !== ':') return problem()
      at += 1
      expects = 'value'
    } else if (expects === ', or end') {
      const closing = stack.at(-1) === '{' ? '}' : ']'
      if (character === closing) stack.pop()
      else if (character === ',') expects = stack.at(-1) === '{' ? 'key' : 'value'
      else return problem()
      at += 1
    } else if ((expects === 'value or ]' && character === ']') || (expects === 'key or }' && character === '}')) {
      stack.pop()
      at += 1
      expects = ', or end'
    } else if (expects === 'key' || expects === 'key or }') {
      const end = endOfText(text, at)
      if (end === undefined) return problem()
      at = end
      expects = ':'
    } else if (character === '{' || character === '[') {
      stack.push(character)
      at += 1
      expects = character === '{' ? 'key or }' : 'value or ]'
    } else {
      const end = character === '"' ? endOfText(text, at) : endOfScalar(text, at)
      if (end === undefined) return problem()
      at = end
      expects = ', or end'
    }
  }
}

function endOfScalar(text: string, start: number): number | undefined {
  const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\d.])/y
  scalar.lastIndex = start
  return scalar.test(text) ? scalar.lastIndex : undefined
}

function endOfText(text: string, start: number): number | undefined {
  if (text[start] !== '"') return undefined
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at]!
    if (character === '"') return at + 1
    if (character < ' ') return undefined
    if (character !== '\\') continue
    const isEscape = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y
    isEscape.lastIndex = at + 1
    if (!isEscape.test(text)) return undefined
    at = isEscape.lastIndex - 1
  }
  return undefined
}

function describe(text: string, at: number): string {
  if (at >= text.length) return 'it ends'
  const word = /^(-?Infinity|NaN|[\p{L}_]+|"?.?)/u.exec(text.slice(at, at + 24))?.[0] ?? ''
  if (word === 'NaN' || word.endsWith('Infinity')) return `found ${word}, which Python writes and JSON does not have,`
  return `found ${JSON.stringify(word === '' ? text[at] : word)}`
}
