import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, afterEach, expect, it } from 'vitest'

const program = join(import.meta.dirname, '..', 'dist', 'cli.js')
const folder = mkdtempSync(join(tmpdir(), 'benchmaker-mcp-'))
writeFileSync(
  join(folder, 'sums.yaml'),
  `name: Sums
testCases:
  - { id: a, prompt: What is 2+2?, scoringMethod: exact-match, expectedOutput: "4" }
  - { id: b, prompt: What is 3+3?, scoringMethod: exact-match, expectedOutput: "6" }
`,
)

let client: Client | undefined
afterEach(() => client?.close())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An agent's own client, which nobody here wrote, on the program's stdin and stdout. */
async function connect(...args: string[]): Promise<Client> {
  client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', ...args, '--data', join(folder, 'data')],
      cwd: folder,
      stderr: 'inherit',
    }),
  )
  return client
}

async function call(name: string, args: Record<string, unknown> = {}): Promise<{ text: string; isError: boolean }> {
  const { content, isError } = await client!.callTool({ name, arguments: args })
  return { text: (content as { text: string }[]).map(({ text }) => text).join(''), isError: isError === true }
}

it('an agent can read but not run, unless it was allowed to', async () => {
  await connect()
  const { tools } = await client!.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['list_suites', 'list_runs', 'read_results', 'compare'])
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  expect(JSON.parse((await call('list_runs')).text).runs).toEqual([])
  expect(JSON.parse((await call('list_suites')).text)).toEqual([])
  expect(await call('read_results', { run: 'latest' })).toMatchObject({ isError: true })
  expect(await call('read_results', { run: '--help' })).toMatchObject({ isError: true })
  expect(await call('run', { suite: 'sums.yaml', models: ['demo/good'] })).toMatchObject({ isError: true })
})

it('an agent runs a suite, reads its results and compares, within its budget', async () => {
  await connect('--allow-run', '--max-cost', '0.02')
  const ran = await call('run', { suite: 'sums.yaml', models: ['demo/good', 'demo/poor'] })
  expect([ran.isError, ran.text]).toEqual([false, expect.stringContaining('demo/poor')])
  const { runs } = JSON.parse((await call('list_runs')).text)
  expect(runs).toHaveLength(1)
  expect((await call('read_results', { run: runs[0].id })).text).toContain('demo/good')
  expect((await call('compare', { runs: [`${runs[0].id}:demo/good`, `${runs[0].id}:demo/poor`] })).isError).toBe(false)
  const refused = await call('run', { suite: 'missing.yaml', models: ['demo/good'] })
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('missing.yaml')])
  // What is left is less than one answer may cost: the run stops before it sends anything.
  const poor = await call('run', { suite: 'sums.yaml', models: ['demo/good'], max_cost: 0.0000001 })
  expect(poor.text).toMatch(/not asked|budget/)
})
