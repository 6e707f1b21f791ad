import type { z } from 'zod'

/** The data of a server-sent event; undefined if it is broken. */
export function readEvent<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> | undefined {
  if (typeof data !== 'string') return undefined
  try {
    return schema.safeParse(JSON.parse(data)).data
  } catch {
    return undefined
  }
}
