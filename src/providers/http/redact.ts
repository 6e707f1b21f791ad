import { escapePattern, isSecretName, KEY_SHAPE } from '../../contract/index.ts'

/** Shorter ones ("ollama", "none") are placeholders; redacting them would hit ordinary words. */
const MIN_SECRET_LENGTH = 8

/** A prefix long enough to identify a key: servers echo keys with the rest starred out. */
const PREFIX_LENGTH = 8

const ALL_KEYS = new RegExp(KEY_SHAPE, 'g')

/** The secret values among headers or query parameters. */
export function secretsOf(entries: Iterable<[string, string]>): string[] {
  return [...entries]
    .filter(([name]) => isSecretName(name))
    .map(([, value]) => value.replace(/^(?:Bearer|Basic) /i, ''))
}

/** Creates a function that removes the secrets from a text, whole or truncated. */
export function createRedactor(secrets: string[]): (text: string) => string {
  const prefixes = secrets
    .flatMap((secret) => (secret.length < MIN_SECRET_LENGTH ? [] : [secret, encodeURIComponent(secret)]))
    .map((secret) => escapePattern(secret.slice(0, PREFIX_LENGTH)))
  const pattern = prefixes.length === 0 ? undefined : new RegExp(`(?:${prefixes.join('|')})[^\\s"'<>,;)}\\]]*`, 'g')
  return (text) => (pattern ? text.replace(pattern, '[key]') : text).replace(ALL_KEYS, '[key]')
}
