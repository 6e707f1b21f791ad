import type { Execute } from './queue-connection.ts'

/** Schemas of their own: the queue is no part of the stored data. */
export const BOSS_SCHEMA = 'pgboss'
const SCHEMA = 'benchmaker_queue'

export const RUNS = `${SCHEMA}.runs`
export const MEMBERS = `${SCHEMA}.members`
export const LOSSES = `${SCHEMA}.losses`
export const REFUSALS = `${SCHEMA}.refusals`

/** A member that was not seen for this long has died. */
export const LIVE = `seen_at > now() - interval '15 seconds'`

const statements = [
  // Two processes that start at once: the second waits and then finds everything in place.
  'SELECT pg_advisory_xact_lock(8271946351)',
  `CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`,
  `CREATE TABLE IF NOT EXISTS ${RUNS} (
    run_id text PRIMARY KEY,
    series_id text,
    index integer NOT NULL,
    version text NOT NULL,
    leases_left integer NOT NULL,
    next_run_id text NOT NULL,
    queued_at timestamptz NOT NULL DEFAULT now()
  )`,
  `COMMENT ON TABLE ${RUNS} IS 'Runs whose cells workers take from the queue'`,
  `CREATE TABLE IF NOT EXISTS ${MEMBERS} (
    id uuid PRIMARY KEY,
    kind text NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    concurrency integer,
    joined_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now()
  )`,
  `COMMENT ON TABLE ${MEMBERS} IS 'Servers and workers that are running, renewed while they are'`,
  `CREATE TABLE IF NOT EXISTS ${LOSSES} (
    job_id uuid PRIMARY KEY,
    losses integer NOT NULL,
    begun text,
    begun_epoch integer,
    strikes jsonb NOT NULL DEFAULT '{}',
    at timestamptz NOT NULL DEFAULT now()
  )`,
  `COMMENT ON TABLE ${LOSSES} IS 'Leases whose workers died or failed, until the work is done'`,
  `CREATE TABLE IF NOT EXISTS ${REFUSALS} (
    run_id text REFERENCES ${RUNS} ON DELETE CASCADE,
    member_id uuid REFERENCES ${MEMBERS} ON DELETE CASCADE,
    problem text NOT NULL,
    PRIMARY KEY (run_id, member_id)
  )`,
  `COMMENT ON TABLE ${REFUSALS} IS 'Runs that a worker cannot work on, because it lacks something'`,
]

export async function createQueueTables(execute: Execute): Promise<void> {
  for (const sql of statements) await execute(sql)
}
