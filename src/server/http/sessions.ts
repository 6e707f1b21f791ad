import { setLatest } from '../../contract/index.ts'
import { drawSecret, hashSecret } from '../../access/index.ts'
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
  /** Opens a session; undefined if the token is unknown or used. */
  exchange(token: string): OpenSession | undefined
  /** True for the cookie of an open session: enough for the app's page, which holds no data. */
  isOpen(cookie: string): boolean
  /** True for the key of an open session. A second link gives the browser another cookie, and open tabs keep their key. */
  hasKey(key: string): boolean
}

/** The two secrets of a session: other ports of this host get the first, only the app's own origin has the second. */
interface OpenSession {
  cookie: string
  key: string
}

const fileSchema = z.object({
  /** The hashes of a session's cookie and key. Sessions of earlier versions have no key: they open the page only. */
  sessions: z.array(z.object({ hash: z.string(), key: z.string().optional(), openedAt: z.number() })),
})

/** Sessions outlive the server, so that an open tab still works after a restart. */
export function openSessions({ dataFolder, now }: { dataFolder: string; now: () => number }): Sessions {
  const file = join(dataFolder, 'sessions.json')
  const tokens = new Map<string, { endsAt: number; onUsed?: (() => void) | undefined }>()
  const stored = fileSchema.safeParse(readPrivateJson(file))
  let sessions = stored.success ? stored.data.sessions : []
  // Compares hashes, so that the time it takes reveals nothing about the secret.
  const isKnown = (part: 'hash' | 'key', secret: string) => {
    const hash = hashSecret(secret)
    return sessions.some((session) => session[part] === hash && now() - session.openedAt < SESSION_LIFE_MS)
  }

  return {
    createToken({ lifeMs = Infinity, onUsed } = {}) {
      const token = drawSecret()
      setLatest(tokens, hashSecret(token), { endsAt: now() + lifeMs, onUsed }, MAX_TOKENS)
      return token
    },
    exchange(token) {
      const hash = hashSecret(token)
      const found = tokens.get(hash)
      tokens.delete(hash)
      if (!found || now() > found.endsAt) return undefined
      found.onUsed?.()
      const opened = { cookie: drawSecret(), key: drawSecret() }
      const alive = sessions.filter(({ openedAt }) => now() - openedAt < SESSION_LIFE_MS)
      const added = { hash: hashSecret(opened.cookie), key: hashSecret(opened.key), openedAt: now() }
      sessions = [...alive, added].slice(-MAX_SESSIONS)
      writePrivateFile(file, JSON.stringify({ sessions }))
      return opened
    },
    isOpen: (cookie) => isKnown('hash', cookie),
    hasKey: (key) => isKnown('key', key),
  }
}
