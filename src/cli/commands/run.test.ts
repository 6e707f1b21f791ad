import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer } from '../../../test/fakes/model-server.ts'
import type { CellResult } from '../../contract/index.ts'
import { openStorage } from '../../storage/index.ts'
import { runCli } from '../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-run-'))
const inFolder = (name: string) => join(folder, name)
const data = ['--data', inFolder('data')]
let models: ModelServer

beforeAll(async () => {
  models = await startModelServer({
    models: ['small'],
    answer: () => '4',
    reply: ({ model }) =>
      model === 'nope' ? { status: 404, pieces: ['{"error": {"message": "there is no model nope"}}'] } : undefined,
  })
})
beforeEach(() => models.reset())
afterAll(async () => {
  await models.close()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) => runCli(args)

function write(name: string, content: string): string {
  writeFileSync(inFolder(name), content)
  return inFolder(name)
}

const endpoint = () => ['--models', 'small', '--base-url', models.baseUrl, ...data]
const CASES = 'testCases:\n  - { id: a, prompt: 2+2?, scoringMethod: exact-match, expectedOutput: 4 }\n'

describe('a suite file', () => {
  it('is not overwritten by --out, whatever path names it', async () => {
    const text = JSON.stringify({
      name: 'Own',
      testCases: [{ id: 'a', prompt: '2+2?', scoringMethod: 'exact-match', expectedOutput: '4' }],
    })
    const suite = write('own.json', text)
    symlinkSync(suite, inFolder('link.json'))
    for (const out of [suite, inFolder('link.json'), join(folder, '..', basename(folder), 'own.json')])
      expect(await run('run', suite, '--out', out, ...endpoint())).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining('is the suite itself and was not changed; choose another file'),
      })
    expect(readFileSync(suite, 'utf8')).toBe(text)
    expect(models.requests).toEqual([])
  })
  it('that lacks a name of --filter is run with a warning', async () => {
    const suite = write('filtered.yaml', `name: Filtered\n${CASES}`)
    expect(await run('run', suite, '--filter', 'a,nope', ...endpoint())).toMatchObject({
      exitCode: 0,
      err: expect.stringContaining('no test case has the id, category or tag nope'),
    })
    expect((await run('run', suite, '--filter', 'a', ...endpoint())).err).not.toContain('no test case')
  })
})

describe('init', () => {
  it('writes YAML only to a file that is read as YAML', async () => {
    expect(await run('init', inFolder('first.json'))).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('first.json: the first suite is written as YAML; use .yaml or .yml'),
    })
    expect(existsSync(inFolder('first.json'))).toBe(false)
    expect((await run('init', inFolder('first.yml'))).exitCode).toBe(0)
  })
})

describe('a variant', () => {
  const suite = write(
    'variants.yaml',
    `name: Variants\nvariants:\n  - { name: terse, parameters: { temperature: 0.2 } }\n${CASES}`,
  )

  it('overrides only the parameters it names', async () => {
    const { exitCode, out } = await run('run', suite, '--max-tokens', '100', '--top-p', '0.5', '--json', ...endpoint())
    expect(exitCode).toBe(0)
    expect(models.requests[0]?.body).toMatchObject({ temperature: 0.2, max_tokens: 100, top_p: 0.5 })
    expect(JSON.parse(out).runs[0].testSuiteSnapshot.variants).toEqual([
      { name: 'terse', parameters: { temperature: 0.2 } },
    ])
  })
  it('cannot override what Benchmark Mode locks, nor switch it off', async () => {
    const { out } = await run('run', suite, '--benchmark-mode', '--json', ...endpoint())
    expect(models.requests[0]?.body).toMatchObject({ temperature: 0 })
    expect(JSON.parse(out).runs[0].parameters).toMatchObject({ benchmarkMode: true })
  })
})

describe('a suite of the web app', () => {
  it('runs by its name or id, and its runs belong to it as if they had been started there', async () => {
    const place = ['--data', inFolder('web')]
    const storage = await openStorage({ file: join(inFolder('web'), 'benchmaker.db') })
    const testCases = [{ id: 'a', prompt: '2+2?', scoringMethod: 'exact-match', expectedOutput: '4' }]
    for (const name of ['Sums', 'My sums'])
      await storage.saveDocument({ kind: 'suite', id: 'sums', content: { suite: { name, testCases } } })
    for (const asked of ['My sums', 'sums'])
      expect((await run('run', asked, '--models', 'demo/good', ...place)).exitCode).toBe(0)
    const stored = await Promise.all((await storage.listRuns()).map(({ id }) => storage.loadRun(id)))
    await storage.close()
    for (const each of stored)
      expect(each).toMatchObject({
        testSuiteId: 'sums',
        testSuiteName: 'My sums',
        request: { suiteId: 'sums', suiteVersion: 2 },
      })
    expect(stored).toHaveLength(2)
  })

  it('that does not exist is refused like a file, and nothing is created', async () => {
    const { exitCode, err } = await run('run', 'No such suite', '--data', inFolder('nowhere'))
    expect({ exitCode, err }).toMatchObject({ exitCode: 2, err: expect.stringContaining('there is no such file') })
    expect(existsSync(inFolder('nowhere'))).toBe(false)
  })
})

describe('--not-worse-than', () => {
  const suite = write('reference.yaml', `name: Reference\n${CASES}`)

  it.each(['run', 'resume'])('of %s names a model of the run, or nothing is sent', async (command) => {
    await run('run', suite, ...endpoint())
    const before = models.stats().requests
    const gate = ['--not-worse-than', 'nobody', '--margin', '5']
    const args = command === 'run' ? [suite, ...endpoint()] : ['latest', '--base-url', models.baseUrl, ...data]
    const { exitCode, err } = await run(command, ...args, ...gate)
    expect([exitCode, err]).toEqual([2, expect.stringContaining('--not-worse-than: nobody is not in this run')])
    expect(models.stats().requests).toBe(before)
  })
  it('is refused by a dry run as by the run', async () => {
    const gate = ['--not-worse-than', 'nobody', '--margin', '5', '--dry-run']
    const { exitCode, err } = await run('run', suite, ...endpoint(), ...gate)
    expect([exitCode, err]).toEqual([2, expect.stringContaining('--not-worse-than: nobody is not in this run')])
  })
})

it('--price says which of its models the run does not have', async () => {
  const suite = write('priced.yaml', `name: Priced\n${CASES}`)
  const prices = ['--price', 'misspelt=1,2', '--price', 'judge=1,2', '--judge', 'judge']
  for (const dry of [['--dry-run'], []]) {
    const { exitCode, err } = await run('run', suite, ...endpoint(), ...prices, ...dry)
    expect([exitCode, err]).toEqual([0, expect.stringContaining('--price: misspelt is not in this run')])
  }
})

describe('--out', () => {
  const suite = write('plain.yaml', `name: Plain\n${CASES}`)

  it.each([
    ['run', () => ['run', suite, ...endpoint()]],
    ['resume', () => ['resume', 'latest', '--base-url', models.baseUrl, ...data]],
    ['arena', () => ['arena', 'a page', ...endpoint()]],
  ])('of %s that cannot be written is refused before anything is sent or stored', async (_command, args) => {
    const before = (await run('list', '--json', ...data)).out
    const { exitCode, err } = await run(...args(), '--out', inFolder('none/x.json'))
    expect([exitCode, err]).toEqual([2, expect.stringMatching(/there is no folder .*none\n {2}Create it first/)])
    expect(models.stats().requests).toBe(0)
    expect((await run('list', '--json', ...data)).out).toBe(before)
  })
  it.each([
    ['after the suite', (files: string[]) => [suite, ...endpoint(), '--out', ...files]],
    ['before the suite', (files: string[]) => ['--out', ...files, '--limit', '1', suite, ...endpoint()]],
    ['right before the suite', (files: string[]) => [...endpoint(), '--out', ...files, suite]],
  ])('takes several files, %s', async (name, args) => {
    const files = ['csv', 'md'].map((extension) => inFolder(`${name}.${extension}`))
    expect(await run('run', ...args(files))).toMatchObject({ exitCode: 0 })
    expect(files.map((file) => existsSync(file))).toEqual([true, true])
  })
  it('without a suite says what is missing', async () => {
    expect(await run('run', ...endpoint(), '--out', inFolder('a.csv'))).toMatchObject({
      exitCode: 2,
      err: 'error: SUITE: is missing\n  Name a suite file; a first one is written by: benchmaker init\n',
    })
  })
})

describe('--dry-run', () => {
  const judged = write(
    'judged.yaml',
    'name: Judged\ntestCases:\n  - { id: a, prompt: Why?, scoringMethod: llm-judge }\n  - { id: b, prompt: 2+2?, scoringMethod: exact-match, expectedOutput: 4 }\n',
  )
  const demo = ['--models', 'demo/good,demo/poor', '--dry-run', ...data]

  it('counts and prices judges with the models', async () => {
    const { exitCode, out } = await run('run', judged, '--judge', 'demo/judge', '--repeat', '3', ...demo)
    expect(exitCode).toBe(0)
    expect(out).toMatch(/demo\/judge \(judge\) +6, up to 12 +\$0\.\d+/)
    expect(out).toMatch(/Total +18 +\$0\.\d+/)
  })
  it('says first what is likely, from the answers of earlier runs, and shows the first request by message', async () => {
    expect((await run('run', judged, '--judge', 'demo/judge', '--models', 'demo/good', ...data)).exitCode).toBe(0)
    const { out } = await run('run', judged, '--judge', 'demo/judge', '--models', 'demo/good', '--dry-run', ...data)
    expect(out).toMatch(/^Judged · 2 cases × 1 model · nothing was sent\n/)
    expect(out).toMatch(/Total +3 +about \$0\.\d+ +\$0\.\d+\n/)
    expect(out).toContain('Likely: from the answers of 1 earlier run.')
    expect(out).toMatch(/First request, to demo\/good \(temperature 0\.7, at most 2,048 tokens\)\n +user +Why\?\n/)
    const full = await run(
      'run',
      judged,
      '--judge',
      'demo/judge',
      '--models',
      'demo/good',
      '--dry-run',
      '--output',
      'full',
      ...data,
    )
    expect(full.out).toContain('"maxTokens": 2048')
  })
  it('with --json prints one document to stdout and the table to stderr', async () => {
    const { out, err } = await run('run', judged, '--judge', 'demo/judge', '--json', ...demo)
    const document = JSON.parse(out)
    expect(document).toMatchObject({
      nothingSent: true,
      cases: 2,
      requests: 6,
      models: [{ modelId: 'demo/good', requests: 2 }, { modelId: 'demo/poor' }],
      judges: [{ modelId: 'demo/judge', requests: 2, mostRequests: 4 }],
    })
    const costs = [...document.models, ...document.judges].map(({ cost }) => cost)
    expect(document.cost).toBeCloseTo(
      costs.reduce((sum, cost) => sum + cost),
      12,
    )
    expect(err).toContain('nothing was sent')
  })
  it('says unknown, and null in JSON, if a price is unknown', async () => {
    const args = [
      'run',
      judged,
      '--models',
      'small',
      '--judge',
      'small',
      '--base-url',
      models.baseUrl,
      '--dry-run',
      ...data,
    ]
    expect((await run(...args)).out).toMatch(/small +2 +unknown/)
    expect(JSON.parse((await run(...args, '--json')).out)).toMatchObject({
      cost: null,
      models: [{ cost: null }],
      judges: [{ cost: null }],
    })
  })
  it('refuses what the run would refuse, with the same message', async () => {
    const [dry, real] = [await run('run', judged, ...demo), await run('run', judged, '--models', 'demo/good', ...data)]
    expect(dry).toMatchObject({ exitCode: 2, out: '', err: real.err })
    expect(real.err).toContain('no judge model is set')
  })
  it('of arena counts its judge', async () => {
    expect((await run('arena', 'a page', '--dry-run', ...data)).out).toMatch(
      /demo\/judge \(judge\) +3, up to 6 +\$0\.\d+/,
    )
  })
})

describe('missing cells', () => {
  const suite = write(
    'three.yaml',
    `name: Three\n${CASES}  - { id: b, prompt: 3+3?, scoringMethod: exact-match, expectedOutput: 6 }\n  - { id: c, prompt: "match", scoringMethod: regex-match, expectedOutput: "^(a+)+$", deadlineMs: 50 }\n`,
  )

  it('are reported with the messages of the provider, one per line and the most frequent first', async () => {
    const refusing = await startModelServer({
      reply: () => ({
        status: 401,
        pieces: [JSON.stringify({ error: { message: `Incorrect API key\n\u001b[31mprovided ${'x'.repeat(500)}` } })],
      }),
    })
    const { out } = await run('run', suite, '--models', 'small', '--base-url', refusing.baseUrl, ...data)
    await refusing.close()
    expect(out).toMatch(
      /All 3 requests failed: this run says nothing about the models\.[^]*3 of 3 answers: .*Incorrect API key \\u001b\[31mprovided\s+x+…/,
    )
    expect(out).not.toContain('\u001b')
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
  })
  it('are reported for unknown models, and for scorers that gave up', async () => {
    expect((await run('run', suite, '--models', 'nope', '--base-url', models.baseUrl, ...data)).out).toMatch(
      /3 of 3 answers: .*no model nope/,
    )
    const looping = await startModelServer({ answer: () => `${'a'.repeat(40)}!` })
    const { out } = await run('run', suite, '--models', 'small', '--base-url', looping.baseUrl, ...data)
    await looping.close()
    expect(out).toMatch(/1 × regex-timeout\); its mean would be .*\n {4}1 × .*50 ms/)
  })
})

describe('an unknown simulated model', () => {
  const suite = write('simulated.yaml', `name: Simulated\n${CASES}`)
  const judged = write(
    'simulated-judge.yaml',
    'name: J\ntestCases:\n  - { id: a, prompt: Why?, scoringMethod: llm-judge }\n',
  )
  const known = 'The simulated models are demo/good, demo/fair, demo/poor, demo/judge, demo/coder'

  it.each([
    ['run', suite, '--models', 'demo/good,demo/nope'],
    ['run', suite, '--models', 'demo/', '--dry-run'],
    ['run', judged, '--models', 'demo/good', '--judge', 'demo/good,demo/nope'],
    ['arena', 'a clock', '--models', 'demo/nope'],
    ['calibrate', 'demo/nope'],
  ])('is refused with the list of those that exist, before anything is written: %s %s %s %s', async (...args) => {
    const dataFolder = inFolder('never-written')
    const more = args[0] === 'calibrate' ? [] : ['--data', dataFolder]
    expect(await run(...args, ...more)).toMatchObject({ exitCode: 2, out: '', err: expect.stringContaining(known) })
    expect(existsSync(dataFolder)).toBe(false)
  })
})

describe('--combine', () => {
  const judged = write('panel.yaml', 'name: Panel\ntestCases:\n  - { id: a, prompt: Why?, scoringMethod: llm-judge }\n')

  it('makes a panel\u2019s score the mean or the median of its judges, in run, resume and rescore', async () => {
    const grades: Record<string, number> = { strict: 0, kind: 10, fond: 10 }
    const panel = await startModelServer({
      answer: ({ model }) =>
        model in grades ? JSON.stringify({ score: grades[model], reasoning: 'So.' }) : 'Because.',
    })
    const common = ['--base-url', panel.baseUrl, '--json', ...data]
    const args = ['run', judged, '--models', 'small', '--judge', 'strict,kind', '--judge', 'fond', ...common]
    const meanOf = async (...command: string[]) => JSON.parse((await run(...command)).out).scores.small.mean
    expect(await meanOf(...args)).toBeCloseTo(2 / 3, 12)
    expect(await meanOf(...args, '--combine', 'median')).toBe(1)
    expect(await meanOf('rescore', 'latest', '--combine', 'mean', ...common)).toBeCloseTo(2 / 3, 12)
    expect(await meanOf('resume', 'latest', '--combine', 'median', ...common)).toBeCloseTo(2 / 3, 12)
    await panel.close()
    expect(await run(...args, '--combine', 'best')).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringContaining('use one of mean, median'),
    })
  })
})

it('a grade from the cache says so, beside an answer that was asked anew', async () => {
  const suite = write('judged.yaml', `name: Judged\n${CASES.replace('exact-match', 'llm-judge')}`)
  const answer = async (...args: string[]) =>
    JSON.parse((await run('run', suite, '--judge', 'demo/judge', '--cache', '--json', ...args, ...endpoint())).out)
      .runs[0].results[0]
  const fresh = await answer()
  expect(fresh.score.notes).not.toContain('cache')
  const again = await answer('--temperature', '0.1')
  expect(again.cachedAt).toBeUndefined()
  expect(again.score.notes).toMatch(/\nThe grade is from the cache, given \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/)
  expect(again.score.notes.split('\n').slice(0, -1).join('\n')).toBe(fresh.score.notes)
})

it('a comparison from the cache says so', async () => {
  const suite = write('compared.yaml', `name: Compared\n${CASES.replace('exact-match', 'pairwise')}`)
  const notesOf = async (...args: string[]): Promise<string[]> => {
    const judging = ['--models', 'demo/good,demo/poor', '--judge', 'demo/judge', '--cache']
    const { out } = await run('run', suite, ...judging, '--json', ...args, ...data)
    return JSON.parse(out).runs[0].results.map((result: CellResult) => result.score!.comparisons![0]!.notes ?? '')
  }
  expect(await notesOf()).toSatisfy((notes: string[]) => notes.every((note) => !note.includes('cache')))
  const again = await notesOf('--temperature', '0.1')
  expect(again).toHaveLength(2)
  for (const note of again) expect(note).toMatch(/^The grade is from the cache, given .* UTC\.$/)
})
