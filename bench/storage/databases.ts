/**
 * The same work on SQLite and on a real PostgreSQL server: storing cells (attempt, answer, score) without a model, and
 * complete runs of the built program, with the demo models, which answer at once, and over HTTP with a model that takes
 * its time. Both wait for the disk. Rounds alternate, so that a slow phase of the machine affects both; medians. The
 * budget is 1.15 × SQLite's time for a run whose model takes 50 ms. Run after a build: `node bench/storage/databases.ts [cells] [rounds]`
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '../../src/contract/index.ts'
import { openStorage } from '../../src/storage/index.ts'
import { startPostgres } from '../../src/storage/testing/postgres-server.ts'

const [cells = 5000, roundCount = 7] = process.argv.slice(2).map(Number)
const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'benchmaker-bench-'))
const response = 'The answer is forty-two, because it always is. '.repeat(10)
const names = Array.from({ length: cells }, (_, index) => ({ testCaseId: `case-${index}`, modelId: 'vendor/model' }))
const usage = { promptTokens: 120, completionTokens: 80, cost: 0.000_123_4, latencyMs: 812.25, firstTokenMs: 201.5 }

async function storeCells(storage: Storage, runId: string, concurrency: number): Promise<number> {
  await storage.createRun({ id: runId, kind: 'suite', models: ['vendor/model'], startedAt: Date.now() }, names)
  let next = 0
  const start = performance.now()
  const storeNext = async () => {
    for (let name = names[next++]; name; name = names[next++]) {
      const cell = { runId, ...name }
      const id = await storage.startAttempt({ ...cell, purpose: 'answer', askedModel: name.modelId, startedAt: 1 })
      const answer = { outcome: 'ok' as const, response, finishReason: 'stop', ...usage }
      await storage.saveAnswer(id, { endedAt: Date.now(), outcome: 'ok', ...usage }, cell, answer)
      await storage.saveScore(cell, { score: 0.95, confidence: 1, notes: 'found', rawScore: 0.95, maxScore: 1 })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, storeNext))
  return performance.now() - start
}

async function runProgram(args: string[], env: Record<string, string>): Promise<number> {
  const start = performance.now()
  const child = spawn(join(root, 'bin/benchmaker'), ['run', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`the run exited with ${code}: ${stderr}`)
  return performance.now() - start
}

function writeSuite(count: number): string {
  const suite = join(folder, `suite-${count}.json`)
  const testCases = Array.from({ length: count }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}`,
    scoringMethod: 'boolean',
    expectedOutput: 'yes',
  }))
  writeFileSync(suite, JSON.stringify({ name: 'Bench', testCases }))
  return suite
}

/** In a process of its own, as a real one is on a machine of its own. */
async function startModel(latencyMs: number): Promise<{ baseUrl: string; stop(): void }> {
  const options = JSON.stringify({ keepRequests: 0, latencyMs, tokenCount: 8 })
  const child = spawn(process.execPath, [join(root, 'test/fakes/model-server.ts'), options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const baseUrl = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim())),
  )
  return { baseUrl, stop: () => void child.kill() }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function compare(title: string, sqlite: (round: number) => Promise<number>, postgres: typeof sqlite) {
  const rounds: { sqlite: number; postgres: number }[] = []
  for (let round = 0; round < roundCount; round++)
    rounds.push({ sqlite: await sqlite(round), postgres: await postgres(round) })
  const [ours, theirs] = [median(rounds.map((each) => each.postgres)), median(rounds.map((each) => each.sqlite))]
  const ratio = median(rounds.map((each) => each.postgres / each.sqlite))
  console.log(
    `${title.padEnd(46)} SQLite ${theirs.toFixed(0).padStart(6)} ms   PostgreSQL ${ours.toFixed(0).padStart(6)} ms   ratio ${ratio.toFixed(2)}`,
  )
}

const server = await startPostgres({ isDurable: true })
try {
  const file = await openStorage({ file: join(folder, 'cells.db') })
  const database = await openStorage({ connectionString: await server.createDatabase() })
  for (const concurrency of [5, 20, 100])
    await compare(
      `${cells.toLocaleString('en')} cells, no model, concurrency ${concurrency}`,
      (round) => storeCells(file, `${concurrency}-${round}`, concurrency),
      (round) => storeCells(database, `${concurrency}-${round}`, concurrency),
    )
  await file.close()
  await database.close()

  const url = await server.createDatabase()
  const env = { BENCHMAKER_HOME: join(folder, 'data') }
  const compareRuns = (title: string, args: string[]) =>
    compare(
      title,
      () => runProgram(args, env),
      () => runProgram(args, { ...env, BENCHMAKER_DATABASE_URL: url }),
    )
  const all = writeSuite(cells)
  for (const concurrency of [5, 20, 100])
    await compareRuns(`run of ${cells.toLocaleString('en')} cells, concurrency ${concurrency}`, [
      all,
      '--models=demo/good',
      `--concurrency=${concurrency}`,
    ])
  const few = writeSuite(Math.ceil(cells / 10))
  for (const latencyMs of [10, 50]) {
    const model = await startModel(latencyMs)
    await compareRuns(`run of ${Math.ceil(cells / 10)} cells of ${latencyMs} ms, concurrency 5`, [
      few,
      '--models=fake',
      `--base-url=${model.baseUrl}`,
      '--concurrency=5',
    ])
    model.stop()
  }
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
