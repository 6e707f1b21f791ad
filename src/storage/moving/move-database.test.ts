import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InputError, runRequestSchema, StorageError, type Claim, type Storage } from '../../contract/index.ts'
import { migrations } from '../migrations/migrate.ts'
import { moveDatabase, openStorage, type DatabaseLocation } from '../index.ts'
import { createSqliteStorage, openSqliteStorage } from '../sqlite/sqlite-storage.ts'
import { openFile } from '../sqlite/connection.ts'
import { startPostgres, type PostgresServer } from '../testing/postgres-server.ts'
import {
  answerCell,
  cell,
  cellsOf,
  createSample,
  ended,
  fullAnswer,
  header,
  hostileTexts,
  plainAnswer,
  startAttempt,
  suite,
} from '../testing/samples.ts'
import { openSource, openTarget } from './raw-database.ts'
import { leftOut, movedTables } from './tables.ts'

let folder: string
let server: PostgresServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-moving-'))
  server = await startPostgres()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

let files = 0
const newFile = () => ({ file: join(folder, `${++files}.db`) })
const newDatabase = async () => ({ connectionString: await server.createDatabase() })

async function create(location: DatabaseLocation, fill: (storage: Storage) => Promise<void> = async () => {}) {
  const storage = await openStorage(location)
  await fill(storage)
  await storage.close()
  return location
}

const isLive = () => false
const move = (from: DatabaseLocation, to: DatabaseLocation) => moveDatabase({ from, to, isLive })

/** Something in every table and column, with texts and numbers that are hard to store. */
async function fillWithSamples(storage: Storage): Promise<void> {
  await createSample(storage, 'first', { testSuiteSnapshot: suite, seriesId: 'series', label: { tags: ['a', 'b'] } })
  await createSample(storage, 'second', { testSuiteSnapshot: suite, seriesId: 'series' })
  await answerCell(storage, cell('first'), {
    answer: fullAnswer,
    end: ended({ cost: 999_999.123_456, httpStatus: 200 }),
  })
  await storage.saveScore(cell('first'), {
    score: 1 / 3,
    confidence: 0.1 + 0.2,
    notes: 'n',
    rawScore: 5,
    maxScore: 10,
    judges: [{ judgeModelId: 'j', score: 0.5, reasoning: 'because' }],
  })
  await answerCell(storage, cell('second', 'italy'), { answer: plainAnswer('Rome') })
  await storage.saveScore(cell('second', 'italy'), { unscored: { code: 'judge-unreadable', message: 'no grade' } })
  await answerCell(storage, cell('second'), { answer: plainAnswer('not scored yet') })
  await startAttempt(storage, cell('second', 'italy', 'poor'))
  await storage.saveError(cell('second', 'italy', 'poor'), 'timeout', 'too slow')
  await storage.startAttempt({
    ...cell('first', 'italy'),
    purpose: 'user',
    askedModel: 'm',
    startedAt: 5,
    event: { seq: 0, by: 'user' },
  })
  await storage.saveRating(cell('first'), { rating: 0.25, note: 'so so' })
  await storage.saveRating(cell('first'), { note: 'skip' }, { rater: 'Ada', queueId: 'queue' })
  const content = Uint8Array.from({ length: 3000 }, (_, index) => index % 256)
  await storage.saveArtifact(cell('first'), { name: 'page.png', mediaType: 'image/png', content })
  await storage.setRunStatus('first', 'cancelled', { completedAt: 1.5, stopReason: 'budget' })
  await storage.createRun(header('hostile'), cellsOf(hostileTexts.filter(Boolean), ['m']))
  for (const text of hostileTexts.filter(Boolean))
    await answerCell(storage, cell('hostile', text, 'm'), { answer: plainAnswer(text) })
  await storage.saveDocument({ kind: 'suite', id: 'capitals', content: suite })
  await storage.saveDocument({ kind: 'suite', id: 'capitals', content: { ...suite, name: 'Renamed' } })
  for (const id of hostileTexts.filter(Boolean)) await storage.saveDocument({ kind: 'vote', id, content: { id } })
  await fillTeam(storage)
}

async function fillTeam(storage: Storage): Promise<void> {
  const { access } = storage
  const person = { id: 'ada', name: 'Ada' }
  await access.createAccount({ ...person, login: 'ada@example.org', role: 'admin', password: 'hash', createdAt: 1 })
  await access.saveInvitation({ hash: 'h', login: 'bob@example.org', role: 'viewer', createdAt: 1.5, endsAt: 2e12 })
  await access.saveSealedKey({ name: 'openai', sealed: 'v1.sealed', savedAt: 3, savedBy: 'Ada' })
  await access.saveBudget({ kind: 'person', id: 'ada' }, 12.345_678)
  for (const text of hostileTexts) await access.addActivity({ at: 4, action: 'run started', object: text, person })
  await access.addActivity({ at: 5, action: 'signed in' })
  const request = runRequestSchema.parse({ suiteId: 'capitals', models: ['good'], startedBy: person })
  await createSample(storage, 'deleted', { request })
  await answerCell(storage, cell('deleted'), { end: ended({ cost: 0.25 }) })
  await storage.deleteRun('deleted')
}

/** Every row of every table that is moved. */
async function readEverything(location: DatabaseLocation): Promise<Record<string, unknown[]>> {
  const raw = await openSource(location)
  try {
    const tables: Record<string, unknown[]> = {}
    for (const table of movedTables) {
      const rows = await raw.query(`SELECT * FROM ${table}`)
      // SQLite returns whole numbers as bigint where PostgreSQL has a double.
      const texts = rows.map((row) =>
        JSON.stringify(
          Object.entries(row)
            .map(([column, value]) => [
              column,
              value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
            ])
            .toSorted(),
          (_key, value: unknown) => (typeof value === 'bigint' || typeof value === 'number' ? String(value) : value),
        ),
      )
      tables[table] = texts.toSorted()
    }
    return tables
  } finally {
    await raw.close()
  }
}

describe('moving a database', () => {
  it('there and back, nothing is lost: every table is the same, row by row', async () => {
    const source = await create(newFile(), fillWithSamples)
    const [there, back] = [await create(await newDatabase()), await create(newFile())]
    const expected = await readEverything(source)
    for (const [table, rows] of Object.entries(expected)) expect(rows.length, table).toBeGreaterThan(0)

    const moved = await move(source, there)
    expect(moved).toMatchObject({ runs: ['first', 'second', 'hostile'], skippedRuns: [], keptDocuments: [] })
    expect(moved).toMatchObject({ cells: expected['cells']!.length, documents: expected['documents']!.length })
    expect(await readEverything(there)).toEqual(expected)
    await move(there, back)
    expect(await readEverything(back)).toEqual(expected)

    const [before, after] = [await openStorage(source), await openStorage(back)]
    for (const id of moved.runs) {
      expect(await after.loadRun(id)).toEqual(await before.loadRun(id))
      expect(await after.loadAttempts(id)).toEqual(await before.loadAttempts(id))
    }
    expect(await after.listRuns()).toEqual(await before.listRuns())
    await Promise.all([before.close(), after.close()])
  })

  it('repeating it changes nothing and says which runs were there', async () => {
    const source = await create(newFile(), fillWithSamples)
    const target = await create(await newDatabase())
    await move(source, target)
    const expected = await readEverything(target)
    expect(await move(source, target)).toEqual({
      runs: [],
      skippedRuns: ['first', 'second', 'hostile'],
      cells: 0,
      documents: 0,
      keptDocuments: [],
      teamRows: 0,
    })
    expect(await readEverything(target)).toEqual(expected)
  })

  it.each(['SQLite', 'PostgreSQL'] as const)('keeps the accounts, keys and log that %s has already', async (name) => {
    const source = await create(newFile(), fillTeam)
    const target = await create(name === 'SQLite' ? newFile() : await newDatabase(), async ({ access }) => {
      await access.createAccount({ id: '7', login: 'ada@example.org', name: 'A.', role: 'viewer', createdAt: 9 })
      await access.saveSealedKey({ name: 'openai', sealed: 'own', savedAt: 9 })
      await access.addActivity({ at: 9, action: 'own' })
    })
    // One invitation, one budget, the log and what the deleted run cost.
    expect((await move(source, target)).teamRows).toBe(hostileTexts.length + 4)
    const storage = await openStorage(target)
    expect(await storage.access.listAccounts()).toMatchObject([{ id: '7', role: 'viewer' }])
    expect(await storage.access.listSealedKeys()).toMatchObject([{ sealed: 'own' }])
    expect(await storage.access.sumSpending({ kind: 'person', id: 'ada' }, 0)).toBe(0.25)
    const { entries, total } = await storage.access.listActivity()
    expect([entries[0]?.action, entries.at(-1)?.action, total]).toEqual(['signed in', 'own', hostileTexts.length + 2])
    await storage.close()
  })

  it.each(['SQLite', 'PostgreSQL'] as const)(
    'what a run cost counts once in %s, however often it is moved',
    async (name) => {
      const owner = { kind: 'person', id: 'ada' } as const
      const request = runRequestSchema.parse({ suiteId: 's', models: ['good'], startedBy: { id: 'ada', name: 'Ada' } })
      const source = await create(newFile(), async (storage) => {
        await createSample(storage, 'run', { request })
        for (const id of ['france', 'italy']) await answerCell(storage, cell('run', id), { end: ended({ cost: 0.25 }) })
      })
      const target = await create(name === 'SQLite' ? newFile() : await newDatabase())
      const change = async (work: (storage: Storage) => Promise<unknown>) => {
        const storage = await openStorage(target)
        await work(storage)
        const spent = await storage.access.sumSpending(owner, 0)
        await storage.close()
        return spent
      }
      await move(source, target)
      expect(await change(async () => {})).toBe(0.5)
      // Continued there, its rows are no longer those of the source.
      const goOn = async (storage: Storage) => {
        await answerCell(storage, cell('run', 'france', 'poor'), { end: ended({ cost: 1 }) })
        await storage.setRunStatus('run', 'completed')
      }
      expect(await change(goOn)).toBe(1.5)
      await move(source, target)
      expect(await change((storage) => storage.deleteRun('run'))).toBe(1.5)
      await move(source, target)
      expect(await change(async () => {})).toBe(0.5)
    },
  )

  it.each(['SQLite', 'PostgreSQL'] as const)('joins what %s has already, under new numbers', async (name) => {
    const source = await create(newFile(), fillWithSamples)
    const target = await create(name === 'SQLite' ? newFile() : await newDatabase(), async (storage) => {
      await createSample(storage, 'own', { testSuiteSnapshot: suite })
      await answerCell(storage, cell('own'), { answer: plainAnswer('mine') })
      await storage.saveDocument({ kind: 'suite', id: 'capitals', content: { name: 'Mine' } })
    })
    const moved = await move(source, target)
    expect(moved.keptDocuments).toEqual(['suite capitals'])
    const [before, after] = [await openStorage(source), await openStorage(target)]
    for (const id of ['first', 'second', 'hostile']) expect(await after.loadRun(id)).toEqual(await before.loadRun(id))
    const withoutIds = (attempts: { id: number }[]) => attempts.map(({ id: _id, ...attempt }) => attempt)
    expect(withoutIds(await after.loadAttempts('first'))).toEqual(withoutIds(await before.loadAttempts('first')))
    expect(await after.loadDocument('suite', 'capitals')).toMatchObject({ version: 1, content: { name: 'Mine' } })
    // New rows follow the moved ones.
    await answerCell(after, cell('own', 'italy'), { answer: plainAnswer('later') })
    await createSample(after, 'later')
    expect((await after.findRuns('')).at(0)).toBe('later')
    await Promise.all([before.close(), after.close()])
  })

  it('interrupted, it can be repeated: a run is there whole or not at all', async () => {
    const source = await create(newFile(), fillWithSamples)
    const target = await create(await newDatabase())
    let pages = 0
    const interrupted = moveDatabase({
      from: source,
      to: target,
      isLive,
      onProgress: () => {
        if (++pages === 3) throw new Error('interrupted')
      },
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    const storage = await openStorage(target)
    expect(await storage.findRuns('')).toEqual(['first'])
    await storage.close()
    expect(await move(source, target)).toMatchObject({ runs: ['second', 'hostile'], skippedRuns: ['first'] })
    const count = async (location: DatabaseLocation) =>
      Object.entries(await readEverything(location)).map(([table, rows]) => [table, rows.length])
    expect(await count(target)).toEqual(await count(source))
  })

  it('refuses a source that a run is writing, and names the process', async () => {
    const claim: Claim = { id: 'first', host: 'desk', pid: 42, token: 't', since: 1, renewedAt: 2 }
    const source = await create(newFile(), async (storage) => {
      await createSample(storage, 'first')
      await storage.claim(claim)
    })
    const target = await create(await newDatabase())
    const refused = moveDatabase({ from: source, to: target, isLive: (held) => held.renewedAt === 2 })
    await expect(refused).rejects.toThrow(/process 42 on desk is working on "first".*Nothing was imported/)
    expect(await move(source, target)).toMatchObject({ runs: ['first'] })
  })

  it('refuses a source of another version, and what is no database of ours, and changes neither', async () => {
    const target = await create(newFile())
    const older = newFile()
    const storage = await createSqliteStorage(openFile(older.file), { ...older, migrations: migrations.slice(0, 4) })
    await storage.close()
    await expect(move(older, target)).rejects.toThrow(StorageError)
    await expect(move(older, target)).rejects.toThrow(/older Benchmaker \(its tables are version 4/)
    const newer = await create(await newDatabase())
    const raw = await openTarget(newer)
    await raw.query("INSERT INTO benchmaker_migrations VALUES (99, 'from the future', 0)")
    await raw.close()
    await expect(move(newer, target)).rejects.toThrow(/newer Benchmaker \(its tables are version 99/)
    await expect(move(await newDatabase(), target)).rejects.toThrow(/is not a database of Benchmaker/)
    await expect(move({ file: join(folder, 'nowhere.db') }, target)).rejects.toThrow(InputError)
    await expect(move({ file: import.meta.filename }, target)).rejects.toThrow(StorageError)
    const wrong = server.connectionString('postgres').replace('not-a-secret', 'hidden-password')
    const error: unknown = await move({ connectionString: wrong }, target).catch((thrown: unknown) => thrown)
    expect(String(error)).toMatch(/rejects the password/)
    expect(String(error)).not.toContain('hidden-password')
  })

  it('every table is either moved or left out on purpose', async () => {
    const storage = await openSqliteStorage(newFile())
    await storage.close()
    const raw = await openSource({ file: join(folder, `${files}.db`) })
    const names = await raw.query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    await raw.close()
    expect(names.map(({ name }) => name).toSorted()).toEqual([...movedTables, ...leftOut].toSorted())
  })
})
