import type { CellKey } from '../contract/index.ts'
import { processCell, type Engine, type OpenCell } from './engine.ts'

/** So many refusals and no answer mean a problem with the key, the account or the model: more requests would not help. */
const MAX_REFUSALS = 3

/** The models whose every request was refused. They are asked no more; the rest of their cells is left for a resume. */
export interface Refusals {
  /** Takes one cell from request to stored score, unless its model is refused: then returns false. */
  process(open: OpenCell, engine: Engine): Promise<boolean>
  /** True if a cell was left because its model is refused. */
  readonly hasLeft: boolean
  /** Contestants, in the order of the run. */
  list(engine: Engine): string[]
  /** In the words of the provider; undefined if no model is refused. */
  readonly message: string | undefined
}

export function createRefusals(): Refusals {
  const counts = new Map<string, number>()
  const messages = new Map<string, string>()
  let hasLeft = false
  const modelOf = ({ modelId }: CellKey, { contestants }: Engine) => contestants.get(modelId)!.modelId
  return {
    async process(open, engine) {
      if (open.answer) {
        await processCell(open, engine)
        return true
      }
      const modelId = modelOf(open.cell, engine)
      if (messages.has(modelId)) {
        hasLeft = true
        return false
      }
      const message = await processCell(open, engine)
      const count = message === undefined ? -Infinity : (counts.get(modelId) ?? 0) + 1
      counts.set(modelId, count)
      if (message !== undefined && count >= MAX_REFUSALS && !messages.has(modelId)) messages.set(modelId, message)
      return true
    },
    get hasLeft() {
      return hasLeft
    },
    list: ({ prepared }) => prepared.contestants.filter(({ modelId }) => messages.has(modelId)).map(({ id }) => id),
    get message() {
      return messages.values().next().value
    },
  }
}

export function areAllRefused(refusals: Refusals, engine: Engine): boolean {
  return refusals.list(engine).length === engine.prepared.contestants.length
}

/** Says which models are refused; without names if it is all of them. */
export function reportRefusals(refusals: Refusals, engine: Engine): void {
  const { message: error } = refusals
  if (error === undefined) return
  const named = areAllRefused(refusals, engine) ? {} : { models: refusals.list(engine) }
  engine.context.emit({ type: 'provider-refused', error, ...named })
}
