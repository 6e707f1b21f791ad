import { z } from 'zod'

/** The process that works on a run. */
export const runOwnerSchema = z.object({
  host: z.string(),
  pid: z.number(),
  /** Milliseconds since 1970. */
  since: z.number(),
})

export type RunOwner = z.infer<typeof runOwnerSchema>

/** `process 4711 on host lab since 2026-11-15 03:45:12 UTC` */
export function describeOwner({ host, pid, since }: RunOwner): string {
  const startedAt = new Date(since).toISOString().slice(0, 19).replace('T', ' ')
  return `process ${pid} on host ${host} since ${startedAt} UTC`
}
