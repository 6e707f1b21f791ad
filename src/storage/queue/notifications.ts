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
