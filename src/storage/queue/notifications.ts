import { z } from 'zod'
import type { RunChange } from '../../contract/index.ts'

/** PostgreSQL refuses a notification of 8,000 bytes; an index takes up to eight. */
const MAX_CELLS = 800

const KINDS = ['started', 'answered', 'seen', 'finished'] as const

/** Writes a change as notifications that are short enough. */
export function* writeChange({ runId, hasMoved = false, ...cells }: RunChange): Generator<string> {
  if (hasMoved) yield JSON.stringify({ runId, hasMoved })
  for (const kind of KINDS) {
    const all = cells[kind] ?? []
    for (let first = 0; first < all.length; first += MAX_CELLS)
      yield JSON.stringify({ runId, [kind]: all.slice(first, first + MAX_CELLS) })
  }
}

const indices = z.array(z.int().min(0)).optional()

const changeSchema = z.object({
  runId: z.string(),
  hasMoved: z.boolean().optional(),
  started: indices,
  answered: indices,
  seen: indices,
  finished: indices,
})

/** Undefined for what is not ours: every user of the database can send notifications. */
export function readChange(payload: string): RunChange | undefined {
  try {
    const { runId, hasMoved = false, ...cells } = changeSchema.parse(JSON.parse(payload))
    const change: RunChange = { runId, hasMoved }
    for (const kind of KINDS) if (cells[kind]) change[kind] = cells[kind]
    return change
  } catch {
    return undefined
  }
}
