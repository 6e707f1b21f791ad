/**
 * A soak: the real program against a hostile model server, while it is killed, stopped, started twice, loses its
 * database and finds the disk full, until the run is complete. Bounded here; by hand for longer, with another seed each time:
 *
 *     BENCHMAKER_SOAK_ROUNDS=50 BENCHMAKER_SOAK_SEED=7 npx vitest run test/faults/soak.long.test.ts
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, type PostgresServer } from '../../src/storage/testing/postgres-server.ts'
import { createRandom } from '../../src/statistics/index.ts'
import { startModelServer, type ChatRequest, type ModelServer, type ScriptedReply } from '../fakes/model-server.ts'
import { crashWords, startProcess, until, type Started } from './world.ts'
import { builtProgram } from '../../src/cli/testing/built-program.ts'

const ROUNDS = Number(process.env['BENCHMAKER_SOAK_ROUNDS'] ?? 1)
const SEED = process.env['BENCHMAKER_SOAK_SEED'] ?? 'ci'
const CASES = 60
const MODELS = ['steady', 'hostile']
const CONCURRENCY = 6
/** Enough for every kind of disturbance over some rounds; after that the run is left to finish. */
const DISTURBANCES = ROUNDS > 1 ? 8 : 4
const SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGHUP'] as const

function rightAnswer({ prompt, model }: ChatRequest): string {
  return `${model} says ${/\d+/.exec(prompt)?.[0]}`
}

const EVENT_STREAM = { 'content-type': 'text/event-stream' }
const JSON_TYPE = { 'content-type': 'application/json' }

function stream(request: ChatRequest, usage: Record<string, unknown>, content = rightAnswer(request)): ScriptedReply {
  const event = (choices: unknown[], more = {}) => `data: ${JSON.stringify({ choices, ...more })}\n\n`
  return {
    headers: EVENT_STREAM,
    pieces: [
      event([{ index: 0, delta: { content }, finish_reason: null }]),
      event([{ index: 0, delta: {}, finish_reason: 'stop' }]) + event([], { usage }) + 'data: [DONE]\n\n',
    ],
    pieceDelayMs: 2,
  }
}

/** Replies that must never end a run. All but the first four carry the right answer. */
const hostileReplies: ((request: ChatRequest) => ScriptedReply)[] = [
  () => ({
    status: 500,
    headers: { ...JSON_TYPE, 'retry-after-ms': '5' },
    pieces: ['{"error":{"message":"\u202e\u001b[31m"}}'],
  }),
  () => ({ status: 429, headers: { ...JSON_TYPE, 'retry-after-ms': '5' }, pieces: ['slow down'] }),
  () => ({
    headers: EVENT_STREAM,
    pieces: ['data: {"choices":[{"index":0,"delta":{"content":"half an'],
    ending: 'destroy',
  }),
  () => ({ headers: JSON_TYPE, pieces: ['<html>gateway</html>'] }),
  (request) => stream(request, { prompt_tokens: 9e18, completion_tokens: 1.5, cost: 1e300 }),
  (request) => stream(request, { prompt_tokens: -1, completion_tokens: null, cost: '1e9' }),
  (request) => stream(request, { prompt_tokens: 3, completion_tokens: 3, cost: 1e9 }),
]

/** What the server gave out for good: an answer that arrived whole may have been paid for. */
interface Bill {
  server: ModelServer
  answered: Map<string, number>
}

async function startHostileServer(random: () => number): Promise<Bill> {
  const asked = new Map<string, number>()
  const answered = new Map<string, number>()
  const server = await startModelServer({
    latencyMs: 10,
    keepRequests: 0,
    reply: (request) => {
      const key = `${request.model} ${request.prompt}`
      const times = (asked.get(key) ?? 0) + 1
      asked.set(key, times)
      const hostile = request.model === 'hostile' && times < 3 && random() < 0.5
      const kind = hostile ? Math.floor(random() * hostileReplies.length) : undefined
      if (kind === undefined || kind >= 4) answered.set(key, (answered.get(key) ?? 0) + 1)
      return kind === undefined
        ? stream(request, { prompt_tokens: 3, completion_tokens: 3, cost: 0.001 })
        : hostileReplies[kind]!(request)
    },
  })
  return { server, answered }
}

interface Figures {
  disturbances: Record<string, number>
  requests: number
  repeated: number
}

/** One run, disturbed until it is complete. */
async function soak(seed: string, env: Record<string, string>, loseDatabase?: () => Promise<void>): Promise<Figures> {
  const random = createRandom(seed)
  const { server, answered } = await startHostileServer(random)
  const home = mkdtempSync(join(tmpdir(), 'benchmaker-soak-'))
  const disturbances: Record<string, number> = {}
  const kinds = [...SIGNALS, 'second owner', ...(loseDatabase ? ['database lost' as const] : [])] as const
  const settings = { env: { ...process.env, ...env, BENCHMAKER_HOME: home } }
  const call = (...args: string[]) => startProcess(process.execPath, [builtProgram, ...args], settings)
  /** A limit on the size of files, in blocks of 512 bytes: soon no write succeeds, as on a full disk. */
  const callOnFullDisk = (...args: string[]) =>
    startProcess('sh', ['-c', 'ulimit -f 600; exec "$@"', 'sh', process.execPath, builtProgram, ...args], settings)
  try {
    const suite = join(home, 'suite.json')
    const testCases = Array.from({ length: CASES }, (_, index) => ({
      id: `case-${index}`,
      prompt: `Question ${index}`,
      scoringMethod: 'boolean',
      expectedOutput: `says ${index}`,
    }))
    writeFileSync(suite, JSON.stringify({ name: 'Soak', testCases }))

    const first = ['run', suite, '--models', MODELS.join(','), '--base-url', server.baseUrl]
    const options = ['--concurrency', String(CONCURRENCY), '--json']
    const readRuns = async (): Promise<{ cells: { scored: number; total: number } }[]> => {
      const { code, out, err } = await call('list', '--json').ended
      expect({ code, err }).toMatchObject({ code: 0 })
      return JSON.parse(out).runs
    }
    const count = () => Object.values(disturbances).reduce((sum, times) => sum + times, 0)
    const disturb = async (work: Started) => {
      const kind = kinds[Math.floor(random() * kinds.length)]!
      disturbances[kind] = (disturbances[kind] ?? 0) + 1
      if (kind === 'database lost') await loseDatabase?.()
      else if (kind === 'second owner') {
        const second = await call('resume', 'latest', '--base-url', server.baseUrl, ...options).ended
        // The first may have finished meanwhile; then there is nothing left to resume, and nothing to refuse.
        if (!work.hasEnded()) expect(second.err).toContain('is running in another process')
      } else {
        work.child.kill(kind)
        await work.ended
      }
    }
    const messages: string[] = []
    let scored = 0
    let last: string | undefined
    let runs = await readRuns()
    for (let starts = 0; last === undefined; starts++) {
      expect(starts, messages.join('\n')).toBeLessThan(DISTURBANCES * 4)
      const isDiskFull = !loseDatabase && runs.length > 0 && count() < DISTURBANCES && random() < 0.3
      if (isDiskFull) disturbances['disk full'] = (disturbances['disk full'] ?? 0) + 1
      const work = (isDiskFull ? callOnFullDisk : call)(
        ...(runs.length === 0 ? first : ['resume', 'latest', '--base-url', server.baseUrl]),
        ...options,
      )
      const mostDisturbances = isDiskFull ? 0 : DISTURBANCES
      while (!work.hasEnded() && count() < mostDisturbances) {
        const target = server.stats().requests + 1 + Math.floor(random() * 12)
        await until(() => work.hasEnded() || server.stats().requests >= target, 'another request')
        if (!work.hasEnded()) await disturb(work)
      }
      const ended = await work.ended
      expect(ended.err).not.toMatch(crashWords)
      runs = await readRuns()
      const [run] = runs
      expect(run?.cells.scored ?? 0).toBeGreaterThanOrEqual(scored)
      scored = run?.cells.scored ?? 0
      messages.push(`exit ${ended.code}: ${ended.err}`)
      if (ended.code === 0) last = ended.out
    }

    const results: { modelId: string; testCaseId: string; response: string; score: { score: number } }[] =
      JSON.parse(last).runs[0].results
    expect(results).toHaveLength(CASES * MODELS.length)
    for (const { modelId, testCaseId, response, score } of results) {
      expect(response).toBe(`${modelId} says ${testCaseId.slice(5)}`)
      expect(score.score).toBe(1)
    }
    expect((await call('doctor').ended).code).toBe(0)
    const repeated = [...answered.values()].reduce((sum, times) => sum + times - 1, 0)
    expect(answered.size).toBe(CASES * MODELS.length)
    // Twice: requests in flight, and paid answers that could not be stored.
    expect(repeated).toBeLessThanOrEqual(count() * 2 * CONCURRENCY)
    return { disturbances, requests: server.stats().requests, repeated }
  } finally {
    await server.close()
    rmSync(home, { recursive: true, force: true })
  }
}

const rounds = Array.from({ length: ROUNDS }, (_, index) => `${SEED} ${index}`)

describe('a disturbed run ends as an undisturbed one, and pays at most the calls in flight again', () => {
  it.each(rounds)('on SQLite, round %s', async (seed) => {
    const figures = await soak(`sqlite ${seed}`, {})
    console.log(`soak on SQLite, ${seed}: ${JSON.stringify(figures)}`)
  })

  describe('on PostgreSQL', () => {
    let postgres: PostgresServer
    beforeAll(async () => {
      postgres = await startPostgres()
    })
    afterAll(() => postgres.stop())

    it.each(rounds)('round %s', async (seed) => {
      const url = await postgres.createDatabase()
      const figures = await soak(`postgres ${seed}`, { BENCHMAKER_DATABASE_URL: url }, async () => {
        await postgres.pause()
        await postgres.resume()
      })
      console.log(`soak on PostgreSQL, ${seed}: ${JSON.stringify(figures)}`)
    })
  })
})
