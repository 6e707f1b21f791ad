import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Storage } from '../../contract/index.ts'
import { migrations } from '../migrations/migrate.ts'
import { openSqliteStorage, createSqliteStorage } from './sqlite-storage.ts'
import {
  answerCell,
  cell,
  cellsOf,
  createSample,
  ended,
  header,
  plainAnswer,
  startAttempt,
  suite,
} from '../testing/samples.ts'
import { refusalOf } from '../testing/refusal-of.ts'

/** The shell that people use to inspect a database; not installed everywhere. */
const shellProgram = 'sqlite3'
let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-sqlite-'))
  chmodSync(folder, 0o755)
  file = join(folder, 'runs.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Root may write anywhere, so the action runs as the user "nobody". */
async function withoutRights<Result>(action: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return action()
  process.seteuid?.(65_534)
  try {
    return await action()
  } finally {
    process.seteuid?.(0)
  }
}

describe('SQLite storage', () => {
  it('creates the folder and uses a write-ahead log', async () => {
    const deep = join(folder, 'a', 'b', 'runs.db')
    const database = new DatabaseSync(join(folder, 'pragmas.db'))
    const first = await openSqliteStorage({ file: deep })
    const second = await createSqliteStorage(database, { file: 'pragmas.db' })
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 1 })
    expect(database.prepare('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 })
    await first.close()
    await second.close()
    expect(statSync(deep).size).toBeGreaterThan(0)
  })

  describe('a write', () => {
    /** The prototype that all file handles share, to spy on. */
    async function fileHandlePrototype(): Promise<FileHandle> {
      const handle = await open(folder, 'r')
      await handle.close()
      return Object.getPrototypeOf(handle)
    }
    afterEach(() => vi.restoreAllMocks())

    const italy = cell('run', 'italy')
    const refuse = () => Promise.reject(new Error('EIO: i/o error, fdatasync'))

    /** Opens a database with a run that is already on disk. */
    async function openWithRun(): Promise<Storage> {
      const storage = await openSqliteStorage({ file })
      await createSample(storage, 'run')
      await storage.saveError(cell('run', 'france', 'poor'), 'error', 'no answer')
      return storage
    }

    it('settles only when the log is on disk; writes made meanwhile share the next sync', async () => {
      const storage = await openWithRun()
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
      const synced = vi.spyOn(await fileHandlePrototype(), 'datasync').mockReturnValue(reached)
      const settled: string[] = []
      const save = (error: string) => storage.saveError(italy, 'error', error).then(() => settled.push(error))
      const first = save('first')
      await vi.waitFor(() => expect(synced).toHaveBeenCalledTimes(1))
      const others = [save('second'), save('third')]
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(settled).toEqual([])
      expect(synced).toHaveBeenCalledTimes(1)
      reach()
      await Promise.all([first, ...others])
      expect(settled).toEqual(['first', 'second', 'third'])
      expect(synced).toHaveBeenCalledTimes(2)
      await storage.close()
    })

    it('that a request waits for settles when other programs can see it, before it is on disk', async () => {
      const storage = await openWithRun()
      const other = await openSqliteStorage({ file })
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
      const synced = vi.spyOn(await fileHandlePrototype(), 'datasync').mockReturnValue(reached)
      await startAttempt(storage, italy)
      expect(synced).not.toHaveBeenCalled()
      expect(await other.loadAttempts('run')).toHaveLength(1)
      await vi.waitFor(() => expect(synced).toHaveBeenCalledTimes(1))
      await startAttempt(storage, italy)
      expect(await other.loadAttempts('run')).toHaveLength(2)
      reach()
      await storage.close()
      expect(synced).toHaveBeenCalledTimes(2)
      await other.close()
    })

    it('fails and is not retried when the sync to disk fails', async () => {
      const storage = await openWithRun()
      const [first, second] = [await startAttempt(storage, italy), await startAttempt(storage, italy)]
      vi.spyOn(await fileHandlePrototype(), 'datasync').mockImplementation(refuse)
      const both = await Promise.all(
        [first, second].map((id) => refusalOf(storage.saveAnswer(id, ended(), italy, plainAnswer('Rome')))),
      )
      for (const refusal of both) expect(refusal).toMatch(/runs\.db cannot be written to disk \(EIO.*check the disk/)
      vi.restoreAllMocks()
      expect((await storage.loadAttempts('run')).map(({ end }) => end?.outcome)).toEqual(['ok', 'ok'])
      expect(await storage.loadCell(italy)).toMatchObject({ answer: { response: 'Rome' } })
      await storage.close()
    })

    it('fails when an earlier sync that nothing waited for has failed', async () => {
      const storage = await openWithRun()
      const synced = vi.spyOn(await fileHandlePrototype(), 'datasync').mockImplementationOnce(refuse)
      const id = await startAttempt(storage, italy)
      await vi.waitFor(() => expect(synced).toHaveBeenCalledTimes(1))
      expect(await refusalOf(storage.saveAnswer(id, ended(), italy, plainAnswer()))).toContain(
        'cannot be written to disk',
      )
      await storage.saveError(cell('run'), 'error', 'reported once')
      await storage.close()
    })
  })

  it('has a change token that stays the same until this or another program changes something', async () => {
    const [storage, other] = [await openSqliteStorage({ file }), await openSqliteStorage({ file })]
    const first = await storage.changeToken()
    await other.listRuns({ limit: 10 })
    expect(await storage.changeToken()).toBe(first)
    await createSample(storage, 'own')
    const second = await storage.changeToken()
    expect(second).not.toBe(first)
    await answerCell(other, cell('own'), { answer: plainAnswer('Paris') })
    const third = await storage.changeToken()
    expect(third).not.toBe(second)
    expect(await storage.changeToken()).toBe(third)
    await storage.close()
    await other.close()
  })

  it('works in memory', async () => {
    const storage = await openSqliteStorage({ file: ':memory:' })
    await createSample(storage, 'run')
    expect(await storage.loadOpenCells('run')).toHaveLength(4)
    await storage.close()
  })

  it.skipIf(spawnSync(shellProgram, ['--version']).status !== 0)(
    'runs, texts and comments are readable in the sqlite3 shell',
    async () => {
      const storage = await openSqliteStorage({ file })
      await createSample(storage, 'run', { testSuiteSnapshot: suite })
      await answerCell(storage, cell('run'), { answer: plainAnswer('Paris it is') })
      await storage.saveScore(cell('run'), { score: 0.95 })
      const shell = (sql: string) => execFileSync(shellProgram, [file, sql], { encoding: 'utf8' }).trim()
      expect(shell("SELECT run, test_case, model, outcome, score, response FROM results WHERE state = 'scored'")).toBe(
        'run|france|good|ok|95.0|Paris it is',
      )
      expect(shell("SELECT json_extract(content, '$.testCases[1].expectedOutput') FROM suites")).toBe('Rome')
      expect(shell('.schema cells')).toContain('-- pending, answered (not scored yet), scored, unscored or error')
      await storage.close()
    },
  )
})

describe('openStorage', () => {
  it('loads nothing of PostgreSQL for a file', () => {
    const script = `
      import { createRequire } from 'node:module'
      const { openStorage } = await import(${JSON.stringify(import.meta.resolve('../index.ts'))})
      await (await openStorage({ file: ':memory:' })).close()
      const loaded = Object.keys(createRequire(import.meta.url).cache)
      await openStorage({ connectionString: 'postgres://127.0.0.1:1/x' }).catch(() => {})
      const loadedLater = Object.keys(createRequire(import.meta.url).cache)
      console.log([loaded, loadedLater].map((paths) => paths.some((path) => /node_modules.pg./.test(path))).join())`
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
    expect(output.trim()).toBe('false,true')
  })

  it('refuses an empty path', async () => {
    await expect(openSqliteStorage({ file: '' })).rejects.toThrow(/path of the database is empty/)
  })
})

describe('a database that cannot be used', () => {
  it('was created by a newer Benchmaker: refused, and not one byte is changed', async () => {
    await (await openSqliteStorage({ file })).close()
    const database = new DatabaseSync(file)
    database.exec("INSERT INTO benchmaker_migrations VALUES (99, 'from the future', 0)")
    database.close()
    const before = readFileSync(file)
    expect(await refusalOf(openSqliteStorage({ file }))).toMatch(
      /created by a newer Benchmaker \(its tables are version 99, this program supports \d+\): update Benchmaker/,
    )
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('is older: upgraded with its data, all or nothing', async () => {
    const storage = await openSqliteStorage({ file })
    await createSample(storage, 'run')
    await storage.close()
    const added = { name: 'colours', statements: () => ["ALTER TABLE runs ADD COLUMN colour TEXT DEFAULT 'red'"] }
    const broken = { name: 'broken', statements: () => ['CREATE TABLE half (a)', 'CREATE TABEL x'] }
    await refusalOf(createSqliteStorage(new DatabaseSync(file), { file, migrations: [...migrations, added, broken] }))
    const between = new DatabaseSync(file)
    expect(between.prepare("SELECT name FROM sqlite_schema WHERE name = 'half'").all()).toEqual([])
    expect(between.prepare('SELECT max(version) AS version FROM benchmaker_migrations').get()).toEqual({
      version: migrations.length,
    })
    between.close()
    const after = await createSqliteStorage(new DatabaseSync(file), { file, migrations: [...migrations, added] })
    expect(await after.loadOpenCells('run')).toHaveLength(4)
    await after.close()
  })

  it('belongs to another program: refused, untouched', async () => {
    const other = new DatabaseSync(file)
    other.exec('CREATE TABLE bookmarks (url)')
    other.close()
    expect(await refusalOf(openSqliteStorage({ file }))).toMatch(
      /tables of another program \(bookmarks\): use another file/,
    )
    const after = new DatabaseSync(file)
    expect(after.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'bookmarks' }])
    after.close()
  })

  it('is not a database at all: refused, untouched', async () => {
    const text = 'name: my suite\ntestCases: []\n'.repeat(50)
    writeFileSync(file, text)
    expect(await refusalOf(openSqliteStorage({ file }))).toMatch(/is not an SQLite database: check the path/)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('is a folder, or its path leads through a file', async () => {
    mkdirSync(file)
    expect(await refusalOf(openSqliteStorage({ file }))).toMatch(/cannot be opened: .* the path must not be a folder/)
    writeFileSync(join(folder, 'plain'), '')
    expect(await refusalOf(openSqliteStorage({ file: join(folder, 'plain', 'x', 'runs.db') }))).toMatch(
      /part of the path is a file, not a folder/,
    )
  })

  it('is damaged: reported when the damage is found, and the file is left unchanged', async () => {
    const storage = await openSqliteStorage({ file })
    await createSample(storage, 'run')
    for (const key of cellsOf(['france', 'italy'], ['good', 'poor']))
      await answerCell(storage, { runId: 'run', ...key }, { answer: plainAnswer('x'.repeat(20_000)) })
    await storage.close()
    const bytes = readFileSync(file)
    bytes.fill(0x5a, 4096)
    writeFileSync(file, bytes)
    expect(await refusalOf(openSqliteStorage({ file }).then((opened) => opened.loadOpenCells('run')))).toMatch(
      /is damaged \(.*\): keep the file, restore it from a backup/,
    )
    expect(readFileSync(file).equals(bytes)).toBe(true)
    truncateSync(file, 5000)
    expect(await refusalOf(openSqliteStorage({ file }).then((opened) => opened.loadOpenCells('run')))).toMatch(
      /is damaged/,
    )
  })

  it('is read-only, or in a folder without write permission', async () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed)
    const existing = join(closed, 'runs.db')
    await (await openSqliteStorage({ file: existing })).close()
    chmodSync(existing, 0o444)
    chmodSync(closed, 0o555)
    const before = readFileSync(existing)
    expect(await refusalOf(withoutRights(() => openSqliteStorage({ file: join(closed, 'new.db') })))).toMatch(
      /cannot be created: this user has no write permission there/,
    )
    expect(await refusalOf(withoutRights(() => openSqliteStorage({ file: join(closed, 'deeper', 'new.db') })))).toMatch(
      /this user has no write permission there/,
    )
    expect(await refusalOf(withoutRights(() => openSqliteStorage({ file: existing })))).toMatch(
      /cannot be (written|opened): .*writable by this user/,
    )
    expect(readFileSync(existing).equals(before)).toBe(true)
    chmodSync(closed, 0o755)
  })
})

describe('a full disk', () => {
  let database: DatabaseSync
  let storage: Storage
  const limit = (pages: number) => database.exec(`PRAGMA max_page_count = ${pages}`)
  const pages = () => Number(database.prepare('PRAGMA page_count').get()?.['page_count'])
  beforeEach(async () => {
    database = new DatabaseSync(file)
    storage = await createSqliteStorage(database, { file })
    await createSample(storage, 'run')
  })
  afterEach(() => storage.close())

  it('refuses what does not fit, keeps the rest of the same turn, and continues when there is room', async () => {
    const ids = [await startAttempt(storage, cell('run')), await startAttempt(storage, cell('run', 'italy'))]
    limit(pages() + 3)
    const long = plainAnswer('x'.repeat(500_000))
    const settled = await Promise.allSettled([
      storage.saveAnswer(ids[0]!, { endedAt: 1, outcome: 'ok', cost: 1 }, cell('run'), long),
      storage.saveAnswer(ids[1]!, { endedAt: 1, outcome: 'ok', cost: 2 }, cell('run', 'italy'), plainAnswer('short')),
    ])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(String(settled[0]?.status === 'rejected' && settled[0].reason)).toMatch(
      /StorageError: .* because the disk is full: free some space and try again. Everything stored before is safe/,
    )
    expect((await storage.loadAttempts('run')).map(({ end }) => end?.cost)).toEqual([undefined, 2])
    limit(1_000_000)
    await storage.saveAnswer(ids[0]!, { endedAt: 1, outcome: 'ok', cost: 1 }, cell('run'), long)
    expect((await storage.loadOpenCells('run')).filter(({ answer }) => answer)).toHaveLength(2)
  })

  it('refuses a new run whole', async () => {
    limit(pages() + 3)
    const cells = cellsOf(
      Array.from({ length: 20_000 }, (_, index) => `case ${index}`),
      ['m'],
    )
    expect(await refusalOf(storage.createRun(header('large', { testSuiteSnapshot: suite }), cells))).toMatch(
      /disk is full/,
    )
    expect(await storage.findRuns('')).toEqual(['run'])
    expect(database.prepare('SELECT count(*) AS n FROM suites').get()).toEqual({ n: 0 })
  })
})
