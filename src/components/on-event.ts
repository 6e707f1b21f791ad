import type { z } from 'zod'
import { readEvent } from './read-event.ts'

/** Listens for events with this name. Broken ones are skipped: the next full snapshot corrects the screen. */
export function onEvent<Schema extends z.ZodType>(
  source: EventSource,
  name: string,
  schema: Schema,
  receive: (value: z.output<Schema>) => void,
): void {
  source.addEventListener(name, ({ data }: MessageEvent<unknown>) => {
    const value = readEvent(schema, data)
    if (value !== undefined) receive(value)
  })
}
