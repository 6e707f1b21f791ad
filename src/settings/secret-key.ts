import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { InputError } from '../contract/index.ts'

const VARIABLE = 'BENCHMAKER_SECRET_KEY'
const OLD_VARIABLE = 'BENCHMAKER_SECRET_KEY_OLD'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1'

/** Encrypts what is stored in a database that others can read. */
export interface Sealer {
  /** Of the key that is used for new secrets. */
  keyId: string
  /** `name` belongs to the secret: sealed under one name, it cannot be opened under another. */
  seal(name: string, secret: string): string
  /** Throws `InputError` if the key is another one, or the text was changed. */
  open(name: string, sealed: string): string
  /** True if the secret is sealed with the current key. */
  isCurrent(sealed: string): boolean
}

function parseKey(text: string, variable: string): Buffer {
  const trimmed = text.trim()
  const bytes = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64')
  if (bytes.length === KEY_BYTES) return bytes
  throw new InputError(
    `${variable} must be 32 bytes in base64 or hex, and is ${bytes.length}; make one with: openssl rand -base64 32`,
  )
}

/** Says which key was used, and nothing about the key. */
function identify(key: Buffer): string {
  return createHash('sha256').update('benchmaker key id\n').update(key).digest('hex').slice(0, 12)
}

/** Undefined without `BENCHMAKER_SECRET_KEY`. Secrets sealed with `BENCHMAKER_SECRET_KEY_OLD` can be opened, too. */
export function openSealer(env: Readonly<Record<string, string | undefined>>): Sealer | undefined {
  const written = env[VARIABLE]?.trim()
  if (!written) return undefined
  const old = env[OLD_VARIABLE]?.trim()
  const current = parseKey(written, VARIABLE)
  const keys = new Map([current, ...(old ? [parseKey(old, OLD_VARIABLE)] : [])].map((key) => [identify(key), key]))
  const keyId = identify(current)
  const bound = (id: string, name: string) => Buffer.from(JSON.stringify([VERSION, id, name]))

  return {
    keyId,
    seal(name, secret) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current, iv).setAAD(bound(keyId, name))
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return [VERSION, keyId, Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')].join('.')
    },
    open(name, sealed) {
      const [version, id = '', text = ''] = sealed.split('.')
      const key = keys.get(id)
      if (version !== VERSION || !key)
        throw new InputError(
          `the key ${name} was encrypted with another ${VARIABLE} (${id || 'unknown'}, this one is ${keyId}): set that one, or set it as ${OLD_VARIABLE} and run benchmaker rotate-key`,
        )
      const bytes = Buffer.from(text, 'base64')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
          .setAAD(bound(id, name))
          .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
        return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch (cause) {
        throw new InputError(`the stored key ${name} was changed by somebody else than Benchmaker: enter it again`, {
          cause,
        })
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`${VERSION}.${keyId}.`),
  }
}
