import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../src/cli/testing/run-cli.ts'
import { InputError, StorageError } from '../../src/contract/index.ts'
import { createRandom } from '../../src/statistics/index.ts'
import { examineStorage, openStorage, refuseDamaged } from '../../src/storage/index.ts'
import { cell, cellsOf, header, plainAnswer, suite, answerCell } from '../../src/storage/testing/samples.ts'

const PAGE = 4096
const folder = mkdtempSync(join(tmpdir(), 'benchmaker-damage-'))
const data = join(folder, 'data')
const file = join(data, 'benchmaker.db')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let whole: Buffer
beforeAll(async () => {
  const original = join(folder, 'original.db')
  const storage = await openStorage({ file: original })
  const ids = Array.from({ length: 12 }, (_, index) => `run-${index}`)
  for (const id of ids) {
    const cases = Array.from({ length: 20 }, (_, index) => `case ${index}`)
    await storage.createRun(header(id, { testSuiteSnapshot: { ...suite, description: id } }), cellsOf(cases, ['m']))
    for (const testCaseId of cases) {
      const key = cell(id, testCaseId, 'm')
      await answerCell(storage, key, { answer: plainAnswer(`${id} ${testCaseId} `.repeat(20)) })
      await storage.saveScore(key, { score: 0.5, notes: 'half' })
    }
    await storage.setRunStatus(id, 'completed', { completedAt: 1 })
  }
  await storage.saveLabel('run-0', { name: 'Kept', tags: ['a'] })
  await storage.saveDocument({ kind: 'suite', id: 'a', content: { name: 'A' } })
  await storage.close()
  whole = readFileSync(original)
  expect(whole.length / PAGE).toBeGreaterThan(60)
})

type Damage = (bytes: Buffer, random: () => number) => Buffer
const at = (bytes: Buffer, random: () => number) => Math.floor(random() * bytes.length)

const damages: Record<string, Damage> = {
  'one bit': (bytes, random) => {
    const place = at(bytes, random)
    bytes[place]! ^= 1 << Math.floor(random() * 8)
    return bytes
  },
  'a few bytes': (bytes, random) => {
    const place = at(bytes, random)
    for (let index = 0; index < 8; index++) bytes[place + index] = Math.floor(random() * 256)
    return bytes
  },
  'the head of a page': (bytes, random) => {
    const place = Math.floor(at(bytes, random) / PAGE) * PAGE
    for (let index = 0; index < 8; index++) bytes[place + index] = Math.floor(random() * 256)
    return bytes
  },
  'a sector of zeros': (bytes, random) => bytes.fill(0, at(bytes, random) & ~511, (at(bytes, random) & ~511) + 512),
  'a page of zeros': (bytes, random) => {
    const page = Math.floor(at(bytes, random) / PAGE)
    return bytes.fill(0, page * PAGE, (page + 1) * PAGE)
  },
  'two pages swapped': (bytes, random) => {
    const [first, second] = [1, 2].map(() => Math.max(1, Math.floor(at(bytes, random) / PAGE)) * PAGE)
    const copy = Buffer.from(bytes.subarray(first, first! + PAGE))
    bytes.copy(bytes, first!, second, second! + PAGE)
    copy.copy(bytes, second!)
    return bytes
  },
  'cut off at a page': (bytes, random) => bytes.subarray(0, Math.floor(at(bytes, random) / PAGE) * PAGE),
  'cut off anywhere': (bytes, random) => bytes.subarray(0, at(bytes, random)),
  'an older half': (bytes, random) => {
    const page = Math.floor(at(bytes, random) / PAGE)
    return Buffer.concat([bytes.subarray(0, page * PAGE), Buffer.alloc(bytes.length - page * PAGE)])
  },
}

/** What SQLite itself finds. */
function findBySqlite(path: string): string[] {
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  try {
    const database = new DatabaseSync(url, { readOnly: true })
    try {
      return database
        .prepare('PRAGMA integrity_check')
        .all()
        .map((row) => String(row['integrity_check']))
        .filter((line) => line !== 'ok')
    } finally {
      database.close()
    }
  } catch (error) {
    return [String(error)]
  }
}

function store(bytes: Buffer): void {
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(file, bytes, { mode: 0o600 })
}

/** Everything a program reads. It either works, or fails with words for a reader. */
async function readEverything(): Promise<'read' | 'refused'> {
  try {
    const storage = await openStorage({ file })
    try {
      for (const { id } of await storage.listRuns()) {
        await storage.loadRun(id)
        await storage.loadAttempts(id)
        await storage.loadOpenCells(id)
      }
      await storage.listDocuments('suite')
      return 'read'
    } finally {
      await storage.close()
    }
  } catch (error) {
    expect(error instanceof StorageError || error instanceof InputError, String(error)).toBe(true)
    return 'refused'
  }
}

describe('a damaged database file', () => {
  it.each(Object.entries(damages))(
    '%s: every fault that SQLite can find is found, and nothing crashes',
    async (name, damage) => {
      const random = createRandom(`damage ${name}`)
      let found = 0
      // Some damage falls on bytes that nothing uses.
      for (let trial = 0; trial < 4 || (found === 0 && trial < 60); trial++) {
        store(damage(Buffer.from(whole), random))
        const expected = findBySqlite(file)
        const { problems } = await examineStorage({ file })
        if (expected.length > 0) {
          found++
          expect(problems, `${name} ${trial}: ${expected[0]}`).not.toEqual([])
          await expect(refuseDamaged(file)).rejects.toThrow(StorageError)
        }
        expect(existsSync(file)).toBe(true)
        await readEverything()
      }
      expect(found).toBeGreaterThan(0)
    },
  )

  it('the commands name the fault, say what to do and exit with 2; none shows a part as the whole', async () => {
    const random = createRandom('damaged commands')
    let refused = 0
    for (const [name, damage] of Object.entries(damages)) {
      store(damage(Buffer.from(whole), random))
      if (findBySqlite(file).length === 0) continue
      refused++
      const copy = Buffer.from(readFileSync(file))
      const doctor = await runCli(['doctor', '--data', data])
      expect(doctor, name).toMatchObject({
        exitCode: 2,
        out: expect.stringMatching(/✗ Data .*benchmaker export RUN --damaged/s),
      })
      for (const args of [
        ['list'],
        ['list', '--json'],
        ['show', 'latest'],
        ['export', 'run-3'],
        ['compare', 'latest'],
      ]) {
        store(copy)
        const { exitCode, out, err } = await runCli([...args, '--data', data])
        expect({ exitCode, out }, `${name} ${args.join(' ')}: ${err}`).toEqual({ exitCode: 2, out: '' })
        expect(err).toMatch(/database .*(damaged|not an SQLite|another program|newer|unreadable)|not readable/)
      }
    }
    expect(refused).toBeGreaterThan(2)
  })

  it('what can still be read of a damaged database can be exported, marked as incomplete', async () => {
    // The last page of the file belongs to one of the later runs.
    const bytes = Buffer.from(whole)
    bytes.fill(0x5a, bytes.length - PAGE)
    store(bytes)
    expect((await runCli(['export', 'run-0', '--data', data])).exitCode).toBe(2)
    const { exitCode, out, err } = await runCli(['export', 'run-0', '--damaged', '--data', data])
    expect(err).toMatch(/parts of the run may be missing or wrong/)
    expect(exitCode).toBe(3)
    expect(JSON.parse(out).runs[0]).toMatchObject({ label: { name: 'Kept', tags: ['a'] } })
    expect(JSON.parse(out).runs[0].results).toHaveLength(20)
  })

  it('a text that was cut inside a column is found too, and so is a missing table', async () => {
    store(whole)
    const database = new DatabaseSync(file)
    database.exec(
      "UPDATE runs SET request = '{' WHERE id = 'run-3'; UPDATE suites SET content = 'x' WHERE name IS NOT NULL",
    )
    database.close()
    expect((await examineStorage({ file })).problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/1 rows? of runs ha.* unreadable request/),
        expect.stringMatching(/suites .*unreadable content/),
      ]),
    )
    store(whole)
    const other = new DatabaseSync(file)
    other.exec('PRAGMA foreign_keys = OFF; DROP TABLE answers; DELETE FROM cells WHERE id = 5')
    other.close()
    const { problems } = await examineStorage({ file })
    expect(problems).toEqual(expect.arrayContaining(['tables are missing: answers']))
    expect(problems.some((line) => /refer to missing rows/.test(line))).toBe(true)
  })

  it('a sound one has no problems, and neither has one that does not exist yet', async () => {
    store(whole)
    expect(await examineStorage({ file })).toEqual({ problems: [], runs: 12 })
    expect(await examineStorage({ file: join(folder, 'nowhere.db') })).toEqual({ problems: [], runs: 0 })
    expect(existsSync(join(folder, 'nowhere.db'))).toBe(false)
    const { exitCode, out } = await runCli(['doctor', '--data', data])
    expect(out).toMatch(/✓ Data .*nothing damaged, 12 runs, newest run-11/)
    expect(exitCode).toBe(0)
  })
})
