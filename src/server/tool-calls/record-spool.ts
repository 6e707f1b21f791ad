import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { z } from 'zod'
import { parseExactJson } from '../../contract/index.ts'
import { stringifyAny, type ScoredRecord, type ToolCallReasons } from '../../scoring/tool-calls/index.ts'
import type { RecordPlace } from '../../import/tool-results/score-results-file.ts'
import { createPauses } from '../results/selection/pauses.ts'

const scoresSchema = z.object({ calls: z.number(), effects: z.number() })

/** One line of the list of records; `at` is where its reasons are in their separate file. */
const rowSchema = z.object({
  taskId: z.string(),
  trial: z.number(),
  reward: z.number().optional(),
  score: z.number().nullable(),
  scores: scoresSchema.nullable(),
  problems: z.array(z.string()),
  at: z.tuple([z.number(), z.number()]),
  /** Where the record itself is in the uploaded file. */
  source: z.tuple([z.number(), z.number()]),
})

export type RecordRow = z.output<typeof rowSchema>

const BUFFER_SIZE = 1 << 18

/** Writes lines in large chunks and returns where each starts. */
async function createLineWriter(path: string) {
  const file = await open(path, 'wx', 0o600)
  let waiting: Buffer[] = []
  let buffered = 0
  let written = 0
  const flush = async () => {
    const pieces = waiting
    waiting = []
    written += buffered
    buffered = 0
    await file.appendFile(Buffer.concat(pieces))
  }
  return {
    async add(text: string): Promise<[start: number, length: number]> {
      const line = Buffer.from(`${text}\n`)
      const start = written + buffered
      waiting.push(line)
      buffered += line.length
      if (buffered > BUFFER_SIZE) await flush()
      return [start, line.length - 1]
    },
    async close(): Promise<void> {
      await flush()
      await file.close()
    },
  }
}

interface SpoolPaths {
  rows: string
  reasons: string
}

/** Writes scored records to disk: one short line each for paging, and their reason trees for lookup. */
export async function createRecordSpool({ rows, reasons }: SpoolPaths) {
  const [rowLines, reasonLines] = [await createLineWriter(rows), await createLineWriter(reasons)]
  return {
    async add(
      { taskId, trial, reward, score, scores, reasons: why, problems }: ScoredRecord,
      { offset, length }: RecordPlace,
    ): Promise<void> {
      const at = await reasonLines.add(stringifyAny(why))
      const row: RecordRow = {
        taskId,
        trial,
        ...(reward !== undefined && { reward }),
        score,
        scores,
        problems,
        at,
        source: [offset, length],
      }
      await rowLines.add(JSON.stringify(row))
    },
    async close(): Promise<void> {
      await rowLines.close()
      await reasonLines.close()
    },
  }
}

/** Not with `readline`, which also ends a line at U+2028 and U+2029: JSON has these inside strings. */
async function* readLines(path: string): AsyncGenerator<string> {
  const pieces: string[] = []
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: BUFFER_SIZE })) {
    const [first = '', ...rest] = String(chunk).split('\n')
    pieces.push(first)
    for (const next of rest) {
      yield pieces.splice(0).join('')
      pieces.push(next)
    }
  }
}

export async function readRows(path: string): Promise<RecordRow[]> {
  const rows: RecordRow[] = []
  const pauses = createPauses()
  for await (const line of readLines(path)) {
    rows.push(rowSchema.parse(JSON.parse(line)))
    if (pauses.isDue()) await pauses.take()
  }
  return rows
}

/** Reads the reasons as `createRecordSpool` wrote them. */
export async function readReasons(path: string, at: RecordRow['at']): Promise<ToolCallReasons | null> {
  return parseExactJson<ToolCallReasons | null>(await readPart(path, at))
}

/** Reads a part of a file. */
export async function readPart(path: string, [start, length]: RecordRow['at']): Promise<string> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, start)
    return buffer.toString('utf8')
  } finally {
    await file.close()
  }
}
