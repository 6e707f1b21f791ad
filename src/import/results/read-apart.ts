import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InputError, type RunResult } from '../../contract/index.ts'
import { readImportLimits, refuseMemory } from './import-budget.ts'
import * as here from './read-results.ts'
import type { ReadResults, ReadResultsOptions, ResultsPreview } from './read-results.ts'
import type { ReadingJob, ReadingMessage, ReadingReply } from './reading-process.ts'
import * as runFiles from './run-file.ts'

const MAX_MINUTES = 15

/** What the process needs of the environment; keys are nothing to it. */
const PASSED_ON = ['BENCHMAKER_IMPORT_GB', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'SystemRoot']

/** The module of the process, which a bundle of a user's own does not have. */
function findModule(): string | undefined {
  try {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const file = fileURLToPath(new URL(`./reading-process.${extension}`, import.meta.url))
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}

const SMALL_BYTES = 1024 ** 2
const PACKED_STARTS = ['\u001f\u008b', 'PK', 'PAR1']

/** Starting a process takes longer than reading a small text, which cannot do harm. Errors are left to the reader. */
async function isHarmless(path: string): Promise<boolean> {
  const handle = await open(path).catch(() => undefined)
  if (!handle) return true
  try {
    const found = await handle.stat()
    if (!found.isFile()) return true
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    const start = buffer.toString('latin1', 0, bytesRead)
    return found.size <= SMALL_BYTES && !PACKED_STARTS.some((packed) => start.startsWith(packed))
  } finally {
    await handle.close()
  }
}

/** Puts runs together that arrive in pieces. */
function createCollector() {
  const runs: RunResult[] = []
  return {
    runs,
    add(message: ReadingMessage): void {
      const last = runs.at(-1)
      if (message.type === 'run') {
        const suite = message.hasOwnSuite ? undefined : last?.testSuiteSnapshot
        runs.push(suite ? { ...message.run, testSuiteSnapshot: suite } : message.run)
      } else if (message.type === 'cases')
        for (const each of message.cases) last?.testSuiteSnapshot?.testCases.push(each)
      else if (message.type === 'cells') for (const each of message.cells) last?.results.push(each)
    },
  }
}

interface Reading {
  runs: RunResult[]
  reply: ReadingReply
}

/**
 * A process and not a thread: V8 ends the whole process when a thread runs out of memory inside one call, such as one of
 * JSON.parse.
 */
function readInProcess(module: string, job: ReadingJob, temporary: string): Promise<Reading> {
  const limits = readImportLimits()
  const name = job.options.name ?? job.path
  const passedOn = PASSED_ON.flatMap((key) => (process.env[key] === undefined ? [] : [[key, process.env[key]]]))
  return new Promise((resolve, reject) => {
    const child = fork(module, [], {
      execArgv: [`--max-old-space-size=${limits.heapMb}`],
      env: { ...Object.fromEntries(passedOn), TMPDIR: temporary, TEMP: temporary, TMP: temporary },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const { runs, add } = createCollector()
    let reason: InputError | undefined
    const timer = setTimeout(() => {
      reason = new InputError(
        `${name}: takes longer than ${MAX_MINUTES} minutes to read, so nothing was imported; split it into smaller files`,
      )
      child.kill('SIGKILL')
    }, MAX_MINUTES * 60_000)
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      settle()
    }
    child.on('message', (message: ReadingMessage) => {
      if (message.type === 'done') finish(() => resolve({ runs, reply: message.reply }))
      else if (message.type === 'failed')
        finish(() => reject(message.isInput ? new InputError(message.message) : new Error(message.message)))
      else add(message)
    })
    child.on('error', (error) => finish(() => reject(error)))
    child.on('exit', (_code, signal) => {
      reason ??=
        signal === 'SIGINT' || signal === 'SIGTERM' ? new InputError(`${name}: the import was stopped`) : undefined
      finish(() => reject(reason ?? refuseMemory(name, limits.heapMb * 1024 ** 2)))
    })
    child.send(job)
  })
}

/** Undefined if the file can be read in this process. */
async function readApart(job: ReadingJob): Promise<Reading | undefined> {
  const module = (await isHarmless(job.path)) ? undefined : findModule()
  if (module === undefined) return undefined
  // Here and not in the process, which may end before it could remove what it unpacked.
  const temporary = await mkdtemp(join(tmpdir(), 'benchmaker-reading-'))
  try {
    return await readInProcess(module, job, temporary)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Like `readResults`, in a process that may run out of memory without this one. */
export async function readResults(path: string, options: ReadResultsOptions): Promise<ReadResults> {
  const reading = await readApart({ kind: 'results', path, options })
  return reading?.reply.results ? { ...reading.reply.results, runs: reading.runs } : here.readResults(path, options)
}

/** Like `previewResults`, in a process that may run out of memory without this one. */
export async function previewResults(path: string, options: ReadResultsOptions): Promise<ResultsPreview> {
  const reading = await readApart({ kind: 'preview', path, options })
  const preview = reading?.reply.preview
  if (!preview) return here.previewResults(path, options)
  return { ...preview, ...(preview.results && { results: { ...preview.results, runs: reading.runs } }) }
}

/** Like `loadRunFile`, in a process that may run out of memory without this one. */
export async function loadRunFile(path: string): Promise<RunResult[]> {
  const reading = await readApart({ kind: 'runs', path, options: { now: 0 } })
  return reading ? reading.runs : runFiles.loadRunFile(path)
}
