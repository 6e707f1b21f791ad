/** The process that reads one file of runs or results for another process, which outlives it. */
import { flushCompileCache } from 'node:module'
import { InputError, type CellResult, type RunResult, type TestCase } from '../../contract/index.ts'
import { estimateMemory, readImportLimits, refuseMemory } from './import-budget.ts'
import {
  previewResults,
  readResults,
  type ReadResults,
  type ReadResultsOptions,
  type ResultsPreview,
} from './read-results.ts'
import { loadRunFile } from './run-file.ts'

export interface ReadingJob {
  kind: 'results' | 'preview' | 'runs'
  path: string
  options: ReadResultsOptions
}

/** Without its runs, which are sent in pieces before it. */
export interface ReadingReply {
  results?: ReadResults
  preview?: ResultsPreview
}

export type ReadingMessage =
  | { type: 'run'; run: RunResult; hasOwnSuite: boolean }
  | { type: 'cases'; cases: TestCase[] }
  | { type: 'cells'; cells: CellResult[] }
  | { type: 'done'; reply: ReadingReply }
  | { type: 'failed'; message: string; isInput: boolean }

const PIECE_BYTES = 4 * 1024 ** 2

function* inPieces<Item>(items: readonly Item[]): Generator<Item[]> {
  let piece: Item[] = []
  let size = 0
  for (const item of items) {
    piece.push(item)
    size += estimateMemory(item)
    if (size < PIECE_BYTES) continue
    yield piece
    piece = []
    size = 0
  }
  if (piece.length > 0) yield piece
}

/** Waits until it is written: otherwise all pieces would be in memory a second time. */
function send(message: ReadingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send!(message, undefined, undefined, (error: Error | null) => (error ? reject(error) : resolve()))
  })
}

/** The runs of a series share their suite, here and there. */
async function sendRuns(runs: readonly RunResult[]): Promise<void> {
  let earlier: RunResult['testSuiteSnapshot']
  for (const run of runs) {
    const { testSuiteSnapshot: suite, results } = run
    const hasOwnSuite = suite !== undefined && suite !== earlier
    const { testSuiteSnapshot: _suite, ...header } = { ...run, results: [] }
    await send({
      type: 'run',
      run: hasOwnSuite ? { ...header, testSuiteSnapshot: { ...suite, testCases: [] } } : header,
      hasOwnSuite: suite === undefined || hasOwnSuite,
    })
    if (hasOwnSuite) for (const cases of inPieces(suite.testCases)) await send({ type: 'cases', cases })
    for (const cells of inPieces(results)) await send({ type: 'cells', cells })
    earlier = suite
  }
}

async function readJob({ kind, path, options }: ReadingJob): Promise<{ runs: RunResult[]; reply: ReadingReply }> {
  if (kind === 'runs') return { runs: await loadRunFile(path), reply: {} }
  if (kind === 'results') {
    const { runs, ...results } = await readResults(path, options)
    return { runs, reply: { results: { ...results, runs: [] } } }
  }
  const preview = await previewResults(path, options)
  const { results } = preview
  return {
    runs: results?.runs ?? [],
    reply: { preview: { ...preview, ...(results && { results: { ...results, runs: [] } }) } },
  }
}

/** V8 throws these for texts and lists beyond what it can hold, and when a call takes more arguments than its stack. */
function explain(error: unknown, { path, options }: ReadingJob): unknown {
  return error instanceof RangeError ? refuseMemory(options.name ?? path, readImportLimits().keptBytes) : error
}

async function work(job: ReadingJob): Promise<void> {
  try {
    const { runs, reply } = await readJob(job)
    await sendRuns(runs)
    await send({ type: 'done', reply })
  } catch (thrown) {
    const error = explain(thrown, job)
    const message =
      error instanceof InputError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error)
    await send({ type: 'failed', message, isInput: error instanceof InputError })
  }
}

// Written now, where there is such a cache: the process is ended without notice.
flushCompileCache()
process.once('message', (job: ReadingJob) => void work(job))
process.once('disconnect', () => process.exit())
