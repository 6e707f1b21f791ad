/**
 * Cells per second with 1, 2 and 4 workers, as processes against a real PostgreSQL and a model server that takes 50 ms,
 * the CPU of a cell, and how many leases the queue itself hands out. Run after a build:
 * `node bench/team/workers.ts [cells]`, 2,000 by default. Ratios mean more than figures: everything shares one machine.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStorage, openWorkQueue } from '../../src/storage/index.ts'
import { startPostgres } from '../../src/storage/testing/postgres-server.ts'

const root = join(import.meta.dirname, '..', '..')
const cells = Number(process.argv[2] ?? 2000)
const CONCURRENCY = 20
const LATENCY_MS = 50
const TICKS_PER_SECOND = 100
const folder = mkdtempSync(join(tmpdir(), 'benchmaker-bench-'))
const postgres = await startPostgres({ isDurable: true })

async function startServer(): Promise<{ baseUrl: string; stop(): void }> {
  const child = spawn(
    process.execPath,
    [
      join(root, 'test/fakes/model-server.ts'),
      JSON.stringify({ keepRequests: 0, latencyMs: LATENCY_MS, tokenCount: 8 }),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const baseUrl = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim())),
  )
  return { baseUrl, stop: () => void child.kill() }
}

const startProgram = (database: string, ...args: string[]) =>
  spawn(join(root, 'bin/benchmaker'), args, {
    env: { ...process.env, BENCHMAKER_DATABASE_URL: database, BENCHMAKER_HOME: join(folder, 'data') },
    stdio: ['ignore', 'ignore', 'pipe'],
  })

async function startWorker(database: string): Promise<ChildProcess> {
  const worker = startProgram(database, 'worker', '--concurrency', String(CONCURRENCY))
  await new Promise<void>((resolve, reject) => {
    let text = ''
    worker.stderr.on('data', (piece) => {
      text += piece
      if (text.includes('takes up to')) resolve()
    })
    worker.once('close', () => reject(new Error(`the worker ended: ${text}`)))
  })
  return worker
}

/** User and system time of a process, in seconds. */
function cpuOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

function writeSuite(): string {
  const suite = join(folder, 'suite.json')
  const testCases = Array.from({ length: cells }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}`,
    scoringMethod: 'boolean',
    expectedOutput: 'word1',
  }))
  writeFileSync(suite, JSON.stringify({ name: 'Bench', testCases }))
  return suite
}

async function measureRun(suite: string, baseUrl: string, workers: number) {
  const database = await postgres.createDatabase()
  const started: ChildProcess[] = []
  for (let index = 0; index < workers; index++) started.push(await startWorker(database))
  const cpuBefore = started.map(cpuOf)
  const options = ['--models', 'fake', '--base-url', baseUrl, '--concurrency', String(CONCURRENCY)]
  const run = startProgram(database, 'run', suite, ...options, ...(workers > 0 ? ['--on-workers'] : []))
  let err = ''
  run.stderr.on('data', (piece) => (err += piece))
  const code = await new Promise((resolve) => run.on('close', resolve))
  if (code !== 0) throw new Error(`the run exited with ${code}: ${err}`)
  const cpu = started.reduce((sum, worker, index) => sum + cpuOf(worker) - cpuBefore[index]!, 0)
  for (const worker of started) {
    const ended = new Promise((resolve) => worker.once('close', resolve))
    worker.kill('SIGTERM')
    await ended
  }
  const storage = await openStorage({ connectionString: database })
  const [stored] = await storage.listRuns()
  await storage.close()
  const seconds = (stored!.completedAt! - stored!.startedAt) / 1000
  return { cellsPerSecond: cells / seconds, cpuMsPerCell: (1000 * cpu) / cells }
}

/** Leases that one process takes and completes per second, without any work in them. */
async function measureQueue(leases: number, loops: number): Promise<number> {
  const connectionString = await postgres.createDatabase()
  const storage = await openStorage({ connectionString })
  const queue = await openWorkQueue({ connectionString, version: 'bench', connections: loops })
  const run = { runId: 'bench', index: 0, nextRunId: 'next' }
  const testCaseIds = Array.from({ length: 50 }, (_, index) => `case-${index}`)
  await queue.enqueue(
    run,
    Array.from({ length: leases }, () => ({ kind: 'cells' as const, ...run, testCaseIds, ungraded: [] })),
  )
  const start = performance.now()
  const drain = async () => {
    for (let taken = await queue.take(); taken; taken = await queue.take()) await queue.complete(taken)
  }
  await Promise.all(Array.from({ length: loops }, drain))
  const seconds = (performance.now() - start) / 1000
  await queue.close()
  await storage.close()
  return leases / seconds
}

try {
  for (const loops of [1, 4]) {
    const leases = await measureQueue(500, loops)
    console.log(
      `the queue alone, ${loops} at once: ${Math.round(leases)} leases/s, ${Math.round(50 * leases).toLocaleString('en')} cells/s`,
    )
  }
  const suite = writeSuite()
  const server = await startServer()
  console.log(
    `${cells.toLocaleString('en')} cells, ${LATENCY_MS} ms, ${CONCURRENCY} at once per worker (ideal ${(1000 / LATENCY_MS) * CONCURRENCY} cells/s each)`,
  )
  console.log('workers | cells/s | ratio | worker CPU per cell')
  let one = 0
  for (const workers of [0, 1, 2, 4]) {
    const { cellsPerSecond, cpuMsPerCell } = await measureRun(suite, server.baseUrl, workers)
    if (workers === 1) one = cellsPerSecond
    const ratio = workers === 0 ? '' : `${(cellsPerSecond / one).toFixed(2)} ×`
    console.log(
      `${workers === 0 ? 'none' : workers} | ${Math.round(cellsPerSecond)} | ${ratio} | ${workers === 0 ? '' : `${cpuMsPerCell.toFixed(2)} ms`}`,
    )
  }
  server.stop()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
