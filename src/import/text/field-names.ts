/** What people call a field or column. */
const LOOKS_LIKE_NAME = /^[\p{L}_][\p{L}\p{N} _.()/#?%-]{0,39}$/u

/**
 * The names for a message, with a lead: `its fields are colour, size`. Empty if one of them does not look like a name:
 * then the file is of another kind, perhaps of passwords, and nothing of it is repeated.
 */
export function quoteNames(lead: string, names: readonly string[], most = 20): string {
  return names.every((name) => LOOKS_LIKE_NAME.test(name)) ? `${lead} ${names.slice(0, most).join(', ')}` : ''
}
