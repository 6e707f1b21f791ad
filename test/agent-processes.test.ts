import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { CellEvent } from '../src/contract/index.ts'
import { createRandom } from '../src/statistics/index.ts'
import { openStorage } from '../src/storage/index.ts'
import { startModelServer, type ChatRequest } from './fakes/model-server.ts'
import type { Spoken } from './fakes/spoken-replies.ts'
import { killServers, startProgram } from './fakes/server-process.ts'
import { isLong } from './scaled.ts'

const KILLS = isLong ? 50 : 2
const CASES = isLong ? 60 : 6
const CONCURRENCY = 4

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  killServers()
  for (const undo of cleanUp.splice(0).toReversed()) await undo()
})

/** An agent that adds lines to a book, two calls at once, and a user who wants more of it. */
function speak({ model, answers }: ChatRequest): Spoken {
  if (model === 'the-user') return { text: answers < 2 ? `Add page ${answers}.` : '###STOP###' }
  const add = (line: string) => ({ id: `${answers}-${line}`, name: 'add', arguments: { line } })
  const isAsked = answers % 2 === 0
  return isAsked ? { calls: [add(`a${answers}`), add(`b${answers}`)] } : { text: 'Written. More?' }
}

const suite = {
  name: 'Book',
  agent: { systemPrompt: 'You write.' },
  user: { model: 'the-user', instructions: 'Have two pages written.' },
  world: { lines: [], drawn: [] },
  tools: {
    add: {
      changes: true,
      code: 'world.lines.push(args.line); world.drawn.push(Math.random()); return world.lines.length',
    },
  },
  testCases: Array.from({ length: CASES }, (_, index) => ({
    id: `case-${index}`,
    checks: [{ scoringMethod: 'world', holds: "world.lines.join() === 'a0,b0,a2,b2'" }],
  })),
}

/** The log of each case of the only run; nothing before there is one. */
async function readLogs(folder: string): Promise<Map<string, CellEvent[]>> {
  const storage = await openStorage({ file: join(folder, 'benchmaker.db') })
  try {
    const [run] = await storage.listRuns()
    const logs = new Map<string, CellEvent[]>()
    for (const { id } of run ? suite.testCases : [])
      logs.set(id, await storage.loadEvents({ runId: run!.id, testCaseId: id, modelId: 'agent' }))
    return logs
  } finally {
    await storage.close()
  }
}

const hashOf = (log: CellEvent[] | undefined) => log?.findLast((event) => event.kind === 'replied')?.worldHash
const idsOf = (log: CellEvent[], kind: 'called' | 'replied') =>
  log.flatMap((event) => (event.kind === kind ? [event.id] : []))

async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-agents-'))
  const server = await startModelServer({ latencyMs: 10, speak, cost: 0.001 })
  cleanUp.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => server.close(),
  )
  const file = join(folder, 'suite.json')
  writeFileSync(file, JSON.stringify(suite))
  const end = ['--base-url', server.baseUrl, '--concurrency', String(CONCURRENCY), '--json']
  const start = (isFirst: boolean) =>
    startProgram(isFirst ? ['run', file, '--models', 'agent', ...end] : ['resume', 'latest', ...end], {
      BENCHMAKER_HOME: folder,
    })
  return { folder, server, start }
}

it(
  `an agent run killed ${KILLS} times pays for nothing twice but what was in flight, runs no tool again, and ends in the same worlds`,
  { timeout: isLong ? 3_600_000 : 180_000 },
  async () => {
    const whole = await setUp()
    await whole.start(true).ended
    const wanted = await readLogs(whole.folder)
    const needed = whole.server.stats().requests
    // Three requests to the user and four to the agent.
    expect(needed).toBe(CASES * 7)

    const { folder, server, start } = await setUp()
    const random = createRandom('kill conversations')
    let before = new Map<string, CellEvent[]>()
    let exit: number | null = null
    let kills = 0
    while (exit !== 0) {
      const process = start(before.size === 0)
      let isOver = false
      void process.ended.then(() => (isOver = true))
      if (kills < KILLS) {
        const killAt = server.stats().requests + 1 + Math.floor((random() * needed) / KILLS)
        await expect
          .poll(() => isOver || server.stats().requests >= killAt, { interval: 1, timeout: 60_000 })
          .toBe(true)
        process.child.kill('SIGKILL')
        kills++
      }
      exit = await process.ended
      const after = await readLogs(folder)
      // What was stored stays as it was.
      for (const [id, log] of before) expect(after.get(id)?.slice(0, log.length)).toEqual(log)
      before = after
    }
    expect(kills).toBeGreaterThan(0)
    expect(server.stats().requests).toBeLessThanOrEqual(needed + kills * CONCURRENCY)
    for (const [id, log] of before) {
      expect(hashOf(log)).toBe(hashOf(wanted.get(id)))
      for (const kind of ['called', 'replied'] as const) {
        expect(idsOf(log, kind)).toEqual(idsOf(wanted.get(id)!, kind))
        expect(new Set(idsOf(log, kind)).size).toBe(4)
      }
      expect(log.at(-1)).toMatchObject({ kind: 'ended', reason: 'user-stop' })
    }
    const storage = await openStorage({ file: join(folder, 'benchmaker.db') })
    const [run] = await storage.listRuns()
    const { results } = (await storage.loadRun(run!.id))!
    await storage.close()
    expect(results.map(({ score }) => score?.score)).toEqual(results.map(() => 1))
  },
)
