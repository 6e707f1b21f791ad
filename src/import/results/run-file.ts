import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { z } from 'zod'
import {
  cellName,
  InputError,
  LATEST_TIME,
  MAX_COST,
  PLAYGROUND_SUITE_PREFIX,
  raterSchema,
  ratingQueueSchema,
  runKindSchema,
  runStatusSchema,
  runLabelSchema,
  scoringResultSchema,
  suiteSchema,
  type RunKind,
  type RunResult,
} from '../../contract/index.ts'
import { parseJson, readSource } from '../text/source-text.ts'
import { splitJson } from '../text/split-json.ts'

const amount = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER).optional()
const time = z.number().min(-LATEST_TIME).max(LATEST_TIME).optional()
const cost = z.number().nonnegative().max(MAX_COST).optional()

const parametersSchema = z.looseObject({
  temperature: z.number(),
  topP: z.number(),
  maxTokens: z.number(),
  frequencyPenalty: z.number(),
  presencePenalty: z.number(),
  benchmarkMode: z.boolean(),
})

const ratingFields = { rating: z.number().min(0).max(1).optional(), note: z.string().optional() }

const tokens = z.int().nonnegative().exactOptional()

/** Loose, so that fields from a later version survive being read by an older one. */
const cellSchema = z.looseObject({
  testCaseId: z.string(),
  modelId: z.string().min(1),
  status: runStatusSchema.optional(),
  outcome: z
    .enum(['ok', 'empty', 'refusal', 'filtered', 'truncated', 'limit', 'error', 'timeout', 'cancelled'])
    .optional(),
  response: z.string().optional(),
  toolCalls: z.array(z.looseObject({ name: z.string(), arguments: z.unknown().default(null) })).optional(),
  score: scoringResultSchema.optional(),
  unscored: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  latencyMs: amount,
  firstTokenMs: amount,
  promptTokens: amount,
  completionTokens: amount,
  tokenDetails: z
    .object({ cachedPrompt: tokens, cacheWrite: tokens, cacheWriteHour: tokens, reasoning: tokens })
    .optional(),
  cachedAt: time,
  cost,
  attempts: amount,
  leftOut: z.array(z.string()).optional(),
  sent: z.record(z.string(), z.unknown()).optional(),
  requestNotes: z.array(z.string()).optional(),
  servedBy: z.string().optional(),
  error: z.string().optional(),
  rating: z.looseObject(ratingFields).optional(),
  ratings: z.array(z.looseObject({ ...ratingFields, rater: raterSchema, queueId: z.string().optional() })).optional(),
})

const runSchema = z.looseObject({
  id: z.string().min(1),
  kind: runKindSchema.optional(),
  seriesId: z.string().optional(),
  label: runLabelSchema.optional(),
  testSuiteId: z.string().optional(),
  testSuiteName: z.string().optional(),
  testSuiteSnapshot: suiteSchema.optional(),
  models: z.array(z.string()),
  parameters: parametersSchema.optional(),
  judgeModel: z.string().optional(),
  startedAt: time,
  completedAt: time,
  status: runStatusSchema.optional(),
  results: z.array(cellSchema),
  versions: z.record(z.string(), z.string()).optional(),
  ratingQueues: z.array(ratingQueueSchema).optional(),
})

const exportSchema = z.object({ runs: z.array(runSchema).min(1, 'has no runs') })

/** The kind of a run that was exported before runs had one. */
function inferKind({ versions, testSuiteSnapshot, testSuiteId = '' }: RunResult): RunKind {
  if (versions?.['importedFrom'] !== undefined) return 'imported'
  if (testSuiteSnapshot?.testCases.some(({ metadata }) => metadata?.['codeArena'] !== undefined)) return 'page'
  return testSuiteId.startsWith(PLAYGROUND_SUITE_PREFIX) ? 'playground' : 'suite'
}

/** Refuses two results for one cell: it would be unclear which one counts. */
function refuseRepeats(runs: RunResult[], file: string): void {
  const runIds = new Set<string>()
  for (const { id, results } of runs) {
    if (runIds.has(id)) throw new InputError(`${file}: two runs have the id ${JSON.stringify(id)}`)
    runIds.add(id)
    const cells = new Set<string>()
    for (const { testCaseId, modelId } of results) {
      const cell = cellName({ testCaseId, modelId })
      if (cells.has(cell))
        throw new InputError(
          `${file}: run ${id} has two results of ${modelId} on test case ${JSON.stringify(testCaseId)}`,
        )
      cells.add(cell)
    }
  }
}

/** Loads runs from a JSON export or from the output of `--json`. The statistics in it are ignored and computed again. */
export function parseRunFile(text: string, file: string): RunResult[] {
  const value = parseJson(text, file)
  const parsed = exportSchema.safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new InputError(
      `${file}: ${issue.path.join('.') || 'the document'}: ${issue.message}; expected { "runs": [ … ] } as a JSON export has it`,
    )
  }
  refuseRepeats(parsed.data.runs, file)
  return parsed.data.runs.map((run: RunResult) => ({ ...run, kind: run.kind ?? inferKind(run) }))
}

export async function loadRunFile(file: string): Promise<RunResult[]> {
  return parseRunFile(await readSource(file), file)
}

/** Other programs may have sorted the keys of an export: the statistics before its runs are smaller than this. */
const MAX_BYTES_BEFORE_RUNS = 16 * 1024 * 1024

/** A JSON export has a list of runs; anything else is read as a suite, which reports errors in detail. */
export async function containsRuns(file: string): Promise<boolean> {
  if (extname(file).toLowerCase() !== '.json') return false
  let isFound = false
  const start = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of createReadStream(file, { end: MAX_BYTES_BEFORE_RUNS })) {
      yield chunk as Buffer
      if (isFound) return
    }
  }
  const parts = splitJson(start(), {
    name: file,
    decide(path) {
      const isRun = path.length === 2 && path[0] === 'runs' && path[1] === '*'
      isFound ||= isRun
      return path.length === 0 || path.join('.') === 'runs' ? 'enter' : 'skip'
    },
  })
  try {
    for await (const { path } of parts) if (path.join('.') === 'runs') isFound = true
  } catch {
    // The start of a file ends anywhere; a file that is not there or no JSON has no runs.
  }
  return isFound
}
