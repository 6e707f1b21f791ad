import { z } from 'zod'
import { InputError, type Storage } from '../contract/index.ts'
import type { KeyStore } from './key-store.ts'
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const VARIABLE = 'BENCHMAKER_SECRET_KEY'
const OLD_VARIABLE = 'BENCHMAKER_SECRET_KEY_OLD'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1'

/** Encrypts what is stored in a database that others can read. */
interface Sealer {
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
function openSealer(env: Readonly<Record<string, string | undefined>>): Sealer | undefined {
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

/** The origin is encrypted with the key: whoever can change the database must not choose where the key goes. */
const contentSchema = z.object({ key: z.string(), origin: z.string().optional() })

type Content = z.infer<typeof contentSchema>

interface Entry {
  content?: Content
  /** Why it cannot be opened. */
  problem?: InputError
  savedAt: number
  savedBy?: string | undefined
}

interface DatabaseKeyStoreOptions {
  storage: Storage
  env: Readonly<Record<string, string | undefined>>
  now(): number
  /** The name of who saves a key. */
  currentPerson?(): string | undefined
}

function openContent(name: string, sealed: string, sealer: Sealer | undefined): Pick<Entry, 'content' | 'problem'> {
  if (!sealer) return { problem: new InputError(`the key ${name} is encrypted: set BENCHMAKER_SECRET_KEY to use it`) }
  try {
    return { content: contentSchema.parse(JSON.parse(sealer.open(name, sealed))) }
  } catch (error) {
    if (error instanceof InputError) return { problem: error }
    throw error
  }
}

/**
 * Keys that belong to the server and not to a person: encrypted in the database, so that every process with
 * `BENCHMAKER_SECRET_KEY` can use them and nobody can read them again. Loaded once; `reload` sees what others changed.
 */
export async function openDatabaseKeyStore({
  storage,
  env,
  now,
  currentPerson = () => undefined,
}: DatabaseKeyStoreOptions): Promise<KeyStore> {
  const sealer = openSealer(env)
  const entries = new Map<string, Entry>()
  const reload = async () => {
    const stored = await storage.access.listSealedKeys()
    entries.clear()
    for (const { name, sealed, savedAt, savedBy } of stored)
      entries.set(name, { ...openContent(name, sealed, sealer), savedAt, savedBy })
  }
  await reload()

  return {
    description: sealer
      ? 'the database, encrypted with BENCHMAKER_SECRET_KEY'
      : 'nowhere: set BENCHMAKER_SECRET_KEY to save keys',
    source: 'database',
    sourceOf: () => 'database',
    get(name) {
      const entry = entries.get(name)
      if (entry?.problem) throw entry.problem
      return entry?.content?.key
    },
    names: () => [...entries].flatMap(([name, { content }]) => (content ? [name] : [])),
    originOf: (name) => entries.get(name)?.content?.origin,
    savedOf(name) {
      const entry = entries.get(name)
      return entry && { at: entry.savedAt, ...(entry.savedBy !== undefined && { by: entry.savedBy }) }
    },
    listProblems: () => [...entries.values()].flatMap(({ problem }) => problem?.message ?? []),
    async set(name, key, origin) {
      if (!sealer)
        throw new InputError(
          'keys cannot be saved on a team server without BENCHMAKER_SECRET_KEY, which encrypts them: make one with openssl rand -base64 32, and start the server and its workers with it',
        )
      const content: Content = { key, ...(origin !== undefined && { origin }) }
      const savedBy = currentPerson()
      const savedAt = now()
      const sealed = sealer.seal(name, JSON.stringify(content))
      await storage.access.saveSealedKey({ name, sealed, savedAt, ...(savedBy !== undefined && { savedBy }) })
      entries.set(name, { content, savedAt, savedBy })
    },
    async remove(name) {
      entries.delete(name)
      return storage.access.deleteSealedKey(name)
    },
    bindOnce: () => undefined,
    reload,
  }
}

/** Encrypts every stored key with the current secret key. Returns how many were encrypted with an older one. */
export async function rotateSecretKey(
  storage: Storage,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ rotated: number; total: number }> {
  const sealer = openSealer(env)
  if (!sealer)
    throw new InputError('set BENCHMAKER_SECRET_KEY to the new key, and BENCHMAKER_SECRET_KEY_OLD to the one before')
  const stored = await storage.access.listSealedKeys()
  const old = stored.filter(({ sealed }) => !sealer.isCurrent(sealed))
  const replacements = old.map(({ name, sealed }) => ({
    name,
    from: sealed,
    to: sealer.seal(name, sealer.open(name, sealed)),
  }))
  if (!(await storage.access.replaceSealedKeys(replacements)))
    throw new InputError('somebody saved a key meanwhile: run benchmaker rotate-key again')
  return { rotated: old.length, total: stored.length }
}
