/** An evaluation in a test file of Vitest: its cases are tests, its results a run like any other. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { defineScorer } from '../src/index.ts'
import { describeEval } from '../src/library/vitest.ts'
import { openStorage } from '../src/storage/index.ts'

const capitals: Record<string, string> = { France: 'Paris', Italy: 'Rome' }
const answer = (input: string) => capitals[/of (\w+)/.exec(input)?.[1] ?? ''] ?? 'no idea'
const storage = await openStorage({ file: ':memory:' })
afterAll(() => storage.close())

describeEval('Capitals', {
  data: async () => [
    { input: 'Capital of France?', expected: 'Paris' },
    { id: 'it', input: 'Capital of Italy?', expected: 'Rome' },
  ],
  task: answer,
  scorers: [
    'exact-match',
    defineScorer({ name: 'short', score: ({ response }) => ({ score: response.length < 9 ? 1 : 0 }) }),
  ],
  repeats: 2,
  storage,
})

describeEval('Half of them', {
  data: [
    { input: 'Capital of France?', expected: 'Paris', partial: false },
    { input: 'Capital of Spain?', expected: 'Madrid', partial: false },
  ],
  task: (input) => ({ response: answer(input), promptTokens: 3 }),
  threshold: 50,
  storage,
})

it('keeps the results as runs, repeats as a series', async () => {
  const runs = await storage.listRuns({})
  expect(runs.map(({ testSuiteName, status }) => [testSuiteName, status])).toEqual(
    expect.arrayContaining([
      ['Capitals', 'completed'],
      ['Half of them', 'completed'],
    ]),
  )
  expect(
    new Set(runs.filter(({ testSuiteName }) => testSuiteName === 'Capitals').map(({ seriesId }) => seriesId)).size,
  ).toBe(1)
})

it('fails with what was expected and got', () => {
  const root = join(import.meta.dirname, '..')
  const folder = mkdtempSync(join(root, '.describe-eval-'))
  try {
    writeFileSync(
      join(folder, 'capitals.test.ts'),
      `import { describeEval } from ${JSON.stringify(join(root, 'src/library/vitest.ts'))}
describeEval('Capitals', { data: [{ id: 'es', input: 'Capital of Spain?', expected: 'Madrid' }, { id: 'down', input: 'x', expected: 'y' }],
  task: (input) => { if (input === 'x') throw new Error('it is down'); return 'Lisbon' } })
describeEval('All', { data: [{ input: 'a', expected: 'b' }], task: () => 'c', threshold: 90 })
`,
    )
    writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {}\n')
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { status } = spawnSync(
      process.execPath,
      [
        vitest,
        'run',
        '--root',
        folder,
        '--config',
        join(folder, 'vitest.config.mjs'),
        '--reporter',
        'json',
        '--outputFile',
        'out.json',
      ],
      {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], BENCHMAKER_HOME: join(tmpdir(), `describe-eval-${process.pid}`) },
      },
    )
    const { testResults } = JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8'))
    const messages = testResults[0].assertionResults.map(
      ({ title, failureMessages }: { title: string; failureMessages: string[] }) => [
        title,
        failureMessages[0]?.split('\n')[0],
      ],
    )
    expect(messages).toEqual([
      ['es', expect.stringMatching(/^Error: scored \d+(\.\d)?, expected "Madrid", got "Lisbon"$/)],
      ['down', expect.stringContaining('it is down')],
      ['scores 90 of 100', 'Error: the mean is 0, below the required 90'],
    ])
    expect(status).toBe(1)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(join(tmpdir(), `describe-eval-${process.pid}`), { recursive: true, force: true })
  }
})
