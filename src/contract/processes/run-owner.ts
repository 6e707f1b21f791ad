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
  return host === WORKERS_HOST && pid === 0 ? WORKERS_HOST : `process ${pid} on host ${host}`
}

/** After "running": `in another process (process 4711 on host lab since 2026-11-15 03:45:12 UTC)`, `on workers since …` */
export function whereRunning(owner: RunOwner): string {
  const name = nameOwner(owner)
  const since = `since ${new Date(owner.since).toISOString().slice(0, 19).replace('T', ' ')} UTC`
  return name === WORKERS_HOST ? `on ${name} ${since}` : `in another process (${name} ${since})`
}
