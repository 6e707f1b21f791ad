import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-label-'))
afterAll(() => rmSync(folder, { recursive: true }))
const inFolder = (name: string) => join(folder, name)
const data = ['--data', inFolder('data')]
const run = (...args: string[]) => runCli([...args, ...data], { columns: 160 })
const runJson = async (...args: string[]) => {
  const { exitCode, out } = await run(...args, '--json')
  expect(exitCode).toBe(0)
  return JSON.parse(out)
}

const suite = inFolder('suite.yaml')
writeFileSync(
  suite,
  'name: Capitals\ntestCases:\n  - { id: a, prompt: "Capital of France?", expectedOutput: Paris, scoringMethod: boolean }\n',
)
const start = (...args: string[]) => run('run', suite, '--models', 'demo/good', ...args)
/** A scripted demo answer may be wrong; only a refusal matters here. */
const started = async (...args: string[]) => expect((await start(...args)).exitCode).not.toBe(2)
interface Listed {
  id: string
  seriesId?: string
  label?: unknown
  state: string
}
const list = async (...args: string[]): Promise<Listed[]> => (await runJson('list', ...args)).runs

describe('without runs', () => {
  it('reading creates no file', async () => {
    for (const args of [['list'], ['show', 'latest'], ['compare', 'latest'], ['doctor']]) await run(...args)
    expect(existsSync(inFolder('data'))).toBe(false)
  })
  it('there is nothing to label or to list', async () => {
    expect(await run('label', 'latest', '--name', 'x')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('there are no runs yet'),
    })
    expect((await run('list')).out).toContain('No runs yet')
    expect((await run('list', '--search', 'x')).out).toContain('No runs match')
    expect(await runJson('list', '--tag', 'x')).toEqual({ runs: [], total: 0 })
  })
})

describe('labels', () => {
  beforeAll(async () => {
    await started('--name', ' New prompt ', '--tag', 'baseline, v2', '--tag', 'V2', '--note', 'first\nsecond')
    await started('--repeat', '2', '--name', 'Twice')
  })

  it('are given at the start, to a whole series, and shown', async () => {
    const [two, one, first] = await list()
    expect(first?.label).toEqual({ name: 'New prompt', tags: ['baseline', 'v2'], note: 'first\nsecond' })
    expect([one?.label, two?.label]).toEqual([{ name: 'Twice' }, { name: 'Twice' }])
    expect((await run('list')).out).toMatch(/New prompt #baseline #v2/)
    expect((await run('show', first!.id)).out).toMatch(/^New prompt #baseline #v2\n {2}first\n {2}second\n/)
    expect((await runJson('show', first!.id)).runs[0].label).toEqual(first?.label)
  })

  it('change field by field, and empty ones are removed', async () => {
    const [two, one] = await list()
    expect(await runJson('label', 'latest', '--tag', 'x,y', '--note', 'n')).toEqual({
      run: two!.id,
      label: { name: 'Twice', tags: ['x', 'y'], note: 'n' },
    })
    expect(await runJson('label', one!.id, '--name', '', '--note', ' ')).toMatchObject({ label: { tags: ['x', 'y'] } })
    expect((await list()).slice(0, 2).map(({ label }) => label)).toEqual([{ tags: ['x', 'y'] }, { tags: ['x', 'y'] }])
    expect(await runJson('label', one!.id, '--tag', '')).toMatchObject({ label: null })
    await runJson('label', 'latest', '--name', 'Twice')
  })

  it.each([
    [['--name', 'x'.repeat(201)], '--name: must have at most 200 characters'],
    [['--name', 'a\u001B[2J'], '--name: must be one line without control characters'],
    [['--tag', 'y'.repeat(51)], '--tag: must have at most 50 characters'],
    [['--note', 'a\u0007'], '--note: must not contain control characters'],
    [[], 'nothing to change: give a name, tags or a note'],
  ])('%j is refused', async (args, message) => {
    expect(await run('label', 'latest', ...args)).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringContaining(message),
    })
    if (args.length > 0)
      expect(await start(...args)).toMatchObject({ exitCode: 2, out: '', err: expect.stringContaining(message) })
  })

  it('name runs: the newest of that name, and all runs of a series', async () => {
    const [, , first] = await list()
    expect((await runJson('show', 'new prompt')).runs).toMatchObject([{ id: first!.id }])
    expect((await runJson('show', 'Twice')).runs).toHaveLength(2)
    await started('--name', 'New prompt')
    const [newest] = await list()
    expect((await runJson('show', 'New prompt')).runs).toMatchObject([{ id: newest!.id }])
    await run('delete', newest!.id, '--yes')
    expect((await run('show', 'New promt')).err).toContain('Did you mean New prompt?')
  })

  it('of an unknown run are refused', async () => {
    expect(await run('label', 'nope', '--name', 'x')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('nope: no such run'),
    })
  })

  it('find runs, together with status, suite and model', async () => {
    const ids = async (...args: string[]) => (await list(...args)).map(({ id }) => id)
    const [two, one, first] = await ids()
    expect(await ids('--tag', 'BASELINE')).toEqual([first])
    expect(await ids('--tag', 'base')).toEqual([])
    expect(await ids('--search', 'second demo/good')).toEqual([first])
    expect(await ids('--search', 'twice CAPITALS completed')).toEqual([two, one])
    expect(await ids('--search', 'failed')).toEqual([])
    const { err } = await run('list', '--limit', '1')
    expect(err).toContain('2 older runs not shown')
  })

  it('stay with a run that is exported, deleted and imported again; older files still import', async () => {
    const [first] = await list('--tag', 'baseline')
    const file = inFolder('export.json')
    await run('export', first!.id, '--out', file)
    await run('delete', first!.id, '--yes')
    expect(await list('--tag', 'baseline')).toEqual([])
    expect((await run('import', file)).exitCode).toBe(0)
    expect((await list('--tag', 'baseline'))[0]).toMatchObject({ id: first!.id, label: first!.label })
    const again = inFolder('again.json')
    await run('export', first!.id, '--out', again)
    expect(JSON.parse(readFileSync(again, 'utf8')).runs[0].label).toEqual(first!.label)

    const old = JSON.parse(readFileSync(file, 'utf8'))
    delete old.runs[0].label
    old.runs[0].id = 'older'
    writeFileSync(file, JSON.stringify(old))
    expect((await run('import', file)).exitCode).toBe(0)
    expect((await list('--search', 'older'))[0]).not.toHaveProperty('label')

    old.runs[0] = { ...old.runs[0], id: 'later', label: { name: ' Later ', colour: 'red' } }
    writeFileSync(file, JSON.stringify(old))
    expect((await run('import', file)).exitCode).toBe(0)
    expect((await list('--search', 'later'))[0]).toMatchObject({ label: { name: 'Later' } })
    old.runs[0] = { ...old.runs[0], id: 'bad', label: { name: 'a\u001B' } }
    writeFileSync(file, JSON.stringify(old))
    expect(await run('import', file)).toMatchObject({ exitCode: 2, err: expect.stringContaining('runs.0.label.name') })
  })

  it('stay with a run that is rescored, in place or as a copy', async () => {
    const [first] = await list('--tag', 'baseline')
    await run('rescore', first!.id)
    expect((await list('--tag', 'baseline')).map(({ id }) => id)).toEqual([first!.id])
    writeFileSync(inFolder('changed.yaml'), readFileSync(suite, 'utf8').replace('boolean', 'exact-match'))
    await run('rescore', first!.id, '--suite', inFolder('changed.yaml'))
    expect(await list('--tag', 'baseline')).toHaveLength(2)
  })

  it('hostile names neither move the cursor nor turn the line around', async () => {
    await run('label', 'latest', '--name', '<b>\u202Egnp\u200B‮x</b>', '--note', 'ok\n\u2066z')
    for (const command of [['list'], ['show', 'latest'], ['label', 'latest', '--tag', '\u202Ex']]) {
      const { out, err } = await run(...command)
      expect(out + err).toContain('\\u202egnp')
      // oxlint-disable-next-line no-control-regex
      expect(out + err).not.toMatch(/[\u202E\u2066\u200B\u001B]/)
    }
  })
})
