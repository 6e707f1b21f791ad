import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { readPrivateJson, writePrivateFile } from '../../settings/index.ts'

const SESSION_LIFE_MS = 30 * 24 * 3_600_000
const MOST_SESSIONS = 50

/** Links that were printed and never opened: more than these are forgotten, oldest first. */
const MOST_TOKENS = 20

/** Who may use the server: those who came by a link from the terminal, once each, and the sessions they were given for it. */
export interface Sessions {
  /** For a link; good for one visit. */
  createToken(): string
  /** A new session's secret; undefined when the token is unknown or was used. */
  exchange(token: string): string | undefined
  isOpen(secret: string): boolean
}

const fileSchema = z.object({ sessions: z.array(z.object({ hash: z.string(), openedAt: z.number() })) })

/** Only hashes are kept: who reads the file or the memory later has no secret. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

function drawSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Sessions outlive the server, so that an open tab goes on after a restart. */
export function openSessions({ dataFolder, now }: { dataFolder: string; now: () => number }): Sessions {
  const file = join(dataFolder, 'sessions.json')
  const tokens = new Set<string>()
  const stored = fileSchema.safeParse(readPrivateJson(file))
  let sessions = stored.success ? stored.data.sessions : []

  return {
    createToken() {
      const token = drawSecret()
      tokens.add(hashOf(token))
      for (const oldest of tokens) {
        if (tokens.size <= MOST_TOKENS) break
        tokens.delete(oldest)
      }
      return token
    },
    exchange(token) {
      if (!tokens.delete(hashOf(token))) return undefined
      const secret = drawSecret()
      const alive = sessions.filter(({ openedAt }) => now() - openedAt < SESSION_LIFE_MS)
      sessions = [...alive, { hash: hashOf(secret), openedAt: now() }].slice(-MOST_SESSIONS)
      writePrivateFile(file, JSON.stringify({ sessions }))
      return secret
    },
    // Hashes are compared, so the time it takes says nothing about the secret.
    isOpen(secret) {
      const hash = hashOf(secret)
      return sessions.some((session) => session.hash === hash && now() - session.openedAt < SESSION_LIFE_MS)
    },
  }
}
