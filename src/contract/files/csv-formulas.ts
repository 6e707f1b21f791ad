const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Some spreadsheets treat full-width signs like plain ones. */
const SIGN = '=+\\-@＝＋－＠'

/** What a spreadsheet may drop in front of a sign: spaces and quotes of every kind. */
const DROPPED = '["\'‘’“”\\0\\v\\f\\u00a0\\u1680\\u2000-\\u200b\\u202f\\u205f\\u3000\\ufeff ]*'

/**
 * Where a spreadsheet would start a formula: at the start of the text, and after whatever its locale takes for the end
 * of a cell. Quotes do not help there: with another separator they stand in the middle of a cell and mean nothing.
 */
const STARTS = `(?<=[;\\t\\r\\n])(?=${DROPPED}[${SIGN}])|^(?=${DROPPED}[${SIGN}\\t\\r\\n])`
const FORMULA = new RegExp(STARTS, 'g')
const ESCAPED = new RegExp(STARTS.replaceAll(/\(\?=/g, "'(?="), 'g')

/**
 * Spreadsheets would run such a text, or a part of it, as a formula: an apostrophe in front makes it text. Numbers are
 * unchanged.
 */
export function escapeFormula(text: string): string {
  return PLAIN_NUMBER.test(text) ? text : text.replace(FORMULA, "'")
}

/** Removes the apostrophes, so that exported text is imported unchanged. */
export function unescapeFormula(text: string): string {
  return text.replace(ESCAPED, '')
}
