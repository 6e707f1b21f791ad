import type { QueueMember } from '../../contract/index.ts'
import type { QueueConnection } from './queue-connection.ts'
import { LIVE, LOSSES, MEMBERS, RUNS } from './queue-tables.ts'

const RENEW_EVERY_MS = 3_000

interface MembersOptions extends Pick<QueueConnection, 'execute'> {
  version: string
  /** Of this process. */
  memberId: string
}

export function createMembers({ execute, version, memberId }: MembersOptions) {
  return {
    async join({ kind, name, concurrency }: QueueMember): Promise<{ leave(): Promise<void> }> {
      const announce = () =>
        execute(
          `INSERT INTO ${MEMBERS} (id, kind, name, version, concurrency) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
          [memberId, kind, name, version, concurrency ?? null],
        )
      await announce()
      await execute(`DELETE FROM ${MEMBERS} WHERE seen_at < now() - interval '1 day'`)
      await execute(`DELETE FROM ${LOSSES} WHERE at < now() - interval '30 days'`)
      let renewal: Promise<unknown> = Promise.resolve()
      let isBusy = false
      const timer = setInterval(() => {
        if (isBusy) return
        isBusy = true
        // A database that cannot be reached now may be back for the next renewal.
        renewal = announce()
          .catch(() => undefined)
          .finally(() => (isBusy = false))
      }, RENEW_EVERY_MS)
      timer.unref()
      return {
        async leave() {
          clearInterval(timer)
          await renewal
          await execute(`DELETE FROM ${MEMBERS} WHERE id = $1`, [memberId]).catch(() => undefined)
        },
      }
    },

    async countWorkers(): Promise<number> {
      const { rows } = await execute(
        `SELECT count(*)::int AS count FROM ${MEMBERS} WHERE kind = 'worker' AND version = $1 AND ${LIVE}`,
        [version],
      )
      return Number(rows[0]?.['count'])
    },

    async findOtherVersion(): Promise<string | undefined> {
      const { rows } = await execute(
        `WITH needed AS (
          SELECT version, queued_at AS since FROM ${RUNS}
          UNION ALL SELECT version, joined_at FROM ${MEMBERS} WHERE kind = 'server' AND ${LIVE}
        )
        SELECT version FROM needed WHERE NOT EXISTS (SELECT 1 FROM needed WHERE version = $1)
        ORDER BY since DESC LIMIT 1`,
        [version],
      )
      const other = rows[0]?.['version']
      return typeof other === 'string' ? other : undefined
    },
  }
}
