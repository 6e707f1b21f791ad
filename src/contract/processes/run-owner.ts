import { z } from 'zod'

/** The process that works on a run. */
export const runOwnerSchema = z.object({
  host: z.string(),
  pid: z.number(),
  /** Milliseconds since 1970. */
  since: z.number(),
})

export type RunOwner = z.infer<typeof runOwnerSchema>

/** Host of a run that workers take from the queue: no single process has it. */
export const WORKERS_HOST = 'workers'

/** `process 4711 on host lab since 2026-11-15 03:45:12 UTC` */
export function describeOwner({ host, pid, since }: RunOwner): string {
  const startedAt = new Date(since).toISOString().slice(0, 19).replace('T', ' ')
  if (host === WORKERS_HOST && pid === 0) return `workers since ${startedAt} UTC`
  return `process ${pid} on host ${host} since ${startedAt} UTC`
}
