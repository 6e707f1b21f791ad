import { setLatest } from '../../contract/index.ts'
import { drawSecret } from '../../access/index.ts'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { readPrivateJson, writePrivateFile } from '../../settings/index.ts'

const SESSION_LIFE_MS = 30 * 24 * 3_600_000
const MAX_SESSIONS = 50

/** Printed links that were never opened: beyond this many, the oldest stop working. */
const MAX_TOKENS = 20

interface TokenOptions {
  lifeMs?: number
  onUsed?(): void
}

/** Who may use the server: a link from the terminal works once, and opens a session. */
export interface Sessions {
  /** For a link; works once, and only for `lifeMs` if that is given. */
  createToken(options?: TokenOptions): string
  /** The secret of a new session; undefined if the token is unknown or used. */
  exchange(token: string): string | undefined
  isOpen(secret: string): boolean
}

const fileSchema = z.object({ sessions: z.array(z.object({ hash: z.string(), openedAt: z.number() })) })

/** Only hashes are kept, so that reading the file or the memory reveals no secret. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Sessions outlive the server, so that an open tab still works after a restart. */
export function openSessions({ dataFolder, now }: { dataFolder: string; now: () => number }): Sessions {
  const file = join(dataFolder, 'sessions.json')
  const tokens = new Map<string, { endsAt: number; onUsed?: (() => void) | undefined }>()
  const stored = fileSchema.safeParse(readPrivateJson(file))
  let sessions = stored.success ? stored.data.sessions : []

  return {
    createToken({ lifeMs = Infinity, onUsed } = {}) {
      const token = drawSecret()
      setLatest(tokens, hashOf(token), { endsAt: now() + lifeMs, onUsed }, MAX_TOKENS)
      return token
    },
    exchange(token) {
      const hash = hashOf(token)
      const found = tokens.get(hash)
      tokens.delete(hash)
      if (!found || now() > found.endsAt) return undefined
      found.onUsed?.()
      const secret = drawSecret()
      const alive = sessions.filter(({ openedAt }) => now() - openedAt < SESSION_LIFE_MS)
      sessions = [...alive, { hash: hashOf(secret), openedAt: now() }].slice(-MAX_SESSIONS)
      writePrivateFile(file, JSON.stringify({ sessions }))
      return secret
    },
    // Compares hashes, so that the time it takes reveals nothing about the secret.
    isOpen(secret) {
      const hash = hashOf(secret)
      return sessions.some((session) => session.hash === hash && now() - session.openedAt < SESSION_LIFE_MS)
    },
  }
}
