import { strictPage } from '../../http/read-query.ts'
import { z } from 'zod'
import type { ScoreTable } from '../../../contract/index.ts'
import { Refusal } from '../../http/refusal.ts'
import type { CaseFacts } from './case-facts.ts'
import { scoresOfCase, type CaseTable } from './case-table.ts'

export type CaseState =
  | 'all'
  | 'missing'
  | 'error'
  | 'not-run'
  | 'failed'
  | 'disagree'
  | 'all-failed'
  | 'flaky'
  | 'doubtful'
  | 'rated'

const caseStates = [
  'all',
  'missing',
  'error',
  'not-run',
  'failed',
  'disagree',
  'all-failed',
  'flaky',
  'doubtful',
  'rated',
] as const satisfies readonly CaseState[]

/** An empty form field counts as absent. */
const optionalText = z
  .string()
  .max(500)
  .transform((text) => (text === '' ? undefined : text))
  .optional()
/** Which cases, in which order. */
export const caseFilters = {
  /** `order` of the suite, `id`, `spread` (disagreement between models), `worst` (the lowest mean), or `model:ID`. */
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
  difficulty: optionalText,
  /** Only cases on which some model scores less, 0 to 100. */
  below: z
    .string()
    .optional()
    .transform((text, context): number | undefined => {
      if (text === undefined || text.trim() === '') return undefined
      const points = Number(text)
      if (points > 0 && points <= 100) return points / 100
      context.addIssue('must be a score from 0 to 100')
      return z.NEVER
    }),
  /** With the first lines of each answer. */
  answers: z
    .enum(['', '1'])
    .default('')
    .transform((text) => text === '1'),
  state: z.enum(caseStates).default('all'),
}

export const caseQuerySchema = z.object({ ...strictPage, ...caseFilters })

export type CaseQuery = z.output<typeof caseQuerySchema>

/** Without the part of the list. */
export type CaseFilter = Omit<CaseQuery, 'offset' | 'limit' | 'answers'>

/** The cases of a selection, for queries. */
export interface QueriedCases {
  scores: ScoreTable
  table: CaseTable
  facts: CaseFacts[]
  /** Cells without a result may still get one. */
  isLive: boolean
}

/** All cases in the requested order; those without the number to sort by come last in either direction. */
export function sortCases({ scores, table }: QueriedCases, sort: string, order: CaseQuery['order']): Uint32Array {
  const cases = Uint32Array.from({ length: table.cases }, (_, index) => index)
  // Users look for the most disagreement first; everything else starts in ascending order.
  const sign = (order ?? (sort === 'spread' ? 'desc' : 'asc')) === 'asc' ? 1 : -1
  if (sort === 'order') return sign === 1 ? cases : cases.reverse()
  if (sort === 'id') {
    const ids = scores.caseIds
    return cases.sort((a, b) => (ids[a]! < ids[b]! ? -sign : sign))
  }
  const values = Float64Array.from(cases, createMeasure({ scores, table }, sort))
  return cases.sort((a, b) => {
    const [left, right] = [values[a]!, values[b]!]
    if (Number.isNaN(left) || Number.isNaN(right))
      return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || a - b
    return sign * (left - right) || a - b
  })
}

function createMeasure(
  { scores, table }: Pick<QueriedCases, 'scores' | 'table'>,
  sort: string,
): (caseIndex: number) => number {
  if (sort.startsWith('model:')) {
    const model = scores.modelIds.indexOf(sort.slice('model:'.length))
    if (model < 0)
      throw new Refusal(400, 'bad-query', `sort: there is no model ${sort.slice('model:'.length, 200)} in these runs`)
    return (caseIndex) => table.means[caseIndex * table.models + model]!
  }
  return (caseIndex) => {
    const range = scoresOfCase(table, caseIndex)
    if (!range) return Number.NaN
    return sort === 'worst' ? range.mean : range.best - range.worst
  }
}

/** Returns a function that tells whether a case matches the category, tag and state. */
export function createFilter(
  { table, facts, isLive }: QueriedCases,
  { category, tag, difficulty, below, state }: Pick<CaseQuery, 'category' | 'tag' | 'difficulty' | 'below' | 'state'>,
): (caseIndex: number) => boolean {
  const hasSome = (caseIndex: number, holds: (index: number) => boolean) => {
    for (let index = caseIndex * table.models; index < (caseIndex + 1) * table.models; index++)
      if (holds(index)) return true
    return false
  }
  const isNotRun = (index: number) =>
    table.scored[index]! + table.unscored[index]! + table.errors[index]! < table.expected[index]!
  const isMissing = (index: number) => table.unscored[index]! + table.errors[index]! > 0 || (!isLive && isNotRun(index))
  // Passing in some runs only is not enough.
  const hasFailed = (index: number) => table.passed[index]! < table.scored[index]!
  const inState: Record<CaseState, (caseIndex: number) => boolean> = {
    all: () => true,
    missing: (caseIndex) => hasSome(caseIndex, isMissing),
    error: (caseIndex) => hasSome(caseIndex, (index) => table.errors[index]! > 0),
    'not-run': (caseIndex) => hasSome(caseIndex, isNotRun),
    failed: (caseIndex) => hasSome(caseIndex, hasFailed),
    disagree: (caseIndex) =>
      hasSome(caseIndex, hasFailed) && hasSome(caseIndex, (index) => table.scored[index]! > 0 && !hasFailed(index)),
    'all-failed': (caseIndex) =>
      hasSome(caseIndex, (index) => table.scored[index]! > 0) &&
      !hasSome(caseIndex, (index) => table.passed[index]! > 0),
    flaky: (caseIndex) =>
      hasSome(caseIndex, (index) => table.passed[index]! > 0 && table.passed[index]! < table.scored[index]!),
    doubtful: (caseIndex) => hasSome(caseIndex, (index) => table.isDoubtful[index] === 1),
    rated: (caseIndex) => hasSome(caseIndex, (index) => table.isRated[index] === 1),
  }
  return (caseIndex) => {
    const { category: caseCategory, tags, difficulty: caseDifficulty } = facts[caseIndex]!
    if (category !== undefined && caseCategory !== category) return false
    if (tag !== undefined && !tags.includes(tag)) return false
    if (difficulty !== undefined && caseDifficulty !== difficulty) return false
    // The allowance for rounding keeps a case at exactly the limit out.
    if (below !== undefined && !hasSome(caseIndex, (index) => table.means[index]! < below - 1e-9)) return false
    return inState[state](caseIndex)
  }
}
