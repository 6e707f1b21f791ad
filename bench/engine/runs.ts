/**
 * Complete runs of the built program against a model server in a separate process, compared with a bare Node loop that
 * sends the same requests and stores nothing. Run after a build: `node bench/engine/runs.ts [start] [calls] [latency]`,
 * all three by default. The budgets are those of docs/decisions/0005-simple-start.md.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const root = join(import.meta.dirname, '..', '..')
const parts = process.argv.slice(2)
const isSelected = (part: string) => parts.length === 0 || parts.includes(part)
const folder = mkdtempSync(join(tmpdir(), 'benchmaker-bench-'))

interface Server {
  baseUrl: string
  /** The server's own time for each answer, in milliseconds. */
  medianServed(): Promise<number>
  stop(): void
}

async function startServer(options: object): Promise<Server> {
  const child = spawn(
    process.execPath,
    [join(root, 'test/fakes/model-server.ts'), JSON.stringify({ keepRequests: 0, ...options })],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const baseUrl = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim())),
  )
  return {
    baseUrl,
    async medianServed() {
      const { served }: { served: { ms: number }[] } = JSON.parse(
        await (await fetch(new URL('/stats', baseUrl))).text(),
      )
      const times = served.map(({ ms }) => ms).toSorted((a, b) => a - b)
      return times[Math.floor(times.length / 2)]!
    },
    stop: () => void child.kill(),
  }
}

/** The bare loop: one keep-alive agent, bodies read and discarded. */
async function askBare(baseUrl: string, calls: number, concurrency: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const ask = (index: number) =>
    new Promise<void>((resolve, reject) => {
      const body = JSON.stringify({
        model: 'fake',
        stream: true,
        messages: [{ role: 'user', content: `Question ${index}` }],
      })
      const sent = request(
        `${baseUrl}/chat/completions`,
        {
          method: 'POST',
          agent,
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        },
        (reply) => {
          reply.resume()
          reply.on('end', resolve)
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  const start = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < calls) await ask(next++)
    }),
  )
  agent.destroy()
  return performance.now() - start
}

/** Time from start to exit of a process that only sends one request. */
async function startBare(baseUrl: string): Promise<number> {
  const program = join(folder, 'bare.mjs')
  writeFileSync(
    program,
    `import { request } from 'node:http'
const body = JSON.stringify({ model: 'fake', stream: true, messages: [{ role: 'user', content: 'Question 0' }] })
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
request('${baseUrl}/chat/completions', { method: 'POST', headers }, (reply) => reply.resume().on('end', () => process.exit())).end(body)`,
  )
  const start = performance.now()
  const child = spawn(process.execPath, [program], { stdio: 'inherit' })
  await new Promise((resolve) => child.on('close', resolve))
  return performance.now() - start
}

/** Tracks the peak memory of a running process. */
function trackMemory(child: ChildProcess): () => number {
  let peak = 0
  const timer = setInterval(() => {
    try {
      peak = Math.max(
        peak,
        Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
      )
    } catch {
      clearInterval(timer)
    }
  }, 20)
  return () => {
    clearInterval(timer)
    return peak
  }
}

interface Measured {
  wallMs: number
  memoryMb: number
  medianLatencyMs: number
  bytesPerCell: number
}

async function runProgram(server: Server, cells: number, concurrency: number): Promise<Measured> {
  const data = join(folder, `data-${cells}-${concurrency}-${Math.random()}`)
  const suite = join(folder, `suite-${cells}.json`)
  const testCases = Array.from({ length: cells }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}`,
    scoringMethod: 'boolean',
    expectedOutput: 'word1',
  }))
  writeFileSync(suite, JSON.stringify({ name: 'Bench', testCases }))
  const start = performance.now()
  const child = spawn(
    join(root, 'bin/benchmaker'),
    [
      'run',
      suite,
      '--models',
      'fake',
      '--base-url',
      server.baseUrl,
      '--concurrency',
      String(concurrency),
      '--data',
      data,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const memory = trackMemory(child)
  const code = await new Promise((resolve) => child.on('close', resolve))
  const wallMs = performance.now() - start
  if (code !== 0) throw new Error(`the run exited with ${code}: ${stderr}`)
  const memoryMb = memory()

  const file = join(data, 'benchmaker.db')
  const database = new DatabaseSync(file)
  const { latency } = database
    .prepare('select latency_ms as latency from results order by latency_ms limit 1 offset ?')
    .get(Math.floor(cells / 2)) as { latency: number }
  const { texts } = database.prepare('select sum(length(response)) as texts from results').get() as { texts: number }
  database.close()
  return {
    wallMs,
    memoryMb,
    medianLatencyMs: latency,
    bytesPerCell: (statSync(file).size - texts - statSync(suite).size) / cells,
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function measureStart(): Promise<void> {
  const server = await startServer({ latencyMs: 0, tokenCount: 8 })
  await askBare(server.baseUrl, 2000, 20)
  await runProgram(server, 1, 1)
  const rounds: { ours: number; bare: number }[] = []
  for (let round = 0; round < 9; round++)
    rounds.push({ bare: await startBare(server.baseUrl), ours: (await runProgram(server, 1, 1)).wallMs })
  const ours = median(rounds.map((round) => round.ours))
  const bare = median(rounds.map((round) => round.bare))
  console.log(
    `one cell, command to exit: ${Math.round(ours)} ms, ${(ours / bare).toFixed(1)} × the bare loop's ${Math.round(bare)} ms (budget 350 ms or 3 ×)`,
  )
  server.stop()
}

async function measureCalls(): Promise<void> {
  const server = await startServer({ latencyMs: 0, tokenCount: 8 })
  await askBare(server.baseUrl, 2000, 20)
  for (const cells of [1000, 10_000, 50_000]) {
    const bare = await askBare(server.baseUrl, cells, 20)
    const { wallMs, memoryMb, bytesPerCell } = await runProgram(server, cells, 20)
    const own = (wallMs - bare) / cells
    console.log(
      `${cells.toLocaleString('en')} calls, 0 ms, concurrency 20: ${(wallMs / 1000).toFixed(1)} s, ${(wallMs / bare).toFixed(1)} × the bare loop's ${(bare / 1000).toFixed(1)} s; own ${own.toFixed(2)} ms per call (budget 1), memory ${Math.round(memoryMb)} MB (budget 250), ${Math.round(bytesPerCell)} bytes per cell beyond texts and suite (budget 1,024)`,
    )
  }
  server.stop()
}

async function measureLatency(): Promise<void> {
  const server = await startServer({ latencyMs: 100 })
  const rounds: (Measured & { bareMs: number })[] = []
  for (let round = 0; round < 5; round++)
    rounds.push({ bareMs: await askBare(server.baseUrl, 1000, 50), ...(await runProgram(server, 1000, 50)) })
  const wall = median(rounds.map(({ wallMs }) => wallMs))
  const bare = median(rounds.map(({ bareMs }) => bareMs))
  const latency = median(rounds.map(({ medianLatencyMs }) => medianLatencyMs))
  const served = await server.medianServed()
  console.log(
    `1,000 calls, 100 ms, concurrency 50: ${(wall / 1000).toFixed(2)} s, ${(wall / 2000).toFixed(2)} × the ideal 2.0 s (budget 1.3), ${(wall / bare).toFixed(2)} × the bare loop, which has no program to start`,
  )
  console.log(
    `recorded latency ${latency.toFixed(1)} ms, the server's own ${served.toFixed(1)} ms: ${(100 * (latency / served - 1)).toFixed(1)} % off (budget 10)`,
  )
  server.stop()
}

try {
  if (isSelected('start')) await measureStart()
  if (isSelected('calls')) await measureCalls()
  if (isSelected('latency')) await measureLatency()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
