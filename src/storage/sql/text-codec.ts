/**
 * Encodes texts that a database cannot store unchanged. SQLite turns a lone surrogate into U+FFFD and measures length
 * only up to a NUL; PostgreSQL rejects NUL. Such code units become U+001A (the control character "substitute") and four
 * hexadecimal digits, and so does U+001A itself. All other texts are stored unchanged.
 */
const substitute = '\u001A'
// oxlint-disable-next-line no-control-regex
const unstorable = /[\0\u001A]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g
// oxlint-disable-next-line no-control-regex
const encoded = /\u001A([0-9A-F]{4})/g

export function encodeText(text: string): string {
  if (!text.includes('\0') && !text.includes(substitute) && text.isWellFormed()) return text
  return text.replace(unstorable, (unit) => substitute + unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0'))
}

export function decodeText(text: string): string {
  if (!text.includes(substitute)) return text
  return text.replace(encoded, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}
