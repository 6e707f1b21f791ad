import { isScalar } from '../../contract/index.ts'

/**
 * `{{name}}`, blanks inside allowed. A name begins with a letter or `_`, followed by letters, digits, `_`, `.` or `-`.
 * Anything else between double braces, such as `style={{ width: 5 }}`, is left alone.
 */
const VARIABLE = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}/gu

type Values = Readonly<Record<string, unknown>>

interface Filled {
  text: string
  /** Names without a value, each once; they stay in the text. */
  unknown: string[]
}

function countBackslashesBefore(text: string, end: number, start: number): number {
  let at = end
  while (at > start && text[at - 1] === '\\') at--
  return end - at
}

/** Replaces the variables of a text; `replace` gets the number of backslashes directly before each. */
function replaceVariables(
  text: string,
  replace: (variable: string, name: string, backslashes: number) => string,
): string {
  let result = ''
  let done = 0
  for (const match of text.matchAll(VARIABLE)) {
    const backslashes = countBackslashesBefore(text, match.index, done)
    result += text.slice(done, match.index - backslashes) + replace(match[0], match[1]!, backslashes)
    done = match.index + match[0].length
  }
  return result + text.slice(done)
}

/**
 * Fills each `{{name}}` once: `{{other}}` inside a value is not filled. A backslash, `\{{name}}`, keeps the braces;
 * two backslashes give one backslash and then the value.
 */
export function fillText(text: string, values: Values): Filled {
  const unknown = new Set<string>()
  const filled = replaceVariables(text, (variable, name, backslashes) => {
    const kept = '\\'.repeat(Math.floor(backslashes / 2))
    if (backslashes % 2 === 1) return kept + variable
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (isScalar(value)) return kept + String(value)
    unknown.add(name)
    return kept + variable
  })
  return { text: filled, unknown: [...unknown] }
}

/** Escapes a text so that `fillText` gives it back unchanged, whatever the values. */
export function escapeVariables(text: string): string {
  return replaceVariables(text, (variable, _name, backslashes) => `${'\\'.repeat(backslashes * 2 + 1)}${variable}`)
}

/** True if the text has a variable to fill: `{{name}}`, not `\{{name}}`. */
export function hasVariable(text: string): boolean {
  return fillText(text, {}).unknown.length > 0
}
