import { z } from 'zod'
import type { CaseFacts } from '../cases/case-facts.ts'
import type { Columns, RunColumns } from './run-columns.ts'

export const groupings = ['category', 'tag', 'difficulty'] as const
export type Grouping = (typeof groupings)[number]

/** Some of the cases: those of one category, with one tag or of one difficulty. */
export interface CaseGroup {
  by: Grouping
  value: string
}

/** `?group=category:maths`; empty means all cases. */
export const groupSchema = z
  .string()
  .max(500)
  .optional()
  .transform((text, context): CaseGroup | undefined => {
    if (text === undefined || text === '') return undefined
    const by = groupings.find((name) => text.startsWith(`${name}:`))
    if (by) return { by, value: text.slice(by.length + 1) }
    context.addIssue(`must be ${groupings.map((name) => `${name}:NAME`).join(', ')}`)
    return z.NEVER
  })

/** The groups that a case is in. */
function valuesOf({ category, tags, difficulty }: CaseFacts, by: Grouping): string[] {
  if (by === 'tag') return tags
  const value = by === 'category' ? category : difficulty
  return value === undefined ? [] : [value]
}

/** The cases of each group, as indices in `caseIds`, in the order of the suite. */
export function listGroups(facts: readonly CaseFacts[], by: Grouping): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const [index, fact] of facts.entries())
    for (const value of new Set(valuesOf(fact, by))) {
      const cases = groups.get(value) ?? []
      groups.set(value, cases)
      cases.push(index)
    }
  return groups
}

function selectInRun(run: RunColumns, isKept: (caseIndex: number) => boolean): RunColumns {
  const kept = Uint32Array.from(run.cases.keys()).filter((cell) => isKept(run.cases[cell]!))
  const pick = <Values extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(values: Values): Values =>
    values.filter((_, cell) => isKept(run.cases[cell]!)) as Values
  const newIndex = new Map(Array.from(kept, (cell, index) => [cell, index]))
  const { verdicts, weights, ratings } = run
  const judged = Array.from(verdicts.cells.keys()).filter((index) => newIndex.has(verdicts.cells[index]!))
  const weighted = Array.from(weights.cases.keys()).filter((index) => isKept(weights.cases[index]!))
  return {
    run: run.run,
    asked: run.asked.filter(isKept),
    weights: {
      cases: Uint32Array.from(weighted, (index) => weights.cases[index]!),
      values: Float64Array.from(weighted, (index) => weights.values[index]!),
    },
    cases: pick(run.cases),
    models: pick(run.models),
    scores: pick(run.scores),
    passed: pick(run.passed),
    outcomes: pick(run.outcomes),
    codes: pick(run.codes),
    hasError: pick(run.hasError),
    isRated: pick(run.isRated),
    latency: pick(run.latency),
    cachedAt: pick(run.cachedAt),
    firstToken: pick(run.firstToken),
    cost: pick(run.cost),
    verdicts: {
      cells: Uint32Array.from(judged, (index) => newIndex.get(verdicts.cells[index]!)!),
      judges: Uint16Array.from(judged, (index) => verdicts.judges[index]!),
      scores: Float64Array.from(judged, (index) => verdicts.scores[index]!),
    },
    ratings: ratings.flatMap(({ cell, ...said }) =>
      newIndex.has(cell) ? [{ cell: newIndex.get(cell)!, ...said }] : [],
    ),
  }
}

/** The columns with the cells of some cases only. `caseIds` stays, so that indices keep their meaning. */
export function selectCases(columns: Columns, cases: Iterable<number>): Columns {
  const kept = new Set(cases)
  const runs = columns.runs.map(({ run: { request: _request, ...facts }, ...run }) =>
    selectInRun({ ...run, run: facts }, (caseIndex) => kept.has(caseIndex)),
  )
  return { ...columns, runs }
}
