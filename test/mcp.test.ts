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
  expect(tools.map(({ name }) => name)).toEqual(['list_suites', 'list_runs', 'read_results', 'compare', 'check'])
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  expect(client!.getInstructions()).toContain('which differences are real')
  expect(JSON.parse((await call('list_runs')).text).runs).toEqual([])
  expect(JSON.parse((await call('list_suites')).text)).toEqual({ suites: [], total: 0, page: 1, pages: 1 })
  expect(await call('read_results', { run: 'latest' })).toMatchObject({ isError: true })
  expect(await call('read_results', { run: '--help' })).toMatchObject({ isError: true })
  expect(await call('run', { suite: 'sums.yaml', models: ['demo/good'] })).toMatchObject({ isError: true })
})

it('an agent checks a suite without changing anything', async () => {
  writeFileSync(
    join(folder, 'twice.yaml'),
    `name: Twice
testCases:
  - { id: a, prompt: What is the capital of Australia today?, scoringMethod: exact-match, expectedOutput: Canberra }
  - { id: b, prompt: What is the capital of Australia today?, scoringMethod: exact-match, expectedOutput: Canberra }
`,
  )
  await connect()
  const checked = await call('check', { suite: 'twice.yaml' })
  expect([checked.isError, checked.text]).toEqual([false, expect.stringMatching(/Twice · 2 cases[^]*1\. .*a.*b/)])
  expect(checked.text).toContain('only the suite itself was checked')
  const missing = await call('check', { suite: 'nowhere.yaml' })
  expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining('nowhere.yaml: no such suite')])
  const page = await call('check', { suite: 'twice.yaml', page: 9 })
  expect(page).toEqual({ isError: true, text: 'There is no page 9: the last one is 1.' })
  // A misspelled argument is refused, not ignored: it could be a budget.
  const misspelled = await call('check', { suite: 'twice.yaml', run: ['latest'] })
  expect([misspelled.isError, misspelled.text]).toEqual([true, expect.stringContaining('run')])
  // `compare` in the terminal imports files.
  const file = await call('compare', { runs: ['twice.yaml', 'sums.yaml:x'] })
  expect([file.isError, file.text]).toEqual([true, expect.stringContaining('twice.yaml is a file')])
})

it('an agent runs a suite, reads its results and compares, within its budget', async () => {
  await connect('--allow-run', '--max-cost', '0.02')
  const ran = await call('run', { suite: 'sums.yaml', models: ['demo/good', 'demo/poor'] })
  expect([ran.isError, ran.text]).toEqual([false, expect.stringContaining('demo/poor')])
  const { runs } = JSON.parse((await call('list_runs')).text)
  expect(runs).toHaveLength(1)
  expect((await call('read_results', { run: runs[0].id })).text).toContain('demo/good')
  expect((await call('compare', { runs: [`${runs[0].id}:demo/good`, `${runs[0].id}:demo/poor`] })).isError).toBe(false)
  expect((await call('check', { suite: 'sums.yaml' })).text).toContain('Sums · 2 cases · 1 run · 2 models')
  expect((await call('check', { suite: 'Sums', runs: [runs[0].id] })).text).toContain('Sums · 2 cases · 1 run')
  const refused = await call('run', { suite: 'missing.yaml', models: ['demo/good'] })
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('missing.yaml')])
  // What is left is less than one answer may cost: the run stops before it sends anything.
  const poor = await call('run', { suite: 'sums.yaml', models: ['demo/good'], max_cost: 0.0000001 })
  expect(poor.text).toMatch(/not run|budget/)
})

it('runs at the same time share one budget, and long answers have pages', async () => {
  writeFileSync(
    join(folder, 'long.yaml'),
    `name: Long
testCases:
${Array.from({ length: 60 }, (_, index) => `  - { id: case-${index}, prompt: ${JSON.stringify(`${index}: ${'Say it again. '.repeat(60)}`)}, scoringMethod: exact-match, expectedOutput: again }`).join('\n')}
`,
  )
  const budget = 0.05
  await connect('--allow-run', '--max-cost', String(budget))
  const replies = await Promise.all(
    [1, 2, 3].map(() => call('run', { suite: 'long.yaml', models: ['demo/good', 'demo/fair', 'demo/poor'] })),
  )
  const { runs } = JSON.parse((await call('list_runs', { search: 'Long' })).text)
  const spent = runs.reduce((sum: number, { cost }: { cost: number }) => sum + cost, 0)
  expect([spent > 0, spent <= budget]).toEqual([true, true])
  expect(replies).toHaveLength(3)
  const run = runs.at(-1).id
  const first = await call('read_results', { run, cases: true })
  const [, last = ''] = /\(Page 1 of (\d+); for the next one, call again with page 2\.\)$/.exec(first.text) ?? []
  expect(Number(last)).toBeGreaterThan(1)
  const end = await call('read_results', { run, cases: true, page: Number(last) })
  expect(end.text).toContain(`(Page ${last} of ${last}.)`)
  expect(Math.max(first.text.length, end.text.length)).toBeLessThan(21_000)
})
