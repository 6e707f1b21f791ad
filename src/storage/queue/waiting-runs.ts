import { programVersion } from '../../contract/index.ts'
import { z } from 'zod'
import type { QueueConnection } from './queue-connection.ts'
import { LIVE, MEMBERS, REFUSALS, RUNS } from './queue-tables.ts'

/** What is known about a queued run and the live workers. */
const rowSchema = z.object({
  runId: z.string(),
  version: z.string(),
  /** Versions of live workers, one for each. */
  versions: z.array(z.string()),
  /** Of live workers, one for each that refuses the run. */
  problems: z.array(z.string()),
  /** What the claim says. */
  noted: z.string().nullable(),
})

const SELECT = `SELECT run_id AS "runId", runs.version, claims.waiting AS noted,
  ARRAY(SELECT version FROM ${MEMBERS} WHERE kind = 'worker' AND ${LIVE}) AS versions,
  ARRAY(SELECT problem FROM ${REFUSALS} AS refusal JOIN ${MEMBERS} AS member ON member.id = refusal.member_id
    WHERE refusal.run_id = runs.run_id AND ${LIVE} ORDER BY member.joined_at) AS problems
  FROM ${RUNS} AS runs LEFT JOIN claims ON claims.id = run_id`

function explain({ version, versions, problems }: z.infer<typeof rowSchema>): string | undefined {
  const fitting = versions.filter((each) => each === version).length
  if (fitting > 0) {
    if (problems.length < fitting) return undefined
    const reasons = new Set(problems.map((problem) => problem.replace(/\.$/, '')))
    return `Every worker refuses the run: ${[...reasons].join('; ')}`
  }
  const rest = 'the run waits until one starts: benchmaker worker'
  if (versions.length === 0) return `No worker is running; ${rest}`
  const others = [...new Set(versions)]
  const isOtherProgram = others.every((other) => programVersion(other) !== programVersion(version))
  const name = (each: string) => (isOtherProgram ? programVersion(each) : each)
  return `No worker of version ${name(version)} is running, only of ${[...new Set(others.map(name))].join(', ')}; ${rest}`
}

interface WaitingOptions extends Pick<QueueConnection, 'execute'> {
  version: string
  /** Of this process. */
  memberId: string
  announce(runId: string): Promise<void>
}

/** Knows which worker refuses which run, and so which runs wait for a worker that can work on them. */
export function createWaitingRuns({ execute, version, memberId, announce }: WaitingOptions) {
  /** Runs that this worker refuses. */
  const refused = new Set<string>()

  const noteWaiting = async (): Promise<void> => {
    const { rows } = await execute(`${SELECT} WHERE runs.version = $1`, [version])
    for (const row of rows.map((each) => rowSchema.parse(each))) {
      // Without a live worker nobody renews the claim, and the run counts as interrupted soon.
      const reason = (row.versions.includes(version) ? explain(row) : undefined) ?? null
      if (reason === row.noted) continue
      const { rowCount } = await execute(
        'UPDATE claims SET waiting = $2 WHERE id = $1 AND waiting IS DISTINCT FROM $2::text',
        [row.runId, reason],
      )
      if (rowCount !== 0) await announce(row.runId)
    }
  }

  return {
    noteWaiting,

    async refuse(runId: string, problem: string): Promise<void> {
      refused.add(runId)
      // Neither the run nor this member may be gone.
      await execute(
        `INSERT INTO ${REFUSALS} (run_id, member_id, problem)
          SELECT run_id, id, $3 FROM ${RUNS}, ${MEMBERS} WHERE run_id = $1 AND id = $2 FOR KEY SHARE
          ON CONFLICT (run_id, member_id) DO UPDATE SET problem = excluded.problem`,
        // PostgreSQL stores no NUL.
        [runId, memberId, problem.replaceAll('\0', '')],
      )
      await noteWaiting()
    },

    async accept(runId: string): Promise<void> {
      if (!refused.delete(runId)) return
      await execute(`DELETE FROM ${REFUSALS} WHERE run_id = $1 AND member_id = $2`, [runId, memberId])
      await noteWaiting()
    },

    async explainWaiting(runId: string): Promise<string | undefined> {
      const { rows } = await execute(`${SELECT} WHERE run_id = $1`, [runId])
      return rows[0] && explain(rowSchema.parse(rows[0]))
    },
  }
}
