import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { InputError, type RunResult } from '../../contract/index.ts'
import { explainReadError } from '../text/source-text.ts'
import type { ResultsChoices, ResultsFile } from './foreign-results.ts'
import { makeRuns } from './make-runs.ts'
import { findResultsReader, refuseUnknown } from './recognise-results.ts'
import { mapScores, type MetricSummary } from './score-mapping.ts'

export type { ResultsChoices } from './foreign-results.ts'
export type { MetricSummary } from './score-mapping.ts'

const START_BYTES = 1 << 20
const MAX_SIBLING_BYTES = 64 * 1024 * 1024

/** A results file of another tool as runs of ours, with all that a user should know about how they came to be. */
export interface ReadResults {
  file: string
  /** `Inspect AI 0.3.128`. */
  tool: string
  task: string
  runs: RunResult[]
  /** If the file has several epochs: each is a run of this series. */
  seriesId?: string | undefined
  models: string[]
  samples: number
  epochs: number
  /** The metric that counts; undefined if the file has no scores. */
  metric?: string | undefined
  metrics: MetricSummary[]
  /** What became 100, what 0. */
  scores: string
  scored: number
  unscored: number
  errors: number
  warnings: string[]
}

export interface ReadResultsOptions extends ResultsChoices {
  now: number
  /** What the owner calls the file; an uploaded one has another path. Files beside it are not read then. */
  name?: string | undefined
}

/** Opens a file as far as recognising it takes. */
async function openResultsFile(path: string, name?: string): Promise<ResultsFile> {
  const explain = (error: unknown) => new InputError(`${name ?? path}: ${explainReadError(error)}`, { cause: error })
  try {
    const handle = await open(path)
    try {
      const found = await handle.stat()
      if (!found.isFile())
        throw new InputError(
          `${name ?? path}: is ${found.isDirectory() ? 'a folder, not a file' : 'not a regular file'}`,
        )
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(Math.min(START_BYTES, found.size)) })
      if (bytesRead === 0) throw new InputError(`${name ?? path}: is empty`)
      const folder = dirname(resolve(path))
      return {
        path,
        name: name ?? basename(path),
        ...(name === undefined && { folder: basename(folder) }),
        start: buffer.subarray(0, bytesRead),
        findSibling: async (matches) => (name === undefined ? findSibling(folder, matches) : undefined),
      }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw error instanceof InputError ? error : explain(error)
  }
}

async function findSibling(folder: string, matches: (name: string) => boolean): ReturnType<ResultsFile['findSibling']> {
  const name = (await readdir(folder)).find(matches)
  if (name === undefined) return undefined
  const path = join(folder, name)
  const found = await stat(path)
  return found.isFile() && found.size <= MAX_SIBLING_BYTES ? { name, text: await readFile(path, 'utf8') } : undefined
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** True for a results file of another tool; false for suites, our own exports and anything unknown. */
export async function isResultsFile(path: string, choices: ResultsChoices = {}): Promise<boolean> {
  const file = await openResultsFile(path).catch(() => undefined)
  return file !== undefined && (await findResultsReader(file, choices)) !== undefined
}

/** Reads a results file of another tool. Throws `InputError`, with what and where, before anything is written. */
export async function readResults(path: string, { now, name, ...choices }: ReadResultsOptions): Promise<ReadResults> {
  const file = await openResultsFile(path, name)
  const reader = (await findResultsReader(file, choices)) ?? refuseUnknown(file)
  const foreign = await reader.read(file, choices)
  const mapping = mapScores(foreign.samples, choices, { file: file.name, lowerMetrics: foreign.lowerIsBetter })
  const { runs, seriesId } = makeRuns(foreign, mapping, {
    name: file.name,
    contentHash: await hashFile(path),
    choices,
    now,
  })
  const cells = runs.flatMap(({ results }) => results)
  const usable = mapping.metrics.filter(({ state }) => state !== 'unusable')
  const unscored = cells.filter((cell) => cell.unscored).length
  const choice =
    choices.metric === undefined && mapping.metric !== undefined && usable.length > 1
      ? [
          `${file.name}: ${mapping.metric} counts, of ${usable.map((metric) => metric.name).join(', ')}; --metric chooses another`,
        ]
      : []
  const missing = mapping.metric === undefined ? [`${file.name}: ${mapping.description}`] : []
  return {
    file: file.name,
    tool: foreign.tool,
    task: runs[0]!.testSuiteName!,
    runs,
    ...(seriesId !== undefined && { seriesId }),
    models: [...new Set(runs.flatMap(({ models }) => models))],
    samples: cells.length,
    epochs: runs.length,
    ...(mapping.metric !== undefined && { metric: mapping.metric }),
    metrics: mapping.metrics,
    scores: mapping.description,
    scored: cells.filter((cell) => cell.score).length,
    unscored,
    errors: cells.length - cells.filter((cell) => cell.score).length - unscored,
    warnings: [...foreign.warnings, ...choice, ...missing],
  }
}
