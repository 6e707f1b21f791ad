import { stat } from 'node:fs/promises'
import { Hono } from 'hono'
import { z } from 'zod'
import { nameOutput } from '../../import/tool-results/scored-copy.ts'
import { readTranscript, type TranscriptEntry } from '../../import/tool-results/index.ts'
import { formatComparison, warnOfFormats } from '../../report/words/tool-calls/insights.ts'
import {
  makePrintable,
  type Credit,
  type FileComparison,
  type ToolCallReasons,
  creditSchema,
  rangeOf,
} from '../../scoring/tool-calls/index.ts'
import { attachmentHeaders } from '../http/attachment.ts'
import type { ServerContext } from '../context.ts'
import { readPieces } from '../http/read-body.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { checkQuery, strictPage } from '../http/read-query.ts'
import { fitTexts } from '../results/fit-texts.ts'
import { smallestDifferenceSchema } from '../results/smallest-difference.ts'
import { runJobIn, startThread } from '../results/selection/background-thread.ts'
import { readPart, readReasons, type RecordRow } from './record-spool.ts'
import { createScoredFiles, type ScoredFile, type ToolCallFile } from './scored-files.ts'
import { createToolCallFiles, streamFile, type UploadFolder } from './tool-call-files.ts'

/** GET /api/tool-calls/:id/records?credit=&offset=&limit=&search=&range=&reward= */
export interface ToolCallRecords {
  total: number
  offset: number
  records: Omit<ToolCallRecord, 'reasons'>[]
}

/** Effects credit leads: it is closer to success. */
const creditParameter = creditSchema.default('effects')

const recordQuerySchema = z.object({
  credit: creditParameter,
  ...strictPage,
  search: z
    .string()
    .max(200)
    .transform((text) => text.trim().toLowerCase())
    .default(''),
  range: z.enum(['', 'perfect', 'near miss', 'partial success', 'wrong approach']).default(''),
  reward: z.enum(['', 'passed', 'failed', 'unknown']).default(''),
})

type RecordQuery = z.output<typeof recordQuerySchema>

const MAX_ID_LENGTH = 300

function rewardKind({ reward }: Pick<RecordRow, 'reward'>): 'passed' | 'failed' | 'unknown' {
  if (reward === undefined) return 'unknown'
  return reward > 0.9 ? 'passed' : 'failed'
}

function toRecord(
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
function createRecordPage(
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

/** GET /api/tool-calls */
export type ToolCallFileList = Pick<ToolCallFile, 'id' | 'name' | 'format' | 'size' | 'addedAt'>[]

/** GET /api/tool-calls/:id/records/:index?credit= */
export interface ToolCallRecord {
  index: number
  taskId: string
  trial: number
  reward?: number
  score: number | null
  scores: Record<Credit, number> | null
  range: string | null
  reasons: ToolCallReasons | null
  problems: string[]
}

/** GET /api/tool-calls/:id/records/:index/transcript */
export interface ToolCallTranscript {
  entries: TranscriptEntry[]
  /** Messages at the end that did not fit into the reply. */
  leftOut: number
}

/** GET /api/tool-calls/compare?a=ID&b=ID&credit=&smallestDifference= */
export interface ToolCallComparison {
  a: string
  b: string
  /** Why the files may not be comparable. */
  warnings: string[]
  comparisons: FileComparison[]
  sentences: string[]
}

const MAX_BYTES = 512 * 1024 * 1024

/** Comparing more tasks than this would block this thread for too long. */
const MAX_TASKS_INLINE = 2000

const ROOM_FOR_REASONS = 900_000
const ROOM_FOR_TRANSCRIPT = 900_000

/** More messages than this would make the page slow. */
const MAX_ENTRIES = 2000

const uploadSchema = z.object({
  name: z.string().max(1000).default('results.json'),
  credit: creditParameter,
  answersFor: z.string().optional(),
  salvage: z.enum(['0', '1']).default('0'),
})
const creditQuerySchema = z.object({ credit: creditParameter })
const compareSchema = z.object({
  a: z.string().min(1),
  b: z.string().min(1),
  credit: creditParameter,
  smallestDifference: smallestDifferenceSchema,
})

function toToolCallFile(
  { about: { salvage: _salvage, ...about } }: UploadFolder,
  credit: Credit,
  { summary, statistics, problems, bins }: ScoredFile,
): ToolCallFile {
  return {
    ...about,
    credit,
    summary: { ...summary, tools: summary.tools.slice(0, 500), arguments: summary.arguments.slice(0, 1000) },
    statistics,
    problems,
    bins,
  }
}

/** As much as fits: all messages with their longest texts cut, else only the first ones. */
function fitTranscript(entries: TranscriptEntry[]): ToolCallTranscript {
  const printable = entries.slice(0, MAX_ENTRIES).map(({ calls, ...entry }) => ({
    ...entry,
    calls: calls.map((call) => ({ ...call, arguments: makePrintable(call.arguments) })),
  }))
  for (let count = printable.length; count > 0; count = Math.floor(count / 2)) {
    const shown = fitTexts(printable.slice(0, count), ROOM_FOR_TRANSCRIPT)
    if (shown) return { entries: shown, leftOut: entries.length - count }
  }
  return { entries: [], leftOut: entries.length }
}

/** Results files of agents that call tools: upload, scores and details. */
export function toolCallRoutes(context: ServerContext) {
  const files = createToolCallFiles(context)
  const scored = createScoredFiles()
  const findRow = async (id: string, text: string, credit: Credit) => {
    const folder = await files.find(id)
    const index = /^\d{1,9}$/.test(text) ? Number(text) : -1
    const row = (await scored.rows(folder, credit))[index]
    if (!row) throw notFound('The record')
    return { folder, index, row }
  }
  const compareTwo = async (
    [first, second]: readonly [UploadFolder, UploadFolder],
    { credit, smallestDifference }: { credit: Credit; smallestDifference: number | undefined },
  ): Promise<ToolCallComparison> => {
    const isSameName = first.about.name === second.about.name
    const names = [first, second].map(({ about }, index) =>
      isSameName ? `${about.name} (${index === 0 ? 'A' : 'B'})` : about.name,
    )
    const compared = []
    for (const [index, folder] of [first, second].entries()) {
      const rows = await scored.rows(folder, credit)
      compared.push({
        name: names[index]!,
        rows: rows.map(({ taskId, reward, score, scores }) => ({ taskId, reward, score, scores })),
      })
    }
    const isLarge = compared.some(({ rows }) => rows.length > MAX_TASKS_INLINE)
    let comparisons: FileComparison[] = []
    await runJobIn(
      isLarge ? startThread() : undefined,
      { kind: 'compare-files', input: { files: compared, smallestDifference } },
      (result) => {
        if (result.part === 'compared-files') comparisons = result.comparisons
      },
    )
    return {
      a: names[0]!,
      b: names[1]!,
      warnings: warnOfFormats([first, second].map(({ about }) => about)),
      comparisons,
      sentences: comparisons.map(formatComparison),
    }
  }

  // `compare` must come before `:id`: the first matching route answers.
  return new Hono()
    .get('/tool-calls', async (c) => {
      const list: ToolCallFileList = (await files.list()).map(({ id, name, format, size, addedAt }) => ({
        id,
        name,
        format,
        size,
        addedAt,
      }))
      return c.json(list)
    })
    .post('/tool-calls', checkQuery(uploadSchema), async (c) => {
      const { name, credit, answersFor, salvage } = c.req.valid('query')
      const upload = { name, pieces: readPieces(c, MAX_BYTES), salvage: salvage === '1' }
      if (answersFor !== undefined) {
        const folder = await files.find(answersFor)
        await files.addAnswers(folder, upload, () => scored.forget(folder))
        return c.json(toToolCallFile(folder, credit, await scored.load(folder, credit)))
      }
      const folder = await files.add(upload, async (unfinished, file) => {
        await scored.score(unfinished, credit, file)
      })
      return c.json(toToolCallFile(folder, credit, await scored.load(folder, credit)), 201)
    })
    .get('/tool-calls/compare', checkQuery(compareSchema), async (c) => {
      const { a, b, ...options } = c.req.valid('query')
      if (a === b) throw new Refusal(400, 'same-file', 'A file cannot be compared with itself: choose two.')
      const [first, second] = [await files.find(a), await files.find(b)]
      return c.json(await compareTwo([first, second], options))
    })
    .get('/tool-calls/:id', checkQuery(creditQuerySchema), async (c) => {
      const { credit } = c.req.valid('query')
      const folder = await files.find(c.req.param('id'))
      return c.json(toToolCallFile(folder, credit, await scored.load(folder, credit)))
    })
    .get('/tool-calls/:id/records', checkQuery(recordQuerySchema), async (c) => {
      const query = c.req.valid('query')
      const folder = await files.find(c.req.param('id'))
      return c.json(createRecordPage(await scored.rows(folder, query.credit), query))
    })
    .get('/tool-calls/:id/records/:index', checkQuery(creditQuerySchema), async (c) => {
      const { credit } = c.req.valid('query')
      const { folder, index, row } = await findRow(c.req.param('id'), c.req.param('index'), credit)
      const reasons = await readReasons(scored.reasonsPath(folder, credit), row.at)
      const fitted = reasons && fitTexts(reasons, ROOM_FOR_REASONS)
      const { problems, ...about } = toRecord(row, index)
      const record: ToolCallRecord = {
        ...about,
        reasons: fitted ?? null,
        problems:
          reasons && !fitted
            ? [...problems, 'the reasons are too large to show; the scored copy has the score']
            : problems,
      }
      return c.json(record)
    })
    .get('/tool-calls/:id/records/:index/transcript', async (c) => {
      const { folder, row } = await findRow(c.req.param('id'), c.req.param('index'), 'effects')
      const entries = readTranscript(folder.about.format, await readPart(folder.results, row.source))
      return c.json(fitTranscript(entries))
    })
    .get('/tool-calls/:id/scored', checkQuery(creditQuerySchema), async (c) => {
      const { credit } = c.req.valid('query')
      const folder = await files.find(c.req.param('id'))
      const copy = await scored.writeCopy(folder, credit)
      const headers = attachmentHeaders(nameOutput(folder.about.name), 'application/json; charset=utf-8')
      return c.body(streamFile(copy), 200, {
        ...headers,
        'x-content-type-options': 'nosniff',
        'content-length': String((await stat(copy)).size),
      })
    })
    .delete('/tool-calls/:id', async (c) => {
      await files.remove(c.req.param('id'))
      return c.json({})
    })
}

/** For the web app's client. */
export type ToolCallRoutes = ReturnType<typeof toolCallRoutes>
