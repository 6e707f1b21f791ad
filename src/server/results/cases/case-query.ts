import { z } from 'zod'
import { Refusal } from '../../http/refusal.ts'
import type { CaseFacts } from './case-facts.ts'
import { passes, rangeOfCase, type CaseTable } from './case-table.ts'
import type { Columns } from '../selection/run-columns.ts'

/** What `sort` may be: `order` (of the suite), `id`, `spread` (disagreement between models), `worst`, or `model:ID`. */
export type CaseState = 'all' | 'missing' | 'failed' | 'disagree' | 'flaky' | 'rated'

const states = ['all', 'missing', 'failed', 'disagree', 'flaky', 'rated'] as const satisfies readonly CaseState[]

/** An empty field of a form is one that was not filled in. */
const optionalText = z
  .string()
  .max(500)
  .transform((text) => (text === '' ? undefined : text))
  .optional()
const wholeNumber = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .default(fallback)

export const caseQuerySchema = z.object({
  offset: wholeNumber(0),
  limit: wholeNumber(50).pipe(z.number().min(1).max(200)),
  sort: z
    .string()
    .regex(/^(order|id|spread|worst|model:[^]+)$/, 'must be order, id, spread, worst or model:ID')
    .default('order'),
  order: z.enum(['asc', 'desc']).optional(),
  search: z
    .string()
    .max(200)
    .transform((text) => text.trim())
    .default(''),
  category: optionalText,
  tag: optionalText,
  state: z.enum(states).default('all'),
})

export type CaseQuery = z.output<typeof caseQuerySchema>

/** What is asked of: the cases of a selection. */
export interface QueriedCases {
  columns: Columns
  table: CaseTable
  facts: CaseFacts[]
  /** Cells that have no result yet may still get one. */
  isLive: boolean
}

/** All cases in the order asked for; those without the number to sort by last, whichever way round. */
export function sortCases({ columns, table }: QueriedCases, sort: string, order: CaseQuery['order']): Uint32Array {
  const cases = Uint32Array.from({ length: table.cases }, (_, index) => index)
  // The most disagreement is what one looks for; everything else begins at its beginning.
  const sign = (order ?? (sort === 'spread' ? 'desc' : 'asc')) === 'asc' ? 1 : -1
  if (sort === 'order') return sign === 1 ? cases : cases.reverse()
  if (sort === 'id') {
    const ids = columns.caseIds
    return cases.sort((a, b) => (ids[a]! < ids[b]! ? -sign : sign))
  }
  const values = Float64Array.from(cases, createMeasure({ columns, table }, sort))
  return cases.sort((a, b) => {
    const [left, right] = [values[a]!, values[b]!]
    if (Number.isNaN(left) || Number.isNaN(right))
      return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || a - b
    return sign * (left - right) || a - b
  })
}

function createMeasure(
  { columns, table }: Pick<QueriedCases, 'columns' | 'table'>,
  sort: string,
): (caseIndex: number) => number {
  if (sort.startsWith('model:')) {
    const model = columns.modelIds.indexOf(sort.slice('model:'.length))
    if (model < 0)
      throw new Refusal(400, 'bad-query', `sort: there is no model ${sort.slice('model:'.length, 200)} in these runs`)
    return (caseIndex) => table.means[caseIndex * table.models + model]!
  }
  return (caseIndex) => {
    const range = rangeOfCase(table, caseIndex)
    if (!range) return Number.NaN
    return sort === 'worst' ? range.worst : range.best - range.worst
  }
}

/** Whether a case is among those asked for by category, tag and state. */
export function createFilter(
  { table, facts, isLive }: QueriedCases,
  { category, tag, state }: CaseQuery,
): (caseIndex: number) => boolean {
  const hasSome = (caseIndex: number, holds: (place: number) => boolean) => {
    for (let place = caseIndex * table.models; place < (caseIndex + 1) * table.models; place++)
      if (holds(place)) return true
    return false
  }
  const isMissing = (place: number) => {
    const lost = table.unscored[place]! + table.errors[place]!
    return lost > 0 || (!isLive && table.scored[place]! < table.expected[place]!)
  }
  const inState: Record<CaseState, (caseIndex: number) => boolean> = {
    all: () => true,
    missing: (caseIndex) => hasSome(caseIndex, isMissing),
    failed: (caseIndex) => hasSome(caseIndex, (place) => table.scored[place]! > 0 && !passes(table.means[place]!)),
    disagree: (caseIndex) => {
      const range = rangeOfCase(table, caseIndex)
      return range !== undefined && passes(range.best) && !passes(range.worst)
    },
    flaky: (caseIndex) =>
      hasSome(caseIndex, (place) => table.passed[place]! > 0 && table.passed[place]! < table.scored[place]!),
    rated: (caseIndex) => hasSome(caseIndex, (place) => table.isRated[place] === 1),
  }
  return (caseIndex) => {
    const { category: ofCase, tags } = facts[caseIndex]!
    if (category !== undefined && ofCase !== category) return false
    if (tag !== undefined && !tags.includes(tag)) return false
    return inState[state](caseIndex)
  }
}
