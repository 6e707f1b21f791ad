import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputError, type Storage } from '../../contract/index.ts'
import { checkBackup } from '../index.ts'
import { migrations } from '../migrations/migrate.ts'
import { openSqliteStorage } from './sqlite-storage.ts'
import { answerCell, cell, cellsOf, createSample, header, plainAnswer } from '../testing/samples.ts'
import { refusalOf } from '../testing/refusal-of.ts'

let folder: string
let file: string
let copy: string
let storage: Storage
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-backup-'))
  file = join(folder, 'runs.db')
  copy = join(folder, 'copies', "it's a 100% copy?.db")
  storage = await openSqliteStorage({ file })
  await createSample(storage, 'run')
  await answerCell(storage, cell('run'))
  await storage.saveScore(cell('run'), { score: 1 })
  await storage.saveDocument({ kind: 'suite', id: 'a', content: { name: 'A' } })
})
afterEach(async () => {
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Rule (src/contract/ports/storage.ts): a complete copy in a new file, even while the database is in use. */
describe('a backup', () => {
  it('contains everything, creates its folder, leaves no other file there, and can be opened and checked', async () => {
    await storage.backupTo(copy)
    expect(readdirSync(join(folder, 'copies'))).toEqual(["it's a 100% copy?.db"])
    // Only its owner can read it.
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(await checkBackup(copy)).toEqual({ runs: 1, version: migrations.length })
    expect(readdirSync(join(folder, 'copies'))).toEqual(["it's a 100% copy?.db"])
    const restored = await openSqliteStorage({ file: copy })
    expect(await restored.loadRun('run')).toEqual(await storage.loadRun('run'))
    expect(await restored.loadDocument('suite', 'a')).toEqual(await storage.loadDocument('suite', 'a'))
    await createSample(restored, 'later')
    expect(await storage.countRuns()).toBe(1)
    await restored.close()
  })

  it('is a consistent snapshot of a run in progress, and the run does not wait', async () => {
    const cases = Array.from({ length: 300 }, (_, index) => `case ${index}`)
    await storage.createRun(header('busy'), cellsOf(cases, ['m']))
    const text = 'x'.repeat(10_000)
    let done = false
    let written = 0
    const work = (async () => {
      for (const testCaseId of cases) {
        await answerCell(storage, cell('busy', testCaseId, 'm'), { answer: plainAnswer(text) })
        if (!done) written++
        await storage.saveScore(cell('busy', testCaseId, 'm'), { score: 1 })
      }
    })()
    await storage.backupTo(copy)
    done = true
    await work
    expect(written).toBeGreaterThan(0)
    const restored = await openSqliteStorage({ file: copy })
    const cells = (await restored.listRuns()).find(({ id }) => id === 'busy')?.cells
    expect(cells?.total).toBe(300)
    const finished = (await restored.loadRun('busy'))?.results ?? []
    expect(finished.map(({ testCaseId, response }) => [testCaseId, response])).toEqual(
      cases.slice(0, finished.length).map((testCaseId) => [testCaseId, text]),
    )
    await restored.close()
  })

  it('refuses an existing file, even an empty one, and leaves it unchanged', async () => {
    for (const content of ['dear diary', '']) {
      const diary = join(folder, `diary ${content.length}`)
      writeFileSync(diary, content)
      await expect(storage.backupTo(diary)).rejects.toThrow(InputError)
      await expect(storage.backupTo(diary)).rejects.toThrow(/The file .* already exists: choose another one/)
      expect(readFileSync(diary, 'utf8')).toBe(content)
    }
    await expect(storage.backupTo(file)).rejects.toThrow(InputError)
    await expect(storage.backupTo('')).rejects.toThrow(InputError)
    expect(await storage.countRuns()).toBe(1)
  })

  it('of two started at once with the same name, one succeeds', async () => {
    const settled = await Promise.allSettled([storage.backupTo(copy), storage.backupTo(copy)])
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await checkBackup(copy)).toMatchObject({ runs: 1 })
  })

  it('that cannot be written fails with an explanation and leaves nothing behind', async () => {
    writeFileSync(join(folder, 'plain'), '')
    expect(await refusalOf(storage.backupTo(join(folder, 'plain', 'copy.db')))).toMatch(/part of the path is a file/)
    renameSync(file, `${file}.elsewhere`)
    expect(await refusalOf(storage.backupTo(copy))).toMatch(/cannot be opened/)
    expect(readdirSync(join(folder, 'copies'))).toEqual([])
    renameSync(`${file}.elsewhere`, file)
    await storage.backupTo(copy)
  })

  it('of a database in memory is a file', async () => {
    const memory = await openSqliteStorage({ file: ':memory:' })
    await createSample(memory, 'one')
    await memory.backupTo(copy)
    await memory.close()
    expect(await checkBackup(copy)).toEqual({ runs: 1, version: migrations.length })
  })

  it('is refused when the database is closed', async () => {
    await storage.close()
    expect(await refusalOf(storage.backupTo(copy))).toMatch(/is already closed/)
    expect(existsSync(copy)).toBe(false)
  })
})

/** A file that replaces the database must itself be one. */
describe('checking a backup', () => {
  const write = (statements: string): string => {
    const path = join(folder, 'checked.db')
    const database = new DatabaseSync(path)
    database.exec(statements)
    database.close()
    return path
  }

  it.each([
    ['that does not exist', () => join(folder, 'nowhere.db'), /does not exist or is not a file: check the path/],
    [
      'that is a text',
      () => (writeFileSync(join(folder, 'text'), 'hello\n'.repeat(1000)), join(folder, 'text')),
      /is not an SQLite database/,
    ],
    [
      'that is empty',
      () => (writeFileSync(join(folder, 'empty'), ''), join(folder, 'empty')),
      /database of another program/,
    ],
    ['that is a folder', () => folder, /is not a file/],
    ['of another program', () => write('CREATE TABLE bookmarks (url)'), /database of another program/],
    [
      'with our table of versions and no version',
      () =>
        write('CREATE TABLE benchmaker_migrations (version INTEGER); CREATE TABLE runs (id); CREATE TABLE cells (id)'),
      /version 0/,
    ],
    [
      'with nothing but our table of versions',
      () => write('CREATE TABLE benchmaker_migrations (version INTEGER); INSERT INTO benchmaker_migrations VALUES (1)'),
      /another program/,
    ],
  ])('refuses a file %s', async (_, path, message) => {
    expect(await refusalOf(checkBackup(path()))).toMatch(message)
  })

  it('refuses a backup of a newer Benchmaker, and a database still in use', async () => {
    await storage.backupTo(copy)
    const database = new DatabaseSync(copy)
    database.exec("INSERT INTO benchmaker_migrations VALUES (99, 'from the future', 0)")
    database.close()
    expect(await refusalOf(checkBackup(copy))).toMatch(
      /newer Benchmaker \(its tables are version 99, this program supports \d+\)/,
    )
    expect(await refusalOf(checkBackup(file))).toMatch(/is a database in use, and its last changes are still in .*-wal/)
  })

  it('refuses a damaged one, wherever the damage is', async () => {
    await storage.createRun(
      header('large'),
      cellsOf(
        Array.from({ length: 3000 }, (_, index) => `case ${index}`),
        ['m'],
      ),
    )
    await storage.backupTo(copy)
    const whole = readFileSync(copy)
    const damaged = join(folder, 'damaged.db')
    for (const page of [1, 5, Math.floor(whole.length / 4096 / 2), Math.floor(whole.length / 4096) - 1]) {
      const bytes = Buffer.from(whole)
      bytes.fill(0x5a, page * 4096, page * 4096 + 4096)
      writeFileSync(damaged, bytes)
      expect(await refusalOf(checkBackup(damaged))).toMatch(/is damaged/)
    }
    writeFileSync(damaged, whole.subarray(0, whole.length - 4096))
    expect(await refusalOf(checkBackup(damaged))).toMatch(/is damaged/)
  })

  it('accepts a backup on a read-only disk, and a database that was closed in write-ahead mode', async () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed)
    await storage.close()
    copyFileSync(file, join(closed, 'runs.db'))
    chmodSync(closed, 0o555)
    expect(await checkBackup(join(closed, 'runs.db'))).toEqual({ runs: 1, version: migrations.length })
    expect(readdirSync(closed)).toEqual(['runs.db'])
    chmodSync(closed, 0o755)
  })
})
