/**
 * How well the limits of a provider hold over several processes: real ones, with one PostgreSQL database and a server
 * that enforces 600 requests and 100,000 tokens a minute, by the sliding minute and by the second, while they want more
 * than that. Prints how much was refused and how much of the allowance was used.
 * Run: `node tools/build.ts && node bench/team/limits.ts [seconds] [processes]`
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveEndpoint, saveProviderLimits } from '../../src/settings/index.ts'
import { openStorage } from '../../src/storage/index.ts'
import { startPostgres } from '../../src/storage/testing/postgres-server.ts'
import { startLimitedServer } from '../../test/fakes/limited-server.ts'

const seconds = Number(process.argv[2] ?? 75)
const processes = Number(process.argv[3] ?? 4)
const limits = { requestsPerMinute: 600, tokensPerMinute: 100_000 }
const program = join(import.meta.dirname, '../../dist/cli.js')

/** Answers of 60 to 240 words, or all of 145: with a prompt of 16 words, about 600 of them use all tokens of a minute. */
const kinds = [
  { name: 'answers of one length', perSecond: true, wordsOf: () => 145 },
  { name: 'answers of different lengths', perSecond: false, wordsOf: (number: number) => 60 + ((number * 37) % 171) },
]

async function measure({ name, perSecond, wordsOf }: (typeof kinds)[number], connectionString: string) {
  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-limits-'))
  const server = await startLimitedServer(
    { ...limits, perSecond },
    { latencyMs: 300, answer: ({ prompt }) => 'word '.repeat(wordsOf(Number(/\d+/.exec(prompt)?.[0]))).trim() },
  )
  const storage = await openStorage({ connectionString })
  await saveEndpoint(storage, { name: 'limited', baseUrl: server.baseUrl })
  await saveProviderLimits(storage, 'limited', limits)
  await storage.close()
  const testCases = Array.from({ length: 20 * seconds }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}: ${'why '.repeat(14)}`,
    scoringMethod: 'exact-match',
    expectedOutput: 'x',
  }))
  const suite = join(folder, 'suite.json')
  writeFileSync(suite, JSON.stringify({ name: 'Limits', testCases }))
  const children = Array.from({ length: processes }, (_, index) =>
    spawn(
      process.execPath,
      [program, 'run', suite, '--models', 'fake', '--base-url', server.baseUrl, '--concurrency', '20', '--json'],
      {
        env: {
          ...process.env,
          BENCHMAKER_DATABASE_URL: connectionString,
          BENCHMAKER_HOME: join(folder, `home-${index}`),
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    ),
  )
  const ended = children.map((child) => new Promise((resolve) => child.on('close', resolve)))
  while ((server.arrivals.at(-1)?.at ?? 0) < seconds) await new Promise((resolve) => setTimeout(resolve, 100))
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(ended)
  await server.close()
  rmSync(folder, { recursive: true, force: true })

  const { arrivals } = server
  const lasted = arrivals.at(-1)!.at
  const refused = Map.groupBy(arrivals, ({ refusedBy }) => refusedBy ?? 'answered')
  const answered = refused.get('answered') ?? []
  refused.delete('answered')
  const tokens = answered.reduce((sum, arrival) => sum + arrival.tokens, 0)
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  console.log(`${name}, ${processes} processes, ${lasted.toFixed(0)} s`)
  console.log(`  requests ${arrivals.length}, refused ${percent(1 - answered.length / arrivals.length)}`)
  for (const [limit, list] of refused) console.log(`    by ${limit}: ${list.length}`)
  console.log(`  requests used: ${percent(answered.length / ((limits.requestsPerMinute * lasted) / 60))}`)
  console.log(`  tokens used: ${percent(tokens / ((limits.tokensPerMinute * lasted) / 60))}`)
}

const postgres = await startPostgres({ isDurable: true })
try {
  for (const kind of kinds) await measure(kind, await postgres.createDatabase())
} finally {
  await postgres.stop()
}
