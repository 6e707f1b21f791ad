/**
 * What a turn of a conversation costs besides the model: 100 conversations of 20 turns, each with a call, against a client
 * that answers at once, stored in SQLite. Budget: at most 2 ms a turn, 100 conversations at once in 500 MB. Run it as
 * `node bench/engine/conversations.ts [rules|code]`, both by default.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executeRun, openStorage, type ClientDefinition } from '../../src/index.ts'

const CONVERSATIONS = 100
const TURNS = 20
const chosen = process.argv.slice(2)

const client: ClientDefinition = {
  complete: async ({ messages }) => {
    const done = messages.filter(({ role }) => role === 'assistant').length
    return done < TURNS - 1
      ? { response: '', toolCalls: [{ id: `c${done}`, name: 'count', arguments: { by: 1 } }] }
      : { response: 'Done.' }
  },
}

const tools = {
  rules: {
    changes: true,
    mock: [{ edits: [{ add: 'world.count', by: '{{ args.by }}' }], reply: '{{ world.count }}' }],
  },
  code: { changes: true, code: 'world.count += args.by; return world.count' },
}

for (const kind of ['rules', 'code'] as const) {
  if (chosen.length > 0 && !chosen.includes(kind)) continue
  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-bench-'))
  const storage = await openStorage({ file: join(folder, 'bench.db') })
  const suite = {
    name: 'Turns',
    agent: { limits: { turns: TURNS + 1 } },
    world: { count: 0 },
    tools: { count: tools[kind] },
    testCases: Array.from({ length: CONVERSATIONS }, (_, index) => ({
      id: `c${index}`,
      prompt: 'Count.',
      endState: { count: TURNS - 1 },
    })),
  }
  const before = performance.now()
  const cpuBefore = process.cpuUsage()
  const run = await executeRun({ suite, models: ['m'], client, storage, concurrency: CONVERSATIONS })
  const ms = performance.now() - before
  const { user, system } = process.cpuUsage(cpuBefore)
  const cpu = (user + system) / 1000
  const passed = run.results.filter(({ score }) => score?.score === 1).length
  const memory = Math.round(process.memoryUsage.rss() / 2 ** 20)
  process.stdout.write(
    `${kind}: ${(ms / CONVERSATIONS / TURNS).toFixed(2)} ms a turn, ${(cpu / CONVERSATIONS / TURNS).toFixed(2)} ms of CPU (${passed} of ${CONVERSATIONS} right, ${memory} MB)\n`,
  )
  await storage.close()
  rmSync(folder, { recursive: true })
}
