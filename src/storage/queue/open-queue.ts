import { randomUUID } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import {
  WORKERS_HOST,
  type QueuedRun,
  type RunChange,
  type TakenWork,
  type WorkQueue,
  LeaseLost,
} from '../../contract/index.ts'
import { migrations } from '../migrations/migrate.ts'
import { toStorageError } from '../postgres/errors.ts'
import { nameDatabase } from '../postgres/postgres-storage.ts'
import { countLoss, forgetLosses, noteBegun } from './lease-trouble.ts'
import { listenForNotifications, readChange, writeChange } from './listener.ts'
import { createMembers } from './members.ts'
import { connectQueue, type Execute } from './queue-connection.ts'
import { BOSS_SCHEMA, createQueueTables, RUNS } from './queue-tables.ts'
import { createWaitingRuns } from './waiting-runs.ts'
import { z } from 'zod'

const runFields = {
  runId: z.string(),
  seriesId: z.string().optional(),
  index: z.int(),
  nextRunId: z.string(),
}

/** What a job of the queue holds. */
const jobDataSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('cells'),
    ...runFields,
    testCaseIds: z.array(z.string()),
    ungraded: z.array(z.object({ testCaseId: z.string(), modelId: z.string() })),
  }),
  z.object({ kind: z.literal('finish'), ...runFields }),
])

const FINISH_PRIORITY = 1

/** Where a run counts as long. */
const LONG_RUN_LEASES = 100

/**
 * Runs take turns: the first leases of a new run come before the later ones of a long run. Beyond that the older run
 * comes first, so that many short runs cannot hold up a long one for ever.
 */
const prioritiseLease = (place: number) => -Math.min(place, LONG_RUN_LEASES)

/** pg-boss's own way into a transaction of ours. */
const asDatabase = (execute: Execute) => ({
  executeSql: (text: string, values: unknown[] = []) => execute(text, values),
})

/** Names one lease of a job: pg-boss refuses it once the job was handed out again. */
const attemptOf = ({ id, epoch }: Pick<TakenWork, 'id' | 'epoch'>) => ({ id, retryCount: epoch })

/** pg-boss says how many jobs a statement changed, but its types leave that out. */
function refuseLost(response: object): void {
  if (!('affected' in response) || response.affected === 0) throw new LeaseLost()
}

const SECONDS_PER_DAY = 86_400

const queueSettings = {
  // The shortest that pg-boss allows.
  heartbeatSeconds: 10,
  expireInSeconds: SECONDS_PER_DAY / 2,
  // Every worker that dies or stops with it counts as one; the worker decides when it has been too many.
  retryLimit: 1_000_000,
  retryDelay: 0,
  retentionSeconds: 365 * SECONDS_PER_DAY,
  deleteAfterSeconds: 3600,
}

const RUNS_CHANNEL = 'benchmaker_runs'
const WORK_CHANNEL = 'benchmaker_work'

/** Host and token of the claim on a run that workers work on, whichever they are. */
const CLAIMANT = WORKERS_HOST
const RENEW_CLAIMS_MS = 2_000
/** Not the clock of a worker, which may be wrong. */
const NOW_MS = '(1000 * extract(epoch FROM clock_timestamp()))::bigint'

/** After the database was away, live workers need this long to renew their leases. */
const SETTLE_MS = 12_000

export interface WorkQueueOptions {
  connectionString: string
  /** Of this program. */
  version: string
  reconnectMs?: number
  /** For statements, and as many for transactions. Default 2. */
  connections?: number
}

const queueOf = (version: string) => `cells-${version}`

function claimForWorkers(execute: Execute, id: string) {
  return execute(
    `INSERT INTO claims (id, host, pid, token, since, renewed_at) VALUES ($1, $2, 0, $2, ${NOW_MS}, ${NOW_MS})
      ON CONFLICT (id) DO UPDATE SET host = excluded.host, pid = 0, token = excluded.token, since = excluded.since, renewed_at = excluded.renewed_at, waiting = NULL`,
    [id, CLAIMANT],
  )
}

/** The claim of a series stays if its next run is queued. */
function releaseClaims(execute: Execute, { runId, seriesId }: Pick<QueuedRun, 'runId' | 'seriesId'>) {
  return execute(
    `DELETE FROM claims WHERE token = $1 AND (id = $2 OR id = $3 AND NOT EXISTS (SELECT 1 FROM ${RUNS} WHERE series_id = $3))`,
    [CLAIMANT, runId, seriesId ?? null],
  )
}

async function announce(execute: Execute, change: RunChange): Promise<void> {
  for (const payload of writeChange(change)) await execute('SELECT pg_notify($1, $2)', [RUNS_CHANNEL, payload])
}

type WorkNews = 'work' | 'withdrawn'

const wakeWorkers = (execute: Execute, news: WorkNews) => execute('SELECT pg_notify($1, $2)', [WORK_CHANNEL, news])

/** Opens the queue in the database that holds the runs; creates its tables if they are missing. */
export async function openWorkQueue(options: WorkQueueOptions): Promise<WorkQueue> {
  const { connectionString, reconnectMs = 60_000, connections = 2 } = options
  const place = nameDatabase(connectionString)
  const connection = connectQueue({ connectionString, place, reconnectMs, connections })
  const { execute, transact } = connection
  // Workers must read and write the tables as the server does.
  const version = `${options.version}-${migrations.length}`
  const queue = queueOf(version)
  const boss = new PgBoss({
    db: asDatabase(execute),
    schema: BOSS_SCHEMA,
    supervise: false,
    schedule: false,
    monitorIntervalSeconds: 1,
  })
  // What fails is thrown to whoever called.
  boss.on('error', () => {})
  try {
    await boss.start()
    await transact(createQueueTables)
    await boss.createQueue(queue, queueSettings)
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined)
    await connection.close()
    throw toStorageError(error, place)
  }
  const memberId = randomUUID()
  const members = createMembers({ execute, version, memberId })
  const waitingRuns = createWaitingRuns({
    execute,
    version,
    memberId,
    announce: (runId) => announce(execute, { runId, hasMoved: true }),
  })

  const listen = <Message>(channel: string, read: (payload: string) => Message | undefined) => {
    const listeners = new Set<{ onMessage(message: Message): void; onReconnect(): void }>()
    let listening: ReturnType<typeof listenForNotifications> | undefined
    return {
      add(listener: { onMessage(message: Message): void; onReconnect(): void }) {
        listeners.add(listener)
        listening ??= listenForNotifications({
          connectionString,
          channel,
          onMessage(payload) {
            const message = read(payload)
            if (message !== undefined) for (const each of listeners) each.onMessage(message)
          },
          onConnected() {
            for (const each of listeners) each.onReconnect()
          },
        })
        return () => void listeners.delete(listener)
      },
      close: () => listening?.close(),
    }
  }
  const runChanges = listen(RUNS_CHANNEL, readChange)
  const workNews = listen(WORK_CHANNEL, (payload): WorkNews => (payload === 'withdrawn' ? payload : 'work'))

  const checkLease = async (taken: TakenWork, own: Execute) =>
    refuseLost(await boss.touch(queue, attemptOf(taken), { db: asDatabase(own) }))

  /** Work of one run is counted one at a time; whoever changes the run locks it first. */
  const completeCells = async (taken: TakenWork, own: Execute) => {
    const { kind: _kind, ...run } = taken.work
    await own(`SELECT 1 FROM ${RUNS} WHERE run_id = $1 FOR UPDATE`, [run.runId])
    refuseLost(await boss.complete(queue, attemptOf(taken), null, { db: asDatabase(own) }))
    if (taken.trouble) await forgetLosses(taken.id, own)
    const { rows } = await own(
      `UPDATE ${RUNS} SET leases_left = leases_left - 1 WHERE run_id = $1 RETURNING leases_left`,
      [run.runId],
    )
    if (rows[0]?.['leases_left'] === 0) await sendFinish(run, own)
  }
  const sendFinish = async ({ runId, seriesId, index, nextRunId }: QueuedRun, own: Execute) => {
    const work = { kind: 'finish', runId, seriesId, index, nextRunId }
    await boss.send(queue, work, { priority: FINISH_PRIORITY, group: { id: runId }, db: asDatabase(own) })
    await wakeWorkers(own, 'work')
  }
  const release = async (taken: TakenWork, problem?: string) => {
    await boss.fail(queue, attemptOf(taken), problem === undefined ? null : { problem })
    await wakeWorkers(execute, 'work')
  }
  const completeFinish = async (taken: TakenWork, own: Execute) => {
    await own(`DELETE FROM ${RUNS} WHERE run_id = $1`, [taken.work.runId])
    refuseLost(await boss.complete(queue, attemptOf(taken), null, { db: asDatabase(own) }))
    if (taken.trouble) await forgetLosses(taken.id, own)
    await releaseClaims(own, taken.work)
    await announce(own, { runId: taken.work.runId, hasMoved: true })
  }

  return {
    version,
    place,
    ...members,

    enqueue: (run, work, by) =>
      transact(async (own) => {
        if (by) await checkLease(by, own)
        const { runId, seriesId, index, nextRunId } = run
        const { rowCount } = await own(
          `INSERT INTO ${RUNS} (run_id, series_id, index, next_run_id, version, leases_left) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT DO NOTHING`,
          [runId, seriesId ?? null, index, nextRunId, version, work.length],
        )
        if (rowCount === 0) return
        for (const id of [runId, seriesId]) if (id !== undefined) await claimForWorkers(own, id)
        // The group lets a worker leave out a run that it cannot work on.
        const jobs = work.map((data, number) => ({ data, priority: prioritiseLease(number), group: { id: runId } }))
        if (jobs.length === 0) await sendFinish(run, own)
        else await boss.insert(queue, jobs, { db: asDatabase(own) })
        await announce(own, { runId, hasMoved: true })
        await wakeWorkers(own, 'work')
      }),

    withdraw: (runId) =>
      transact(async (own) => {
        const { rows } = await own(`DELETE FROM ${RUNS} WHERE run_id = $1 RETURNING series_id, version`, [runId])
        const [row] = rows
        if (!row) return false
        const itsQueue = queueOf(String(row['version']))
        const jobs = await boss.findJobs(itsQueue, { data: { runId }, db: asDatabase(own) })
        const open = jobs.filter(({ state }) => state !== 'completed' && state !== 'cancelled').map(({ id }) => id)
        if (open.length > 0) await boss.cancel(itsQueue, open, { db: asDatabase(own) })
        const seriesId = row['series_id']
        await releaseClaims(own, { runId, ...(typeof seriesId === 'string' && { seriesId }) })
        await announce(own, { runId, hasMoved: true })
        await wakeWorkers(own, 'withdrawn')
        return true
      }),

    async listQueued() {
      const { rows } = await execute(
        `SELECT run_id AS "runId", series_id AS "seriesId", index, next_run_id AS "nextRunId" FROM ${RUNS} ORDER BY queued_at`,
      )
      return rows.map(({ runId, seriesId, index, nextRunId }) => ({
        runId: String(runId),
        ...(typeof seriesId === 'string' && { seriesId }),
        index: Number(index),
        nextRunId: String(nextRunId),
      }))
    },

    async take({ exceptRuns = [] } = {}) {
      const [job] = await boss.fetch(queue, { includeMetadata: true, ignoreGroups: [...exceptRuns] })
      if (!job) return undefined
      const trouble = job.retryCount > 0 ? await countLoss(job, execute) : undefined
      return { id: job.id, epoch: job.retryCount, work: jobDataSchema.parse(job.data), trouble }
    },

    begin: async (taken, cell) => void (await noteBegun(taken, cell, execute)),

    renew: async (taken) => {
      const response = await boss.touch(queue, attemptOf(taken))
      return 'affected' in response && response.affected !== 0
    },

    complete: (taken) =>
      transact((own) => (taken.work.kind === 'cells' ? completeCells(taken, own) : completeFinish(taken, own))),

    release,

    async refuse(taken, problem) {
      await waitingRuns.refuse(taken.work.runId, problem)
      await release(taken)
    },
    accept: ({ work }) => waitingRuns.accept(work.runId),
    explainWaiting: (runId) => waitingRuns.explainWaiting(runId),

    guard(storage, taken) {
      if (!storage.guardedBy) throw new TypeError('Leases need PostgreSQL.')
      return storage.guardedBy((own) =>
        checkLease(taken, async (sql, values) => ({ rowCount: 0, ...(await own(sql, values)) })),
      )
    },

    async supervise() {
      const sinceLost = connection.sinceLost()
      if (sinceLost === undefined || sinceLost > SETTLE_MS) await boss.supervise(queue)
      await execute(
        `UPDATE claims SET renewed_at = ${NOW_MS} WHERE token = $1 AND renewed_at < ${NOW_MS} - ${RENEW_CLAIMS_MS} AND id IN (
          SELECT run_id FROM ${RUNS} WHERE version = $2
          UNION ALL SELECT series_id FROM ${RUNS} WHERE version = $2 AND series_id IS NOT NULL)`,
        [CLAIMANT, version],
      )
      await waitingRuns.noteWaiting()
    },

    notify: (change) => announce(execute, change),
    follow: ({ onChange, onReconnect }) => runChanges.add({ onMessage: onChange, onReconnect }),
    onWork: (listener) => workNews.add({ onMessage: listener, onReconnect: () => listener('withdrawn') }),

    async close() {
      await Promise.all([runChanges.close(), workNews.close()])
      await boss.stop({ graceful: false }).catch(() => undefined)
      await connection.close()
    },
  }
}
