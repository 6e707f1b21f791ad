/**
 * The cost of storing one cell (attempt before the request, answer, score) with 20 concurrent cells, compared with
 * inserting the same rows directly through node:sqlite in transactions of 20; and the size of a cell on disk beyond its
 * texts. Run: `node bench/storage/cells.ts [cells]`
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStorage } from '../../src/storage/index.ts'

const cells = Number(process.argv[2] ?? 10_000)
const concurrency = 20
const response = 'The answer is forty-two, because it always is. '.repeat(10)
const notes = 'expected text found in the response'
const folder = mkdtempSync(join(tmpdir(), 'benchmaker-bench-'))
const names = Array.from({ length: cells }, (_, index) => ({
  testCaseId: `case-${index}`,
  modelId: 'vendor/some-model-2026',
}))
const textBytesPerCell = Buffer.byteLength(response + notes)

async function measure(work: () => Promise<void> | void) {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { wall: performance.now() - start, cpu: (user + system) / 1000 }
}

const show = (name: string, { wall, cpu }: { wall: number; cpu: number }) =>
  console.log(
    `${name.padEnd(34)} ${(cpu / cells).toFixed(4)} ms CPU per cell   ${(wall / cells).toFixed(4)} ms wall per cell   ${wall.toFixed(0)} ms in total`,
  )

async function ours(file: string) {
  const storage = await openStorage({ file })
  show(
    'createRun, all cells pending',
    await measure(() =>
      storage.createRun({ id: 'run', kind: 'suite', models: ['vendor/some-model-2026'], startedAt: Date.now() }, names),
    ),
  )
  let next = 0
  const storeCells = async () => {
    for (let name = names[next++]; name; name = names[next++]) {
      const cell = { runId: 'run', ...name }
      const id = await storage.startAttempt({
        ...cell,
        purpose: 'answer',
        askedModel: name.modelId,
        startedAt: Date.now(),
      })
      const usage = {
        promptTokens: 120,
        completionTokens: 80,
        cost: 0.000_123_4,
        latencyMs: 812.25,
        firstTokenMs: 201.5,
      }
      await storage.saveAnswer(id, { endedAt: Date.now(), outcome: 'ok', ...usage }, cell, {
        outcome: 'ok',
        response,
        finishReason: 'stop',
        ...usage,
      })
      await storage.saveScore(cell, { score: 0.95, confidence: 1, notes, rawScore: 0.95, maxScore: 1 })
    }
  }
  const time = await measure(async () => {
    await Promise.all(Array.from({ length: concurrency }, storeCells))
  })
  show('attempt, answer and score', time)
  show('loadRun', await measure(async () => void (await storage.loadRun('run'))))
  show('listRuns', await measure(async () => void (await storage.listRuns())))
  await storage.close()
  const size = statSync(file).size
  console.log(
    `${'on disk, beyond the texts'.padEnd(34)} ${(size / cells - textBytesPerCell).toFixed(0)} bytes per cell`,
  )
  return time
}

/** Three plain rows per cell, durable: one transaction per 20 cells for each of attempt, answer and score. */
async function bare(file: string) {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec(
    'CREATE TABLE attempts (id INTEGER PRIMARY KEY, cell, at); CREATE TABLE answers (cell INTEGER PRIMARY KEY, response); CREATE TABLE scores (cell INTEGER PRIMARY KEY, score, notes)',
  )
  const attempt = database.prepare('INSERT INTO attempts (cell, at) VALUES (?, ?)')
  const answer = database.prepare('INSERT INTO answers VALUES (?, ?)')
  const score = database.prepare('INSERT INTO scores VALUES (?, ?, ?)')
  const time = await measure(async () => {
    for (let first = 0; first < cells; first += concurrency)
      for (const insert of [
        (cell: number) => attempt.run(cell, Date.now()),
        (cell: number) => answer.run(cell, response),
        (cell: number) => score.run(cell, 0.95, notes),
      ]) {
        database.exec('BEGIN IMMEDIATE')
        for (let cell = first; cell < first + concurrency; cell++) insert(cell)
        database.exec('COMMIT')
        await new Promise((resolve) => setImmediate(resolve))
      }
  })
  database.close()
  show('bare node:sqlite, three rows', time)
  return time
}

try {
  const bareTime = await bare(join(folder, 'bare.db'))
  const ourTime = await ours(join(folder, 'ours.db'))
  console.log(
    `ratio to bare: ${(ourTime.cpu / bareTime.cpu).toFixed(2)} × CPU, ${(ourTime.wall / bareTime.wall).toFixed(2)} × wall`,
  )
} finally {
  rmSync(folder, { recursive: true })
}
