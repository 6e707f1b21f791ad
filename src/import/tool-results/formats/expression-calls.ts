import type { ActualCall, BfclLanguage } from '../../../scoring/tool-calls/index.ts'

/**
 * Reads a call in Java or JavaScript with named arguments, as prompted models answer BFCL: `[Geo.make(a=1, b="x")]`. A
 * value is the text of its expression; a string literal loses its quotes. Returns `undefined` for anything that is no
 * such call.
 */
export function readExpressionCalls(
  answer: string,
  language: Exclude<BfclLanguage, 'python'>,
): ActualCall[] | undefined {
  const trimmed = answer.replace(/^[`\n ]+|[`\n ]+$/g, '')
  const text = trimmed.replace(/^\[/, '').replace(/\]$/, '').trim().replace(/;$/, '')
  const opening = /^([\p{L}_$][\p{L}\p{N}_$]*(?:\s*\.\s*[\p{L}_$][\p{L}\p{N}_$]*)*)\s*\(/u.exec(text)
  if (!opening) return undefined
  const parts = splitArguments(text.slice(opening[0].length), language)
  if (!parts) return undefined
  const given = new Map<string, string>()
  for (const part of parts) {
    const named = /^\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*=(?![=>])\s*([\s\S]*?)\s*$/u.exec(part)
    if (!named) {
      if (part.trim() === '') continue
      given.set(`#${given.size}`, part.trim())
      continue
    }
    const [, name, expression] = named
    if (given.has(name!) || !isExpression(expression!, language)) return undefined
    given.set(name!, readExpression(expression!, language))
  }
  return [{ name: opening[1]!.replace(/\s+/g, ''), arguments: Object.fromEntries(given) }]
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Splits at the commas outside brackets and strings, up to the bracket that closes the call, which must end the text. */
function splitArguments(text: string, language: BfclLanguage): string[] | undefined {
  const parts: string[] = []
  const open: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!
    if (character === '"' || character === "'" || (character === '`' && language === 'javascript')) {
      const end = findQuote(text, at)
      if (end === undefined) return undefined
      at = end
    } else if (character in closers) open.push(closers[character]!)
    else if (character === ',' && open.length === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    } else if (character === ')' && open.length === 0) {
      parts.push(text.slice(start, at))
      return text.slice(at + 1).trim() === '' ? parts : undefined
    } else if ((character === ')' || character === ']' || character === '}') && open.pop() !== character)
      return undefined
  }
  return undefined
}

function findQuote(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === text[start]) return at
  }
  return undefined
}

/** Java has no lists or objects in brackets, and a single-quoted literal is one character. */
function isExpression(text: string, language: BfclLanguage): boolean {
  if (text === '') return false
  if (language !== 'java') return true
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '""')
  return (
    !/^[[{]/.test(bare) && !/'(?!(?:[^'\\]|\\.[^']{0,4})')[^']*'/.test(bare.replace(/'(?:[^'\\]|\\.[^']{0,4})'/g, ''))
  )
}

function readExpression(text: string, language: BfclLanguage): string {
  const [quote] = text
  const isLiteral = (quote === '"' || quote === "'") && findQuote(text, 0) === text.length - 1
  if (isLiteral) return text.slice(1, -1)
  // Quotes at both ends of a JavaScript expression are taken off whatever stands between them.
  if (language === 'javascript' && (quote === '"' || quote === "'") && text.endsWith(quote)) return text.slice(1, -1)
  // The official reader of Java leaves out the body of an anonymous class: `new HashMap<>() {{ put("a", 1); }}`.
  const created = language === 'java' ? /^new\s+[\w.]+\s*(?:<[^()]*>)?\s*\(/.exec(text) : null
  if (!created) return text
  const end = findClosing(text, created[0].length - 1)
  return end === undefined ||
    !text
      .slice(end + 1)
      .trim()
      .startsWith('{')
    ? text
    : text.slice(0, end + 1)
}

function findClosing(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '"' || text[at] === "'") at = findQuote(text, at) ?? text.length
    else if (text[at] === '(') depth += 1
    else if (text[at] === ')') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return undefined
}
