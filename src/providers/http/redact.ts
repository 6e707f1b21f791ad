const SECRET_NAME = /auth|key|token|secret|cookie|password/i

/** Shorter ones ("ollama", "none") are placeholders, and redacting them would eat ordinary words. */
const SHORTEST_SECRET = 8

/** Enough of a key's beginning to be sure that it is that key: servers echo keys with the rest starred out. */
const TELLING_LENGTH = 8

const LOOKS_LIKE_KEY = /\b(?:(?:sk|pk|rk|gsk|xai|hf)[-_]|AIza)[A-Za-z0-9*_-]{12,}/g

/** The values that must not be told, of headers or query parameters. */
export function secretsOf(named: Iterable<[string, string]>): string[] {
  return [...named]
    .filter(([name]) => SECRET_NAME.test(name))
    .map(([, value]) => value.replace(/^(?:Bearer|Basic) /i, ''))
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** A function that takes the secrets, whole or begun, out of a text. */
export function createRedactor(secrets: string[]): (text: string) => string {
  const telling = secrets
    .flatMap((secret) => (secret.length < SHORTEST_SECRET ? [] : [secret, encodeURIComponent(secret)]))
    .map((secret) => escapePattern(secret.slice(0, TELLING_LENGTH)))
  const known = telling.length === 0 ? undefined : new RegExp(`(?:${telling.join('|')})[^\\s"'<>,;)}\\]]*`, 'g')
  return (text) => (known ? text.replace(known, '[key]') : text).replace(LOOKS_LIKE_KEY, '[key]')
}
