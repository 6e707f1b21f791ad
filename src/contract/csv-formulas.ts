const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** After any number of apostrophes. The full-width signs count too: some spreadsheets read them like the plain ones. */
const FORMULA_START = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Spreadsheets run a text that begins so as a formula: an apostrophe before it makes it text. Numbers stay numbers. */
export function disarmFormula(text: string): string {
  return !PLAIN_NUMBER.test(text) && FORMULA_START.test(text) ? `'${text}` : text
}

/** Takes the apostrophe away again, so that what was exported comes back as it was. */
export function rearmFormula(text: string): string {
  return text.startsWith("'") && FORMULA_START.test(text) ? text.slice(1) : text
}
