const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** After any number of apostrophes. Some spreadsheets treat full-width signs like plain ones. */
const FORMULA_START = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Spreadsheets would run such a text as a formula: a leading apostrophe makes it text. Numbers are unchanged. */
export function escapeFormula(text: string): string {
  return !PLAIN_NUMBER.test(text) && FORMULA_START.test(text) ? `'${text}` : text
}

/** Removes the apostrophe, so that exported text is imported unchanged. */
export function unescapeFormula(text: string): string {
  return text.startsWith("'") && FORMULA_START.test(text) ? text.slice(1) : text
}
