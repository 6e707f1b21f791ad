import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import type { RunChange } from '../../contract/index.ts'

/** PostgreSQL refuses a notification of 8,000 bytes; an index takes up to eight. */
const MAX_CELLS = 800

const KINDS = ['started', 'answered', 'seen', 'finished'] as const

/** Writes a change as notifications that are short enough. */
export function* writeChange({ runId, hasMoved = false, ...cells }: RunChange): Generator<string> {
  if (hasMoved) yield JSON.stringify({ runId, hasMoved })
  for (const kind of KINDS) {
    const all = cells[kind] ?? []
    for (let first = 0; first < all.length; first += MAX_CELLS)
      yield JSON.stringify({ runId, [kind]: all.slice(first, first + MAX_CELLS) })
  }
}

const indices = z.array(z.int().min(0)).optional()

const changeSchema = z.object({
  runId: z.string(),
  hasMoved: z.boolean().optional(),
  started: indices,
  answered: indices,
  seen: indices,
  finished: indices,
})

/** Undefined for what is not ours: every user of the database can send notifications. */
export function readChange(payload: string): RunChange | undefined {
  try {
    const { runId, hasMoved = false, ...cells } = changeSchema.parse(JSON.parse(payload))
    const change: RunChange = { runId, hasMoved }
    for (const kind of KINDS) if (cells[kind]) change[kind] = cells[kind]
    return change
  } catch {
    return undefined
  }
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000
const KEEP_ALIVE_MS = 10_000
/** A network that drops a connection without a word is noticed after this and the same again. */
const CHECK_EVERY_MS = 10_000

interface Listening {
  connectionString: string
  channel: string
  onMessage(payload: string): void
  /** It listens from now on: what was sent before was missed. */
  onConnected(): void
  checkEveryMs?: number
}

/** Listens to PostgreSQL's notifications on a connection of its own, and connects again when that is lost. */
export function listenForNotifications({
  connectionString,
  channel,
  onMessage,
  onConnected,
  checkEveryMs = CHECK_EVERY_MS,
}: Listening) {
  const closing = new AbortController()
  let client: pg.Client | undefined

  const listenOnce = async (): Promise<void> => {
    const own = new pg.Client({
      connectionString,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      application_name: 'benchmaker notifications',
      connectionTimeoutMillis: checkEveryMs,
      query_timeout: checkEveryMs,
    })
    client = own
    const lost = new Promise<void>((resolve) => {
      own.on('error', () => resolve())
      own.on('end', () => resolve())
    })
    let check: NodeJS.Timeout | undefined
    own.on('notification', ({ payload = '' }) => onMessage(payload))
    try {
      await own.connect()
      await own.query(`LISTEN ${channel}`)
      onConnected()
      check = setInterval(() => void own.query('SELECT 1').catch(() => own.end()), checkEveryMs)
      await lost
    } finally {
      clearInterval(check)
      await own.end().catch(() => undefined)
    }
  }

  const keepListening = async () => {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      const startedAt = performance.now()
      await listenOnce().catch(() => undefined)
      if (performance.now() - startedAt > LONGEST_PAUSE_MS) failures = 0
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)
      await pause(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  const ended = keepListening()

  return {
    async close() {
      closing.abort()
      await client?.end().catch(() => undefined)
      await ended
    },
  }
}
