import { randomBytes } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { InputError } from '../../contract/index.ts'
import { meansOverCases } from '../../statistics/index.ts'
import {
  previewResults,
  readResults,
  type MetricSummary,
  type ReadResults,
  type ReadResultsOptions,
  type ResultsChoices,
  type ResultsPreview,
} from '../../import/index.ts'
import { keepImportedRuns, systemClock } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { readPieces } from '../http/read-body.ts'
import { checkQuery } from '../http/read-query.ts'
import { Refusal } from '../http/refusal.ts'

/** Options of the command line that the import dialog has fields for; a file name or an id may contain dashes too. */
const OPTION = /(?<=^|[\s(])--(?:metric|scale|lower-is-better|model|columns|split-prompts)(?![\w-])/

function cutLine(line: string): string {
  return line
    .split(/(?<=[;.?])\s/)
    .filter((clause) => !OPTION.test(clause))
    .join(' ')
    .replace(/;$/, '.')
}

/** Without clauses about options of the command line; a message that has nothing else stays whole. */
function withoutOptions(message: string): string {
  const lines = message.split('\n').map(cutLine)
  const kept = lines.filter((line) => line.trim() !== '').join('\n')
  return kept === '' ? message : kept
}

/** A message under the name of its file, which needs no repeating. */
function reword(message: string, file: string): string {
  return withoutOptions(message).replaceAll(`${file}: `, '')
}

const MAX_BYTES = 2 * 1024 ** 3
const MAX_BESIDE_BYTES = 64 * 1024 ** 2
const SIZE_PROBLEM = 'must be a whole number of at most 64 MB'

/** What a file would become, or became. */
export interface ImportedFile {
  tool: string
  task: string
  models: { modelId: string; mean: number | null }[]
  samples: number
  epochs: number
  metric?: string | undefined
  /** What became 100, what 0. */
  scores: string
  scored: number
  unscored: number
  errors: number
  /** The user may name the model. */
  isModelUnnamed: boolean
  /** Which values of the metric are taken for the better ones, if nothing says so. */
  assumedDirection?: 'higher' | 'lower' | undefined
  warnings: string[]
  /** The address of its results. */
  selection: string
}

/** POST /api/imports/preview */
export interface ImportPreview extends Pick<ResultsPreview, 'columns'> {
  metrics: MetricSummary[]
  results: ImportedFile | null
  /** Why it cannot be imported as it is. */
  problem: string | null
}

/** POST /api/imports */
export interface ImportReply extends ImportedFile {
  /** False if the file was imported before. */
  isNew: boolean
}

const number = z
  .string()
  .transform((text) => (text.trim() === '' ? Number.NaN : Number(text)))
  .refine(Number.isFinite, 'must be a number')

const columnPairs = z
  .string()
  .min(1)
  .transform((text, { addIssue }): Record<string, string> => {
    try {
      const pairs = text.split(',').map((pair): [string, string] => {
        const [field = '', column = ''] = pair.split('=').map(decodeURIComponent)
        return [field, column]
      })
      return Object.fromEntries(pairs)
    } catch {
      addIssue('must be field=column pairs, each part percent-encoded')
      return z.NEVER
    }
  })

const choicesSchema = z.object({
  name: z.string().min(1).max(1000),
  metric: z.string().min(1).optional(),
  min: number.optional(),
  max: number.optional(),
  lowerIsBetter: z.enum(['0', '1']).optional(),
  model: z.string().min(1).max(300).optional(),
  /** `id=question,score=grade`, each part encoded. */
  columns: columnPairs.optional(),
  splitPrompts: z.enum(['0', '1']).optional(),
  /** The name of a small file that lies beside it. The body starts with so many bytes of that file. */
  beside: z.string().min(1).max(1000).optional(),
  besideBytes: z
    .string()
    .regex(/^\d{1,8}$/, SIZE_PROBLEM)
    .transform(Number)
    .refine((bytes) => bytes <= MAX_BESIDE_BYTES, SIZE_PROBLEM)
    .optional(),
})

type Choices = z.output<typeof choicesSchema>

function readChoices({ metric, min, max, lowerIsBetter, model, columns, splitPrompts }: Choices): ResultsChoices {
  if ((min === undefined) !== (max === undefined) || (min !== undefined && max !== undefined && min >= max))
    throw new Refusal(422, 'bad-scale', 'A scale has a lowest and a highest value, the lowest first.')
  return {
    ...(metric !== undefined && { metric }),
    ...(min !== undefined && max !== undefined && { scale: { min, max } }),
    ...(lowerIsBetter !== undefined && { lowerIsBetter: lowerIsBetter === '1' }),
    ...(model !== undefined && { model }),
    ...(columns !== undefined && { columns }),
    ...(splitPrompts === '1' && { splitPrompts: true }),
  }
}

function toImportedFile({ runs, seriesId, models, warnings, ...about }: ReadResults): ImportedFile {
  const {
    file,
    isModelUnnamed,
    assumedDirection,
    tool,
    task,
    samples,
    epochs,
    metric,
    scores,
    scored,
    unscored,
    errors,
  } = about
  const means = meansOverCases(runs)
  return {
    tool,
    task,
    samples,
    epochs,
    metric,
    scores,
    scored,
    unscored,
    errors,
    models: models.map((modelId) => ({ modelId, mean: means.get(modelId) ?? null })),
    isModelUnnamed,
    ...(assumedDirection !== undefined && { assumedDirection }),
    warnings: warnings.map((warning) => reword(warning, file)),
    selection: seriesId === undefined ? runs[0]!.id : `series:${seriesId}`,
  }
}

/** Only the last part of a path, as its owner calls it. */
function cleanName(name: string): string {
  return basename(name.replaceAll('\\', '/')) || 'results'
}

/** The first bytes of the upload as text, and what else came with them. */
async function takeBeside(
  pieces: AsyncGenerator<Uint8Array>,
  size: number,
): Promise<{ text: string; rest: Uint8Array }> {
  const taken: Uint8Array[] = []
  for (let length = 0; length < size; length += taken.at(-1)!.length) {
    const { value, done } = await pieces.next()
    if (done) throw new Refusal(400, 'too-short', 'The body has fewer bytes than besideBytes says.')
    taken.push(value)
  }
  const bytes = Buffer.concat(taken)
  return { text: bytes.toString('utf8', 0, size), rest: bytes.subarray(size) }
}

/** Results of other tools, uploaded as they are. */
export function importRoutes(context: ServerContext) {
  const folder = join(context.dataFolder, 'uploads')

  /** Keeps the upload in a file while it is read: logs can be larger than memory. */
  const withUpload = async <Result>(
    c: Context,
    { beside: besideName, besideBytes, ...query }: Choices,
    work: (path: string, options: ReadResultsOptions) => Promise<Result>,
  ): Promise<Result> => {
    if ((besideName === undefined) !== (besideBytes === undefined))
      throw new Refusal(400, 'bad-query', 'beside and besideBytes belong together')
    const choices = readChoices(query)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, randomBytes(12).toString('hex'))
    let beside: ReadResultsOptions['beside']
    try {
      const file = await open(path, 'wx', 0o600)
      try {
        const pieces = readPieces(c, MAX_BYTES)
        const { text, rest } = await takeBeside(pieces, besideBytes ?? 0)
        await file.appendFile(rest)
        for await (const piece of pieces) await file.appendFile(piece)
        if (besideName !== undefined) beside = { name: cleanName(besideName), text }
      } finally {
        await file.close()
      }
      return await work(path, { ...choices, name: cleanName(query.name), beside, now: context.now() })
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      throw new Refusal(422, 'not-results', withoutOptions(error.message))
    } finally {
      await rm(path, { force: true })
    }
  }

  /** One after another: what is kept of a file may be large, and is in memory until it is stored. */
  let earlier: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = earlier.then(work)
    earlier = turn.catch(() => {})
    return turn
  }

  return new Hono()
    .post('/imports/preview', checkQuery(choicesSchema), async (c) => {
      const query = c.req.valid('query')
      const preview = await withUpload(c, query, (path, options) =>
        inTurn(async (): Promise<ImportPreview> => {
          const { metrics, columns, results, problem } = await previewResults(path, options)
          return {
            metrics,
            ...(columns && { columns }),
            results: results ? toImportedFile(results) : null,
            problem: problem === undefined ? null : reword(problem, cleanName(query.name)),
          }
        }),
      )
      return c.json(preview)
    })
    .post('/imports', checkQuery(choicesSchema), async (c) => {
      const reply = await withUpload(c, c.req.valid('query'), (path, options) =>
        inTurn(async (): Promise<ImportReply> => {
          const results = await readResults(path, options)
          const isNew = await keepImportedRuns(results, { storage: context.storage, clock: systemClock })
          return { ...toImportedFile(results), isNew }
        }),
      )
      return c.json(reply, 201)
    })
}

/** For the web app's client. */
export type ImportRoutes = ReturnType<typeof importRoutes>
