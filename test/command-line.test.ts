import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runProgram } from '../src/cli/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-commands-'))
afterAll(() => rmSync(folder, { recursive: true }))
const inFolder = (name: string) => join(folder, name)
const data = ['--data', inFolder('data')]
const suite = inFolder('suite.yaml')

async function run(...args: string[]) {
  let out = ''
  let err = ''
  const sink = (add: (text: string) => void) => ({ write: (text: string) => add(text) })
  const exitCode = await runProgram(args, {
    stdout: sink((text) => (out += text)),
    stderr: sink((text) => (err += text)),
    columns: 120,
    colour: false,
    progress: false,
  })
  return { exitCode, out, err }
}

async function runJson(...args: string[]) {
  const { out, err } = await run(...args, '--json')
  if (out === '') throw new Error(err)
  return JSON.parse(out)
}

describe('from a first suite to a report, on simulated models', () => {
  it('init writes a suite and never overwrites one', async () => {
    expect(await run('init', suite)).toMatchObject({ exitCode: 0 })
    const before = readFileSync(suite, 'utf8')
    expect(await run('init', suite)).toMatchObject({ exitCode: 2, err: expect.stringContaining('already exists') })
    expect(readFileSync(suite, 'utf8')).toBe(before)
  })
  it('a first run without a key ends with a verdict', async () => {
    const { runs, comparisons } = await runJson('run', suite, '--data', inFolder('first'))
    expect(runs[0].models).toHaveLength(3)
    const decided = comparisons
      .filter(({ paired }: { paired: { isSignificant: boolean } }) => paired.isSignificant)
      .map(({ modelA, modelB }: { modelA: string; modelB: string }) => [modelA, modelB])
    expect(decided).toEqual([
      ['demo/good', 'demo/fair'],
      ['demo/good', 'demo/poor'],
    ])
  })
  it('--dry-run sends and stores nothing', async () => {
    const { exitCode, out } = await run('run', suite, '--dry-run', ...data)
    expect(exitCode).toBe(0)
    expect(out).toMatch(/demo\/good +12 +\$0\.\d+/)
    expect((await runJson('list', ...data)).runs).toEqual([])
  })
  it('run asks, scores, compares and exports', async () => {
    const { exitCode, out, err } = await run(
      'run',
      suite,
      '--repeat',
      '2',
      '--out',
      inFolder('r.html'),
      '--out',
      inFolder('r.xml'),
      ...data,
    )
    expect(exitCode).toBe(0)
    expect(out).toContain('My first suite · 12 cases × 3 simulated models × 2 runs')
    expect(out).toContain('demo/good is best: it beats demo/fair by ')
    expect(err).toContain('using the simulated demo/good, demo/fair, demo/poor')
    expect(readFileSync(inFolder('r.html'), 'utf8')).toContain('demo/good')
    expect(readFileSync(inFolder('r.xml'), 'utf8')).toContain('<testsuite')
  })
  it('--json has runs, scores, series, comparisons and cost', async () => {
    const document = await runJson('run', suite, '--models', 'demo/good,demo/poor', '--repeat', '2', ...data)
    expect(Object.keys(document)).toEqual(['runs', 'scores', 'series', 'comparisons', 'nextStep', 'cost'])
    expect(document.runs).toHaveLength(2)
    expect(document.comparisons[0]).toMatchObject({
      modelA: 'demo/good',
      modelB: 'demo/poor',
      paired: { n: 12, isSignificant: true },
    })
    expect(document.cost).toBeGreaterThan(0)
  })
  it('list, show and compare find runs by id, prefix or latest', async () => {
    const { runs } = await runJson('list', ...data)
    expect(runs).toHaveLength(4)
    expect((await run('show', 'latest', '--cases', ...data)).out).toContain('largest-planet')
    expect((await runJson('show', runs[0].id, ...data)).runs).toHaveLength(2)
    const compared = await runJson('compare', runs[0].id, runs[3].id, ...data)
    expect(Object.keys(compared.scores).some((model) => model.startsWith('demo/good · '))).toBe(true)
    expect(await run('show', '2', ...data)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('4 runs start with 2'),
    })
    expect(await run('show', 'nope', ...data)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('nope: no such run'),
    })
  })
  it('show prints what failed, one case or one model instead', async () => {
    const failed = await run('show', 'latest', '--failed', ...data)
    expect(failed.out).toMatch(/^My first suite · \d+ of 12 cases failed by some model, hardest first\n/)
    expect(failed.out).toMatch(
      /capital {2}What is the capital of Australia\?.* \d of \d failed\n {2}expected {2}Canberra\n/,
    )
    const one = await run('show', 'latest', '--case', 'iso-date', '--model', 'demo/poor', ...data)
    expect(one.out).toMatch(/^iso-date\n\nPrompt {4}Write the 5th of March 2024/)
    expect(one.out).toContain('Scoring   regex-match, passes at 100.0')
    expect(one.out).not.toContain('demo/good')
    const headings = (text: string) => text.match(/^[a-z-]+$/gm)
    const several = await run('show', 'latest', '--case', 'iso-date, capital', '--case', 'leap-year', ...data)
    expect(headings(several.out)).toEqual(['capital', 'iso-date', 'leap-year'])
    expect(headings((await run('show', 'latest', '--case', 'json', ...data)).out)).toEqual(['json-person'])
    expect(await run('show', 'latest', '--case', ' , ', ...data)).toMatchObject({ exitCode: 2, out: '' })
    expect(await run('show', 'latest', '--case', 'capital,isodate', ...data)).toMatchObject({
      exitCode: 2,
      out: '',
      err: 'error: isodate: no such case in this run\n  Did you mean iso-date?\n',
    })
  })
  it('an exported run can be imported elsewhere and rescored there with a changed suite', async () => {
    await run('export', 'latest', '--out', inFolder('runs.json'), ...data)
    const elsewhere = ['--data', inFolder('elsewhere')]
    expect(await run('import', inFolder('runs.json'), ...elsewhere)).toMatchObject({ exitCode: 0 })
    expect((await runJson('list', ...elsewhere)).runs).toHaveLength(2)
    const strict = inFolder('strict.yaml')
    writeFileSync(strict, readFileSync(suite, 'utf8').replace('expectedOutput: Canberra', 'expectedOutput: Sydney'))
    const before = (await runJson('show', 'latest', ...data)).scores['demo/good'].mean
    const after = (await runJson('rescore', 'latest', '--suite', strict, ...elsewhere)).scores['demo/good'].mean
    expect(after).toBeLessThan(before)
  })
  it('a failed gate exits with 1 and says why; a passed gate exits with 0', async () => {
    const failed = await run('run', suite, '--models', 'demo/poor', '--fail-under', '99', ...data)
    expect(failed).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/gate failed: demo\/poor scored \d+\.\d, below the required 99/),
    })
    expect(
      await run('run', suite, '--models', 'demo/good', '--fail-under', '1', '--baseline', 'latest', ...data),
    ).toMatchObject({
      exitCode: 0,
      err: expect.stringContaining("not significantly worse than the baseline's best model, demo/poor"),
    })
    expect(await run('run', suite, '--models', 'demo/good', '--fail-under', '1', ...data)).toMatchObject({
      exitCode: 0,
    })
  })
  it('delete requires confirmation', async () => {
    expect(await run('delete', 'latest', ...data)).toMatchObject({ exitCode: 2, err: expect.stringContaining('--yes') })
    const before = (await runJson('list', ...data)).runs.length
    expect(await run('delete', 'latest', '--yes', ...data)).toMatchObject({ exitCode: 0 })
    expect((await runJson('list', ...data)).runs).toHaveLength(before - 1)
  })
  it.each([
    [['run', suite, '--out', 'r.pdf'], /r\.pdf: unknown extension/],
    [['run', suite, '--models', 'openai/gpt-4o'], /openai\/gpt-4o: no key/],
    [['run', suite, '--models', 'demo/unknown', '--filter', 'none'], /no test case has the id, category or tag none/],
    [['run', suite, '--max-cost', '1', '--models', 'fake', '--base-url', 'http://127.0.0.1:9/v1'], /127\.0\.0\.1:9/],
    [['run', inFolder('missing.yaml')], /missing\.yaml: there is no such file/],
  ])('%j exits with 2 and sends nothing', async (args, message) => {
    const before = (await runJson('list', ...data)).runs.length
    expect(await run(...args, ...data)).toMatchObject({ exitCode: 2, err: expect.stringMatching(message) })
    expect((await runJson('list', ...data)).runs).toHaveLength(before)
  })
})

describe('the other commands', () => {
  it('models lists models, schema prints a JSON Schema, doctor finds no problem', async () => {
    expect((await runJson('models', '--provider', 'demo')).models.map(({ id }: { id: string }) => id)).toContain(
      'demo/judge',
    )
    expect(JSON.parse((await run('schema')).out).title).toBe('Benchmaker suite')
    expect(await run('doctor', ...data)).toMatchObject({ exitCode: 0, out: expect.stringContaining('✓ Data') })
  })
  it('calibrate runs the eight samples and rates the judge', async () => {
    const result = await runJson('calibrate', 'demo/judge')
    expect(result.samples).toHaveLength(8)
    expect(['excellent', 'good', 'fair', 'poor']).toContain(result.interpretation.rating)
  })
  it('import converts a CSV to a suite', async () => {
    writeFileSync(inFolder('cases.csv'), 'id,prompt,expectedOutput,scoringMethod\na,What is 2+2?,4,exact-match\n')
    expect((await run('import', inFolder('cases.csv'), '--out', inFolder('cases.yaml'), ...data)).exitCode).toBe(0)
    expect(existsSync(inFolder('cases.yaml'))).toBe(true)
    expect((await run('run', inFolder('cases.yaml'), '--models', 'demo/good', ...data)).exitCode).toBe(0)
  })
})
