import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-series-'))
afterAll(() => rmSync(folder, { recursive: true }))
const inFolder = (name: string) => join(folder, name)
const data = ['--data', inFolder('data')]
const run = (...args: string[]) => runCli([...args, ...data], { columns: 160 })
const runJson = async (...args: string[]) => {
  const { exitCode, out, err } = await run(...args, '--json')
  expect([exitCode, err]).toEqual([0, err])
  return JSON.parse(out)
}

function writeEpochs(name: string, score: (row: number) => number): string {
  const rows = [1, 2, 3].flatMap((epoch) => ['a', 'b', 'c', 'd'].map((id) => ({ id, epoch })))
  const lines = rows.map(({ id, epoch }, index) => `${id},${epoch},${score(index)},Paris`)
  writeFileSync(inFolder(name), `id,epoch,score,answer\n${lines.join('\n')}\n`)
  return inFolder(name)
}

interface Imported {
  seriesId: string
  runs: string[]
}
let first: Imported
let second: Imported
let hint: string

beforeAll(async () => {
  const files = [writeEpochs('good.csv', () => 1), writeEpochs('poor.csv', (row) => (row % 2 === 0 ? 1 : 0))]
  hint = (await run('import', ...files)).err
  ;({
    files: [first, second],
  } = await runJson('import', ...files))
})

describe('an empty name', () => {
  const only = ['--data', inFolder('one-run')]
  it.each(['', ' '])('%j names no run, even if there is only one', async (name) => {
    const suite = inFolder('one.yaml')
    writeFileSync(suite, 'name: one\ntestCases:\n  - { id: a, prompt: x, scoringMethod: boolean, expectedOutput: y }\n')
    await runCli(['run', suite, '--models', 'demo/good', ...only])
    const commands = [
      ['delete', name, '--yes'],
      ['show', name],
      ['export', name],
      ['label', name, '--name', 'x'],
      ['resume', name],
      ['rescore', name],
      ['chart', name],
      ['rate', name],
      ['compare', name, 'latest'],
      ['check', name],
      ['check', 'latest', name],
      ['ranking', name],
      ['audit', 'demo/judge', '--run', name],
      ['run', suite, '--models', 'demo/good', '--baseline', name],
    ]
    for (const command of commands) {
      const { exitCode, err } = await runCli([...command, ...only])
      expect([command, exitCode, err]).toEqual([command, 2, expect.stringMatching(/empty/)])
    }
    expect((await runCli(['show', 'latest', ...only])).exitCode).toBe(0)
  })
})

describe('the id of a series, as import prints it', () => {
  it('is compared as the import suggests', async () => {
    expect(hint).toContain(`Compare them with: benchmaker compare ${first.seriesId} ${second.seriesId}\n`)
    const { changes, runs } = await runJson('compare', first.seriesId, second.seriesId)
    expect(runs).toHaveLength(6)
    expect(changes).toMatchObject([{ samples: { shared: 12 } }])
    expect((await run('compare', `${first.seriesId}:good`, `${second.seriesId}:poor`)).exitCode).toBe(0)
  })

  it.each(['show', 'export'])('%s has all runs of it', async (command) => {
    const { runs } = await runJson(command, first.seriesId)
    expect(runs.map(({ id }: { id: string }) => id)).toEqual(first.runs)
  })

  it('label names all of them', async () => {
    await runJson('label', first.seriesId, '--name', 'Good ones')
    const { runs } = await runJson('show', first.seriesId)
    expect(runs.map(({ label }: { label: { name: string } }) => label.name)).toEqual(Array(3).fill('Good ones'))
  })

  it('check takes it as its suite and as runs', async () => {
    expect((await run('check', first.seriesId, first.seriesId, second.seriesId)).out).toMatch(/· 6 runs ·/)
  })

  it('rescore scores all of them, as a new series', async () => {
    const suite = inFolder('suite.yaml')
    const cases = ['a', 'b', 'c', 'd'].map(
      (id) =>
        `  - { id: ${id}, prompt: x, scoringMethod: boolean, expectedOutput: ${id === 'a' ? 'Rome' : 'Paris'} }\n`,
    )
    writeFileSync(suite, `name: again\ntestCases:\n${cases.join('')}`)
    const { runs } = await runJson('rescore', first.seriesId, '--suite', suite)
    expect(runs).toHaveLength(3)
    const series = new Set(runs.map(({ seriesId }: { seriesId: string }) => seriesId))
    expect([series.size, series.has(first.seriesId)]).toEqual([1, false])
    const [renewed] = series
    expect((await runJson('show', String(renewed))).runs).toHaveLength(3)
  })

  it('delete removes all of them, but only if that is confirmed', async () => {
    expect((await run('delete', second.seriesId)).err).toContain(
      `series ${second.seriesId} has 3 runs with 12 answers; add --yes to delete it`,
    )
    expect(await runJson('delete', second.seriesId, '--yes')).toEqual({ deleted: second.runs })
    expect((await run('show', second.seriesId)).err).toContain(`${second.seriesId}: no such run`)
    expect((await runJson('delete', first.runs[0]!, '--yes')).deleted).toEqual([first.runs[0]])
    expect((await runJson('show', first.seriesId)).runs).toHaveLength(2)
  })

  it('a part of it is still too short a prefix', async () => {
    expect((await run('show', first.seriesId.slice(0, -1))).err).toMatch(/runs start with/)
  })

  it('of a series made here is found, too', async () => {
    const suite = inFolder('own.yaml')
    writeFileSync(suite, 'name: own\ntestCases:\n  - { id: a, prompt: x, scoringMethod: boolean, expectedOutput: y }\n')
    await run('run', suite, '--models', 'demo/good', '--repeat', '2')
    const { runs } = await runJson('list')
    expect((await runJson('show', runs[0].seriesId)).runs).toHaveLength(2)
    expect((await run('compare', runs[0].seriesId, '--changed-too')).exitCode).toBe(0)
    expect((await run('check', runs[0].seriesId)).exitCode).toBe(0)
  })
})
