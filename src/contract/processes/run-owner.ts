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

/** `process 4711 on host lab`, or `workers` */
export function nameOwner({ host, pid }: Pick<RunOwner, 'host' | 'pid'>): string {
  return host === WORKERS_HOST && pid === 0 ? 'workers' : `process ${pid} on host ${host}`
}

/** `process 4711 on host lab since 2026-11-15 03:45:12 UTC` */
export function describeOwner(owner: RunOwner): string {
  const startedAt = new Date(owner.since).toISOString().slice(0, 19).replace('T', ' ')
  return `${nameOwner(owner)} since ${startedAt} UTC`
}
