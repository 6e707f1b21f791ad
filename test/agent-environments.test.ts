import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { runConversation, type ClientDefinition } from '../src/index.ts'
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

  it('that cannot be started leave the cell unscored', async () => {
    const suite = { ...files, environment: { ...files.environment, mcp: { files: { command: '/nowhere/at-all' } } } }
    expect(await runConversation({ suite, client: scripted(), allowCommands: true })).toMatchObject({
      outcome: 'environment-error',
      score: null,
      unscored: { code: 'environment-error' },
    })
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
    expect(await runConversation({ suite, caseId: 'state', client: agent() })).toMatchObject({ score: 1 })
    expect(await runConversation({ suite, caseId: 'unknown', client: agent() })).toMatchObject({
      outcome: 'environment-error',
      score: null,
    })
  })
})
