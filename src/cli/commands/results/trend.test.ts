import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStorage } from '../../../storage/index.ts'
import { runCli } from '../../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-trend-'))
afterAll(() => rmSync(folder, { recursive: true }))
const data = ['--data', join(folder, 'data')]
const suite = join(folder, 'suite.yaml')
const run = (...args: string[]) => runCli([...args, ...data], { columns: 200 })

function writeSuite(systemPrompt: string): void {
  const cases = ['a', 'b', 'c'].map(
    (id) => `  - { id: ${id}, prompt: "Say ${id}", expectedOutput: ${id}, scoringMethod: boolean }\n`,
  )
  writeFileSync(suite, `name: Letters\nsystemPrompt: ${systemPrompt}\ntestCases:\n${cases.join('')}`)
}
const start = async (...args: string[]) =>
  expect((await run('run', suite, '--models', 'demo/good', ...args)).exitCode).not.toBe(2)

describe('trend', () => {
  beforeAll(() => writeSuite('Be brief.'))

  it('needs a run', async () => {
    expect(await run('trend', suite)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('no run of such a suite'),
    })
    await start('--name', 'First')
    const { exitCode, out, err } = await run('trend', 'Letters', '--output', 'full')
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: expect.stringContaining('No trend yet') })
    expect(out).toMatch(/^Letters · 1 run · \d{4}-\d\d-\d\d\n[^]*demo\/good\n.*\n.*First.*all 3 cases\n$/)
  })

  it('shows every run with what changed, a series as one, and which runs cannot be compared', async () => {
    await start('--limit', '2')
    await start('--repeat', '2', '--temperature', '0')
    writeSuite('Be exact.')
    await start()
    const short = await runCli(['trend', suite, ...data], { columns: 80 })
    expect(short.out).toMatch(/^Letters · 4 runs · .*\n[^]*^demo\/good +\d+ │ \d+ │ \d+ │ \d+ +\d+\.\d +\d+–\d+$/m)
    for (const line of short.out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    const { out, err } = await run('trend', suite, '--output', 'full')
    expect(out.match(/ cases\n/g)).toHaveLength(4)
    expect(out).toContain('2 of 3 cases')
    expect(out).toMatch(/: 2 cases instead of 3\n/)
    expect(out).toMatch(/: temperature 0\.7 → 0\n/)
    expect(out).toMatch(/: system prompt edited; temperature 0 → 0\.7\n/)
    expect(err).toContain('Only runs of the same cases can be compared')
    const storage = await openStorage({ file: join(folder, 'data', 'benchmaker.db') })
    await storage.saveDocument({
      kind: 'suite',
      id: 'stored',
      content: { suite: { name: 'Letters', testCases: [{ id: 'a' }] } },
    })
    await storage.createRun(
      { id: 'web', kind: 'suite', models: ['m'], testSuiteId: 'stored', testSuiteName: 'Letters', startedAt: 1 },
      [],
    )
    await storage.close()
    for (const name of ['Letters', 'stored', suite])
      expect(JSON.parse((await run('trend', name, '--json')).out).points, name).toHaveLength(5)
    await run('delete', 'web', '--yes')
    const { points, models, cases } = JSON.parse((await run('trend', 'Letters', '--json')).out)
    expect([models, cases]).toEqual([['demo/good'], 1])
    expect(
      points.map(({ caseSet, runIds }: { caseSet: number; runIds: string[] }) => [caseSet, runIds.length]),
    ).toEqual([
      [0, 1],
      [1, 1],
      [0, 2],
      [0, 1],
    ])
  })
})

describe('drift', () => {
  it('is a sentence, and fails the command only if asked to', async () => {
    const storage = await openStorage({ file: join(folder, 'drift', 'benchmaker.db') })
    for (const day of [1, 2, 3]) {
      const cells = Array.from({ length: 20 }, (_, index) => ({ testCaseId: `c${index}`, modelId: 'm' }))
      const header = { id: `day ${day}`, models: ['m'], testSuiteName: 'Daily', startedAt: Date.UTC(2026, 9, day) }
      await storage.createRun({ ...header, kind: 'suite' }, cells)
      for (const cell of cells) {
        const key = { ...cell, runId: header.id }
        const attempt = await storage.startAttempt({ ...key, purpose: 'answer', askedModel: 'm', startedAt: 1 })
        const answer = { outcome: 'ok' as const, response: 'x', latencyMs: 1 }
        await storage.saveAnswer(attempt, { endedAt: 2, outcome: 'ok' }, key, answer)
        await storage.saveScore(key, { score: day < 3 ? 1 : 0 })
      }
      await storage.setRunStatus(header.id, 'completed', { completedAt: 3 })
    }
    await storage.close()
    const trend = (...args: string[]) =>
      runCli(['trend', 'Daily', ...args, '--data', join(folder, 'drift')], { columns: 200 })
    const { exitCode, out } = await trend()
    expect(exitCode).toBe(0)
    expect(out).toMatch(
      /m has drifted: −100\.0 points since 2026-10-03 \(always-valid p [=<] [\d.]+, 20 cases, 3 runs\)\./,
    )
    expect((await trend('--fail-on-drift')).exitCode).toBe(1)
    expect((await trend('--fail-on-drift', '--json')).exitCode).toBe(1)
  })
})
