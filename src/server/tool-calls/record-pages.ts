import { z } from 'zod'
import { creditSchema, rangeOf, type Credit } from '../../scoring/tool-calls/index.ts'
import type { RecordRow } from './record-spool.ts'

/** GET /api/tool-calls/:id/records?credit=&offset=&limit=&search=&range=&reward= */
export interface ToolCallRecords {
  total: number
  offset: number
  records: {
    index: number
    taskId: string
    trial: number
    reward?: number
    score: number | null
    scores: Record<Credit, number> | null
    range: string | null
    problems: string[]
  }[]
}

/** Effects credit leads: it is closer to success. */
export const creditParameter = creditSchema.default('effects')

const wholeNumber = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .default(fallback)

export const recordQuerySchema = z.object({
  credit: creditParameter,
  offset: wholeNumber(0),
  limit: wholeNumber(50).pipe(z.number().min(1).max(200)),
  search: z
    .string()
    .max(200)
    .transform((text) => text.trim().toLowerCase())
    .default(''),
  range: z.enum(['', 'perfect', 'near miss', 'partial success', 'wrong approach']).default(''),
  reward: z.enum(['', 'passed', 'failed', 'unknown']).default(''),
})

export type RecordQuery = z.output<typeof recordQuerySchema>

const MAX_ID_LENGTH = 300

function rewardKind({ reward }: Pick<RecordRow, 'reward'>): 'passed' | 'failed' | 'unknown' {
  if (reward === undefined) return 'unknown'
  return reward > 0.9 ? 'passed' : 'failed'
}

export function toRecord(
  { taskId, trial, reward, score, scores, problems }: RecordRow,
  index: number,
): ToolCallRecords['records'][number] {
  return {
    index,
    taskId: taskId.slice(0, MAX_ID_LENGTH),
    trial,
    ...(reward !== undefined && { reward }),
    score,
    scores,
    range: score === null ? null : rangeOf(score),
    problems,
  }
}

/** One page of the records of a file, in file order. */
export function createRecordPage(
  rows: readonly RecordRow[],
  { offset, limit, search, range, reward }: RecordQuery,
): ToolCallRecords {
  const matching: number[] = []
  for (const [index, row] of rows.entries()) {
    if (search !== '' && !row.taskId.toLowerCase().includes(search)) continue
    if (range !== '' && (row.score === null || rangeOf(row.score) !== range)) continue
    if (reward !== '' && rewardKind(row) !== reward) continue
    matching.push(index)
  }
  return {
    total: matching.length,
    offset,
    records: matching.slice(offset, offset + limit).map((index) => toRecord(rows[index]!, index)),
  }
}
