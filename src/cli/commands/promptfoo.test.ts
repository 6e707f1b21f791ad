import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer } from '../../../test/fakes/model-server.ts'
import { runCli } from '../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-promptfoo-run-'))
const inFolder = (name: string) => join(folder, name)
let models: ModelServer

beforeAll(async () => {
  models = await startModelServer({
    models: ['small', 'judge'],
    answer: ({ model }) => (model === 'judge' ? '{"score": 8, "reasoning": "fine"}' : 'Bonjour'),
  })
})
beforeEach(() => models.reset())
afterAll(async () => {
  await models.close()
  rmSync(folder, { recursive: true })
})

function write(name: string, content: string): string {
  writeFileSync(inFolder(name), content)
  return inFolder(name)
}

const run = (...args: string[]) => runCli([...args, '--data', inFolder('data')])
const endpoint = () => ['--models', 'small', '--base-url', models.baseUrl]

/** The prompts of all requests to a model, sorted: they are sent at the same time. */
const promptsTo = (model: string) =>
  models.requests
    .filter(({ body }) => body['model'] === model)
    .map(({ body }) => JSON.stringify(body['messages']))
    .toSorted()

describe('a promptfoo config with two prompts', () => {
  const config = write(
    'promptfooconfig.yaml',
    "description: Greetings\nprompts: ['Translate to {{language}}: {{text}}', { label: brief, raw: '{{text}} in {{language}}?' }]\nproviders: [openai:gpt-4o]\ntests:\n  - vars: { language: French, text: Hello }\n    assert: [{ type: icontains, value: bonjour }]\n",
  )

  it('compares them as model@variant', async () => {
    const { exitCode, out } = await run('run', config, '--json', ...endpoint())
    expect(exitCode).toBe(0)
    expect(promptsTo('small')).toEqual([
      '[{"role":"user","content":"Hello in French?"}]',
      '[{"role":"user","content":"Translate to French: Hello"}]',
    ])
    expect(JSON.parse(out).runs[0].models).toEqual(['small@prompt-1', 'small@brief'])
  })
  it('shows what each variant was asked in every report', async () => {
    await run('run', config, ...endpoint(), '--out', inFolder('r.csv'))
    const { out } = await run('export', 'latest', '--format', 'csv')
    expect(out).toContain('@prompt-1: Translate to French: Hello')
    expect(out).toContain('@brief: Hello in French?')
  })
  it('is rescored by a judge who reads the question of the variant', async () => {
    await run('run', config, ...endpoint())
    const judged = write(
      'judged.yaml',
      'name: Greetings\ntestCases:\n  - { id: test-1, prompt: unused, scoringMethod: llm-judge, vars: { language: French, text: Hello } }\n',
    )
    models.reset()
    const { exitCode, err } = await run(
      'rescore',
      'latest',
      '--suite',
      judged,
      '--judge',
      'judge',
      '--base-url',
      models.baseUrl,
    )
    expect([exitCode, err]).toEqual([0, expect.any(String)])
    const tasks = promptsTo('judge').map((prompt) => /(Translate to French: Hello|Hello in French\?)/.exec(prompt)?.[1])
    expect(tasks.toSorted()).toEqual(['Hello in French?', 'Translate to French: Hello'])
  })
  it('is written as a suite that reads back the same', async () => {
    const { exitCode } = await run('import', config, '--out', inFolder('suite.yaml'))
    expect(exitCode).toBe(0)
    const again = await run('run', inFolder('suite.yaml'), '--dry-run', '--json', ...endpoint())
    const direct = await run('run', config, '--dry-run', '--json', ...endpoint())
    expect(JSON.parse(again.out)).toEqual(JSON.parse(direct.out))
  })
})

describe('a promptfoo config without assertions', () => {
  const config = write(
    'plain.yaml',
    "prompts: ['Say {{a}}']\nproviders: [openai:gpt-4o]\ntests: [{ vars: { a: 1 } }, { vars: { a: 2 } }]\n",
  )

  it('collects the answers: nothing is scored, nothing is missing, and the run exits 0', async () => {
    const { exitCode, out, err } = await run('run', config, '--json', '--out', inFolder('plain.xml'), ...endpoint())
    expect(exitCode).toBe(0)
    const [{ results }] = JSON.parse(out).runs
    expect(
      results.map(({ response, score, unscored }: Record<string, unknown>) => [response, score, unscored]),
    ).toEqual(
      [1, 2].map(() => ['Bonjour', undefined, { code: 'no-scoring', message: expect.stringMatching(/rescore/) }]),
    )
    expect(err).toContain('2 tests without one: their answers are collected, not scored. Everything came over.')
    expect(readFileSync(inFolder('plain.xml'), 'utf8')).toMatch(/failures="0" errors="0" skipped="2"/)
    const shown = await run('show', 'latest')
    expect(shown.out).toContain('2 of 2 cells not scored, as the suite says')
  })
  it('still fails a gate that cannot be checked', async () => {
    const { exitCode, err } = await run('run', config, '--fail-under', '50', ...endpoint())
    expect(exitCode).toBe(1)
    expect(err).toContain('small has no score at all')
    expect(err).not.toContain('--allow-missing')
  })
  it('leaves the mean of scored cases alone, with no bounds around it', async () => {
    const mixed = write(
      'mixed.yaml',
      'name: Mixed\ntestCases:\n  - { id: a, prompt: a, scoringMethod: boolean, expectedOutput: bonjour }\n  - { id: b, prompt: b, scoringMethod: none }\n',
    )
    const { exitCode, out } = await run('run', mixed, '--json', '--fail-under', '90', ...endpoint())
    expect(exitCode).toBe(0)
    expect(JSON.parse(out).scores.small).toMatchObject({
      mean: 1,
      boundsWithMissing: [1, 1],
      unscored: 1,
      missingReasons: { 'no-scoring': 1 },
    })
    expect((await run('show', 'latest')).out).toContain('1 of 2 cells not scored, as the suite says')
  })
  it('can be scored later by a judge', async () => {
    await run('run', config, ...endpoint())
    const judged = write(
      'judge-later.yaml',
      'name: Later\ntestCases:\n  - { id: test-1, prompt: Say 1, scoringMethod: llm-judge }\n  - { id: test-2, prompt: Say 2, scoringMethod: llm-judge }\n',
    )
    const judge = ['--judge', 'judge', '--base-url', models.baseUrl, '--json']
    const { exitCode, out } = await run('rescore', 'latest', '--suite', judged, ...judge)
    expect(exitCode).toBe(0)
    expect(JSON.parse(out).runs[0].results.map(({ score }: { score: { score: number } }) => score.score)).toEqual([
      0.8, 0.8,
    ])
  })
})

describe('JavaScript in a promptfoo config', () => {
  const config = write(
    'code.yaml',
    "prompts: ['Say {{a}}']\nproviders: [openai:gpt-4o]\ntests:\n  - vars: { a: Bonjour }\n    assert:\n      - { type: javascript, value: 'output.replace(/x/, output) === context.vars.a' }\n      - { type: latency, threshold: 60000 }\n      - { type: equals, value: bonjour, transform: output.toLowerCase() }\n",
  )

  it('is left out and named unless it is allowed', async () => {
    const { exitCode, err } = await run('run', config, ...endpoint())
    expect(exitCode).toBe(0)
    expect(err).toContain('(javascript): it is left out: it runs code, which is done only with --allow-code')
    expect(err).toContain('From promptfoo: 1 prompt, 1 test as 1 case, 3 assertions: 1 whole, 2 lost.')
    // A check of a changed answer is not made on the answer as it is.
    expect(err).toContain('(equals): it is left out: its transform')
  })
  it('scores answers with --allow-code, also when rescored', async () => {
    const { exitCode, out, err } = await run('run', config, '--allow-code', '--json', ...endpoint())
    expect([exitCode, err]).toEqual([0, expect.stringContaining('3 assertions: 3 whole. Everything came over.')])
    const [{ results }] = JSON.parse(out).runs
    expect(results[0].score).toMatchObject({ score: 1, checks: [{ score: 1 }, { score: 1 }, { score: 1 }] })
    const refused = await run('rescore', 'latest')
    expect([refused.exitCode, refused.err]).toEqual([
      2,
      expect.stringMatching(/javascript runs code of the suite.*--allow-code/),
    ])
    expect((await run('rescore', 'latest', '--allow-code')).exitCode).toBe(0)
  })
  it('written to a suite is refused without --allow-code', async () => {
    const suite = inFolder('code-suite.yaml')
    await run('import', config, '--allow-code', '--out', suite)
    models.reset()
    const { exitCode, err } = await run('run', suite, ...endpoint())
    expect([exitCode, err]).toEqual([2, expect.stringMatching(/javascript runs code of the suite.*--allow-code/)])
    const onWorkers = await run('run', suite, '--allow-code', '--on-workers', ...endpoint())
    expect([onWorkers.exitCode, onWorkers.err]).toEqual([2, expect.stringContaining('workers do not run the code')])
    expect(models.requests).toEqual([])
    expect((await run('run', suite, '--allow-code', ...endpoint())).exitCode).toBe(0)
  })
})

describe('--map', () => {
  const table = write('qa.csv', 'question,answer\nHello?,Bonjour\nBye?,Au revoir\n')

  it('runs a table with other column names', async () => {
    const map = ['--map', 'prompt=question,expectedOutput=answer']
    const { exitCode, out } = await run('run', table, ...map, '--json', ...endpoint())
    expect(exitCode).toBe(0)
    const [{ results }] = JSON.parse(out).runs
    expect(results.map(({ score }: { score: { score: number } }) => score.score)).toEqual([1, 0])
    const imported = await run('import', table, ...map, '--map', 'scoringMethod=boolean', '--json')
    expect(JSON.parse(imported.out).testCases[0]).toMatchObject({ prompt: 'Hello?', scoringMethod: 'boolean' })
  })
  it('names columns that are missing, and says how it is written', async () => {
    const missing = await run('run', table, '--map', 'prompt=frage', ...endpoint())
    expect([missing.exitCode, missing.err]).toEqual([
      2,
      expect.stringContaining('there is no column "frage" (for prompt); the columns are "question", "answer"'),
    ])
    const twice = await run('run', table, '--map', 'prompt=question,prompt=answer', ...endpoint())
    expect([twice.exitCode, twice.err]).toEqual([2, expect.stringContaining('two columns for prompt')])
    const wrong = await run('run', table, '--map', 'prompt', ...endpoint())
    expect([wrong.exitCode, wrong.err]).toEqual([2, expect.stringContaining(': must be field=column')])
  })
})
