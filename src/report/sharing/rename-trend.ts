import type { Trend } from '../../statistics/index.ts'
import { createRename, type Rename } from './model-aliases.ts'

/** `Model A`, … in the given order. */
export function nameByLetters(
  models: readonly string[],
  judges: readonly string[] = [],
): { nameOf: (id: string) => string; rename: Rename } {
  const names = new Map(
    models.map((id, index) => {
      const letter = index < 26 ? String.fromCharCode(65 + index) : String(index + 1)
      return [id, `Model ${letter}${id.startsWith('demo/') ? ' (simulated)' : ''}`]
    }),
  )
  for (const [index, id] of judges.entries()) if (!names.has(id)) names.set(id, `Judge ${index + 1}`)
  return { nameOf: (id) => names.get(id) ?? 'another model', rename: createRename(names) }
}

/** A trend without the names of models and runs, for its chart. */
export function renameTrend<Whole extends Trend>(trend: Whole): Whole {
  const { nameOf } = nameByLetters(trend.models)
  return {
    ...trend,
    models: trend.models.map(nameOf),
    points: trend.points.map(({ label: _label, ...point }, index) => ({
      ...point,
      selection: String(index + 1),
      runIds: [],
      changes: [],
      scores: Object.fromEntries(Object.entries(point.scores).map(([id, score]) => [nameOf(id), score])),
    })),
  }
}
