import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCli } from '../src/cli/testing/run-cli.ts'
import { startPostgres, type PostgresServer } from '../src/storage/testing/postgres-server.ts'

let folder: string
let postgres: PostgresServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-import-'))
  postgres = await startPostgres()
})
afterEach(() => void vi.unstubAllEnvs())
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

const suite = 'examples/first-look/suite.yaml'
const run = async (...args: string[]) => {
  const result = await runCli(args)
  expect(result.out + result.err).not.toContain('not-a-secret')
  return result
}

describe('benchmaker import --from', () => {
  it('moves real runs from SQLite to PostgreSQL and back, with the same results', async () => {
    vi.stubEnv('BENCHMAKER_DEMO_DELAY_MS', '0')
    const [first, last] = [
      ['--data', join(folder, 'first')],
      ['--data', join(folder, 'last')],
    ] as const
    const url = await postgres.createDatabase()
    expect(await run('run', suite, '--models', 'demo/good,demo/poor', '--repeat', '2', ...first)).toMatchObject({
      exitCode: 0,
    })
    const listed = await run('list', '--json', ...first)
    const shown = await run('show', 'latest', '--json', ...first)

    vi.stubEnv('BENCHMAKER_DATABASE_URL', url)
    const from = `sqlite:${join(folder, 'first', 'benchmaker.db')}`
    const moved = await run('import', '--from', from, ...first)
    expect(moved).toMatchObject({ exitCode: 0, err: expect.stringMatching(/^Imported 2 runs with \d+ cells/) })
    expect((await run('list', '--json', ...first)).out).toBe(listed.out)
    expect((await run('show', 'latest', '--json', ...first)).out).toBe(shown.out)
    const again = await run('import', '--from', from, '--json', ...first)
    expect(again.err).toMatch(/Imported 0 runs.*\nSkipped 2 runs whose ids already exist: /)
    expect(JSON.parse(again.out)).toMatchObject({ imported: [], skippedRuns: [expect.any(String), expect.any(String)] })

    vi.stubEnv('BENCHMAKER_DATABASE_URL', '')
    expect(await run('import', '--from', url, ...last)).toMatchObject({ exitCode: 0 })
    expect((await run('list', '--json', ...last)).out).toBe(listed.out)
    expect((await run('show', 'latest', '--json', ...last)).out).toBe(shown.out)
  })

  it('refuses what it cannot read, in words and without the password', async () => {
    const data = ['--data', join(folder, 'other')]
    for (const [args, message] of [
      [['--from', 'mysql://root:not-a-secret@host/x'], /--from must be sqlite:FILE or postgres/],
      [['--from', postgres.connectionString('nowhere')], /database nowhere .* does not exist/],
      [['--from', `sqlite:${join(folder, 'missing.db')}`], /there is no database .*missing\.db/],
      [['--from', `sqlite:${suite}`], /suite\.yaml/],
      [['--from', `sqlite:${join(folder, 'other', 'benchmaker.db')}`], /--from is the database in use/],
      [['--from', 'sqlite:a.db', 'results.csv'], /import files with a command of their own/],
      [[], /name the files to import, or a database with --from/],
    ] as const) {
      const { exitCode, out, err } = await run('import', ...args, ...data)
      expect(err).toMatch(message)
      expect([exitCode === 0, out]).toEqual([false, ''])
    }
  })
})
