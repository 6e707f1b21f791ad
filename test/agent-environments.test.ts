import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { CellEvent } from '../src/contract/index.ts'
import {
  executeRun,
  openStorage,
  resumeRun,
  runConversation,
  type ClientDefinition,
  type RunEvent,
} from '../src/index.ts'
import { useTemporaryFolder } from './temporary-folder.ts'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0)) await undo()
})

type Step = { text?: string; calls?: [name: string, args: object][] }
const scripted = (...steps: Step[]): ClientDefinition => ({
  complete: async ({ messages }) => {
    const { text = '', calls = [] } = steps[messages.filter(({ role }) => role === 'assistant').length] ?? {
      text: 'Done.',
    }
    return {
      response: text,
      toolCalls: calls.map(([name, args], index) => ({ id: `${messages.length}-${index}`, name, arguments: args })),
    }
  },
})

const server = join(import.meta.dirname, 'fakes/files-mcp-server.ts')
const files = {
  name: 'Files',
  environment: {
    mcp: {
      files: {
        command: process.execPath,
        args: [server, '{{ folder }}'],
        tools: ['read_file', 'write_file', 'move_file', 'environment'],
        changes: ['write_file', 'move_file'],
      },
    },
    folder: { 'notes/todo.txt': 'milk\nbread\n', 'notes/old.txt': 'old' },
  },
  testCases: [
    {
      id: 'rename-and-append',
      prompt: 'Append "eggs" to notes/todo.txt and rename notes/old.txt to notes/archive.txt.',
      endState: { 'notes/todo.txt': 'milk\nbread\neggs\n', 'notes/archive.txt': 'old', 'notes/old.txt': null },
    },
  ],
}
const readEdits = (log: readonly CellEvent[]) => log.flatMap((event) => (event.kind === 'replied' ? event.edits : []))
const listLeft = useTemporaryFolder()

describe('MCP servers', () => {
  it('start only where that is allowed', async () => {
    await expect(runConversation({ suite: files, client: scripted() })).rejects.toThrow(
      'allow that with --allow-commands',
    )
  })

  it('are started for each conversation in a folder of their own, which is the world', async () => {
    process.env['SECRET_KEY_OF_TEST'] = 'x'
    cleanUp.push(() => delete process.env['SECRET_KEY_OF_TEST'])
    const client = scripted(
      {
        calls: [
          ['read_file', { path: 'notes/todo.txt' }],
          ['environment', {}],
        ],
      },
      {
        calls: [
          ['write_file', { path: 'notes/todo.txt', content: 'milk\nbread\neggs\n' }],
          ['read_file', { path: 'nowhere' }],
        ],
      },
      { calls: [['move_file', { from: 'notes/old.txt', to: 'notes/archive.txt' }]] },
    )
    const { score, world, trajectory } = await runConversation({ suite: files, client, allowCommands: true })
    expect(world).toEqual({ 'notes/archive.txt': 'old', 'notes/todo.txt': 'milk\nbread\neggs\n' })
    expect(score).toBe(1)
    const calls = trajectory.steps.flatMap((step) => step.calls)
    expect(calls.map(({ isError }) => isError)).toEqual([false, false, false, true, false])
    expect(calls[0]?.result).toBe('milk\nbread\n')
    expect(calls[1]?.result).not.toContain('SECRET_KEY_OF_TEST')
    expect(listLeft()).toEqual([])
  })

  it.each([
    [['write_file', 'move_file'], 0],
    [['move_file'], 1],
    [undefined, 0],
  ])('say which of their tools change something: with %j, one write too many gives %d', async (changes, score) => {
    const { environment, testCases } = files
    const suite = {
      ...files,
      environment: { ...environment, mcp: { files: { ...environment.mcp.files, changes } } },
      testCases: [
        { ...testCases[0]!, checks: [{ scoringMethod: 'tool-calls', expectedCalls: [], credit: 'effects' }] },
      ],
    }
    const client = scripted({ calls: [['write_file', { path: 'a', content: 'b' }]] })
    expect(await runConversation({ suite, client, allowCommands: true })).toMatchObject({ score })
  })

  it.each([
    ['tools of its own', { tools: { shout: { reply: 'HO' } } }, 'the agent has its tools only; leave out shout'],
    [
      'an address',
      { environment: { ...files.environment, http: 'http://127.0.0.1:1' } },
      'environment has mcp and http',
    ],
  ])('are refused beside %s', async (_what, more, message) => {
    const run = runConversation({ suite: { ...files, ...more }, client: scripted(), allowCommands: true })
    await expect(run).rejects.toThrow(message)
  })

  it('that cannot be started leave the cell unscored', async () => {
    const suite = { ...files, environment: { ...files.environment, mcp: { files: { command: '/nowhere/at-all' } } } }
    expect(await runConversation({ suite, client: scripted(), allowCommands: true })).toMatchObject({
      outcome: 'environment-error',
      score: null,
      unscored: { code: 'environment-error' },
    })
  })
})

const hostile = join(import.meta.dirname, 'fakes/hostile-mcp-server.ts')

describe('MCP servers with a fault', () => {
  /** Two cases, of which the first meets the fault. */
  function setUp(fault: string, { command = process.execPath, before = [] as string[], tools = ['write'] } = {}) {
    const pids = join(tmpdir(), 'pids')
    writeFileSync(pids, '')
    const meeting = (name: string) => ({
      mcp: { shop: { command, args: [...before, hostile, name, '{{ folder }}', pids], tools } },
    })
    const suite = {
      name: 'Faults',
      environment: { folder: { 'a.txt': 'a' } },
      testCases: [
        { id: 'first', prompt: 'Write.', environment: meeting(fault), endState: { 'out.txt': 'written' } },
        { id: 'second', prompt: 'Write.', environment: meeting('none'), endState: { 'out.txt': 'written', '0': null } },
      ],
    }
    const left = () =>
      readFileSync(pids, 'utf8')
        .split('\n')
        .filter((pid) => pid !== '' && isAlive(Number(pid)))
    return { suite, left, hasBegun: () => readFileSync(pids, 'utf8') !== '' }
  }
  function isAlive(pid: number): boolean {
    try {
      process.kill(pid, 0)
      return true
    } catch {
      return false
    }
  }
  const write = () => scripted({ calls: [['write', {}]] }, { text: 'Done.' })

  it.each([
    ['ends at once', 'MCP server shop ended before it answered; the last it wrote: the variable SHOP_TOKEN is missing'],
    ['lists garbage', 'MCP server shop sent what the protocol does not have: tools.0.inputSchema.type'],
    ['lists twice', 'MCP server shop lists the tool write twice'],
    ['lists without end', 'MCP server shop lists more than 1000 tools'],
    ['dies in a call', 'MCP server shop ended before it answered'],
    ['breaks in a call', 'MCP server shop failed: MCP error -32603: out of paper'],
    ['sends too much', 'the last it wrote: an answer of more than 10 MiB'],
    ['fills the folder', 'the folder has more than 2000 files'],
  ])('that %s leave the cell unscored, and nothing behind', { timeout: 60_000 }, async (fault, message) => {
    const { suite, left } = setUp(fault)
    const run = await executeRun({ suite, models: ['m'], client: write(), allowCommands: true, concurrency: 1 })
    const [first, second] = run.results
    expect(first?.unscored).toMatchObject({ code: 'environment-error', message: expect.stringContaining(message) })
    expect(first?.score).toBeUndefined()
    expect(second?.score).toMatchObject({ score: 1 })
    await expect.poll(left, { timeout: 30_000 }).toEqual([])
    expect(listLeft()).toEqual(['pids'])
  })

  it.each(['floods its errors', 'speaks garbage', 'ignores signals'])(
    'that %s are heard all the same',
    { timeout: 60_000 },
    async (fault) => {
      const { suite, left } = setUp(fault)
      const result = await runConversation({ suite, caseId: 'first', client: write(), allowCommands: true })
      expect(result).toMatchObject({ score: 1, world: { 'a.txt': 'a', 'out.txt': 'written' } })
      await expect.poll(left, { timeout: 30_000 }).toEqual([])
    },
  )

  it.each([
    ['fails after it wrote', 'Error: disk failure'],
    ['refuses arguments', 'Error: Invalid arguments for tool write'],
  ])('that %s: the agent reads it, and the folder is as it is', async (fault, reply) => {
    const { suite } = setUp(fault)
    const { score, world, trajectory } = await runConversation({
      suite,
      caseId: 'first',
      client: write(),
      allowCommands: true,
    })
    expect(world).toEqual({ 'a.txt': 'a', 'out.txt': 'written' })
    expect(score).toBe(1)
    expect(trajectory.steps.flatMap(({ calls }) => calls)).toMatchObject([{ isError: true, result: reply }])
  })

  it('without a tool that the suite names say which they have, on all of their pages', async () => {
    const { suite } = setUp('none', { tools: ['write', 'fly'] })
    const { unscored } = await runConversation({ suite, caseId: 'first', client: write(), allowCommands: true })
    expect(unscored?.message).toContain('MCP server shop has no tool fly; it has read, write')
  })

  it('that hang end with their run, and so does what they started', { timeout: 60_000 }, async () => {
    const { suite, left, hasBegun } = setUp('hangs', {
      command: 'sh',
      before: ['-c', '"$0" "$@"; true', process.execPath],
    })
    const controller = new AbortController()
    const events: RunEvent[] = []
    const run = executeRun({
      suite: { ...suite, testCases: suite.testCases.slice(0, 1) },
      models: ['m'],
      client: write(),
      allowCommands: true,
      signal: controller.signal,
      onEvent: (event) => events.push(event),
    })
    await expect
      .poll(() => events.some((event) => event.type === 'conversation-went-on' && event.event.kind === 'called'), {
        timeout: 30_000,
      })
      .toBe(true)
    expect(hasBegun()).toBe(true)
    controller.abort()
    expect(await run).toMatchObject({ status: 'cancelled' })
    await expect.poll(left, { timeout: 30_000 }).toEqual([])
    expect(listLeft()).toEqual(['pids'])
  })
})

type Reply = (response: ServerResponse) => unknown

/** An environment that counts, and answers one of its calls in another way. */
async function startCounter(faults: Partial<Record<'open' | 'call' | 'state' | 'grade', Reply>>) {
  const keys: string[] = []
  const replies = new Map<string, unknown>()
  let count = 0
  const listener = createServer((request, response) => {
    const [, , , what = 'open'] = request.url?.split('/') ?? []
    const send = (value: unknown) => response.end(JSON.stringify(value))
    const key = String(request.headers['idempotency-key'])
    if (what === 'call') {
      keys.push(key)
      if (!replies.has(key)) replies.set(key, { reply: ++count })
    }
    const fault = new Map(Object.entries(faults)).get(what)
    if (fault && request.method !== 'DELETE') fault(response)
    else if (what === 'open') send({ id: 's', tools: [{ name: 'add' }] })
    else if (what === 'call') send(replies.get(key))
    else send(what === 'state' ? { count } : { reward: 1 })
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  cleanUp.push(() => listener.close().closeAllConnections())
  const address = listener.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const suite = {
    name: 'Counter',
    environment: { http: `http://127.0.0.1:${port}` },
    testCases: [{ id: 'c', task: 'count', prompt: 'Count to one.' }],
  }
  return { suite, keys, faults }
}

describe('an environment with a fault', () => {
  const client = () => scripted({ calls: [['add', {}]] }, { text: 'One.' })
  const page: Reply = (response) => response.end('<html>')
  const endless: Reply = (response) => {
    const more = () => void (response.destroyed || response.write('x'.repeat(2 ** 20), more))
    more()
  }

  it('is none if it says no more than the reward', async () => {
    const { suite } = await startCounter({})
    expect(await runConversation({ suite, client: client() })).toMatchObject({ score: 1, world: { count: 1 } })
  })

  it.each<[string, Parameters<typeof startCounter>[0], string]>([
    [
      'a status',
      { open: (response) => response.writeHead(500).end('out of books') },
      'it answered POST /sessions with 500: out of books',
    ],
    [
      'a redirect',
      { open: (response) => response.writeHead(302, { location: 'http://elsewhere.test/' }).end() },
      'it answered POST /sessions with a redirect to http://elsewhere.test/, which is not followed',
    ],
    ['a page', { call: page }, 'it answered POST /sessions/s/call with something that is not JSON: <html>'],
    ['something else', { call: (response) => response.end('[]') }, 'with a reply whose value cannot be used'],
    [
      'a reward of 2',
      { grade: (response) => response.end('{"reward": 2}') },
      'it answered POST /sessions/s/grade with a reply whose reward cannot be used',
    ],
    ['no end', { state: endless }, 'it answered GET /sessions/s/state with more than 32 MiB'],
    [
      'half a reply',
      {
        call: (response) => {
          response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy())
        },
      },
      'it answered POST /sessions/s/call and broke off',
    ],
    ['nothing', { open: (response) => response.destroy() }, 'cannot be reached'],
  ])('such as %s leaves the cell unscored', { timeout: 60_000 }, async (_what, faults, message) => {
    const { suite } = await startCounter(faults)
    const { outcome, score, unscored } = await runConversation({ suite, client: client() })
    expect([outcome, score]).toEqual(['environment-error', null])
    expect(unscored?.message).toContain(message)
  })

  it('whose reply is lost gets the call again with its key, so that it need not make it again', async () => {
    const controller = new AbortController()
    // The call was made, and the process ends before it reads so.
    const { suite, keys, faults } = await startCounter({ call: () => controller.abort() })
    const storage = await openStorage({ file: ':memory:' })
    cleanUp.push(() => storage.close())
    const settings = { storage, client: client() }
    const first = await executeRun({ ...settings, suite, models: ['m'], signal: controller.signal })
    expect(first.status).toBe('cancelled')
    delete faults.call
    const { run } = await resumeRun(first.id, settings)
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    expect(run.results[0]?.score?.score).toBe(1)
    const log = await storage.loadEvents({ runId: run.id, testCaseId: 'c', modelId: 'm' })
    expect(readEdits(log)).toEqual([{ op: 'replace', path: '/count', value: 1 }])
  })
})

const hasPython = spawnSync('python3', ['--version']).status === 0

describe.skipIf(!hasPython)('an environment over HTTP (if python3 is there)', () => {
  async function startAdapter(): Promise<string> {
    const folder = join(import.meta.dirname, '../integrations/tau2')
    const adapter = spawn('python3', ['adapter.py', '--domain', 'stand_in', '--port', '0'], {
      cwd: folder,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    })
    cleanUp.push(() => adapter.kill())
    const [line] = await once(adapter.stdout, 'data')
    return String(line).trim()
  }

  it('keeps tools and world itself, and grades a case without checks', async () => {
    const suite = {
      name: 'Library',
      environment: { http: await startAdapter() },
      testCases: [
        { id: 'lend', task: 'lend', prompt: 'I am Bo. Middlemarch, please.' },
        { id: 'state', task: 'lend', prompt: 'I am Bo.', endState: { books: { b1: { lent_to: 'Bo' } } } },
        { id: 'unknown', task: 'fly', prompt: 'Hello.' },
      ],
    }
    const agent = () =>
      scripted(
        // What the environment has the agent say first is in the conversation already.
        {},
        {
          calls: [
            ['read_book', { id: 'b1' }],
            ['lend_book', { id: 'b2', to: 'Bo' }],
          ],
        },
        { calls: [['lend_book', { id: 'b1', to: 'Bo' }]] },
      )
    const right = await runConversation({ suite, caseId: 'lend', client: agent() })
    expect(right).toMatchObject({
      outcome: 'ok',
      score: 1,
      passed: true,
      world: { books: { b1: { lent_to: 'Bo' }, b2: { lent_to: 'Ida' } } },
    })
    expect(right.trajectory.steps.flatMap(({ calls }) => calls.map(({ isError }) => isError))).toEqual([
      false,
      true,
      false,
    ])
    expect(right.trajectory.steps[0]).toMatchObject({ source: 'agent', text: 'Good morning, the library.' })
    expect(await runConversation({ suite, caseId: 'lend', client: scripted() })).toMatchObject({
      score: 0,
      passed: false,
    })
    const ask = async (path: string, body: object, key: string): Promise<Record<string, unknown>> => {
      const headers = { 'idempotency-key': key }
      const response = await fetch(suite.environment.http + path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers,
      })
      return JSON.parse(await response.text())
    }
    const { id } = await ask('/sessions', { task: 'lend' }, '')
    const lend = { name: 'lend_book', arguments: { id: 'b1', to: 'Bo' } }
    for (const key of ['a', 'a']) expect(await ask(`/sessions/${id}/call`, lend, key)).toMatchObject({ reply: 'lent' })
    expect(await ask(`/sessions/${id}/call`, lend, 'b')).toMatchObject({ reply: 'Bo has it' })
    expect(await runConversation({ suite, caseId: 'state', client: agent() })).toMatchObject({ score: 1 })
    expect(await runConversation({ suite, caseId: 'unknown', client: agent() })).toMatchObject({
      outcome: 'environment-error',
      score: null,
    })
  })
})
