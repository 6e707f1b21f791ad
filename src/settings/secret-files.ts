import { readFileSync } from 'node:fs'
import { InputError, vendors } from '../contract/index.ts'

/** Variables whose value may be in a file instead, as container engines and systemd hand secrets over. */
const names: readonly string[] = [
  'BENCHMAKER_DATABASE_URL',
  'BENCHMAKER_SECRET_KEY',
  'BENCHMAKER_SECRET_KEY_OLD',
  'BENCHMAKER_OIDC_CLIENT_SECRET',
  'BENCHMAKER_API_KEY',
  ...vendors.flatMap(({ variables }) => variables),
]

/** The values of variables that are given as `NAME_FILE`. Throws `InputError` if a file cannot be read. */
export function readSecretFiles(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of names) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) throw new InputError(`${name} and ${name}_FILE are both set: keep one of them`)
    let text: string
    try {
      text = readFileSync(file, 'utf8').trim()
    } catch (cause) {
      const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'it cannot be read'
      throw new InputError(`${name}_FILE is ${file}, which cannot be read (${reason})`, { cause })
    }
    if (text === '') throw new InputError(`${name}_FILE is ${file}, which is empty`)
    found[name] = text
  }
  return found
}
