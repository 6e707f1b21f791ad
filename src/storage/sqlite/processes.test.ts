import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StorageError } from '../../contract/index.ts'
import { openSqliteStorage } from './sqlite-storage.ts'
import { answerCell, cell, createSample, startAttempt } from '../testing/samples.ts'
import { responseOf, writerProgram } from '../testing/writer-process.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-processes-'))
  file = join(folder, 'runs.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Returns what a writer reports as stored, until it ends or is killed after the given number of lines. */
async function runWriter({ runId, cells, killAfterLines }: { runId: string; cells: number; killAfterLines?: number }) {
  const child = spawn(process.execPath, [writerProgram, file, runId, String(cells)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (killAfterLines !== undefined && output.split('\n').length > killAfterLines) child.kill('SIGKILL')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  await once(child, 'close')
  // The kill may cut the last line: a line counts only if its end was printed.
  const lines = output.split('\n').slice(0, -1)
  const reported = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
  return {
    exitCode: child.exitCode,
    errors,
    lines,
    started: reported('started').map(Number),
    answered: reported('answered'),
    scored: reported('scored'),
  }
}

describe('processes on one SQLite file', () => {
  it('two real processes write at once and nothing is lost', async () => {
    const cells = 400
    const writers = await Promise.all(['one', 'two'].map((runId) => runWriter({ runId, cells })))
    for (const { errors, exitCode } of writers) expect({ errors, exitCode }).toEqual({ errors: '', exitCode: 0 })
    const storage = await openSqliteStorage({ file })
    for (const runId of ['one', 'two']) {
      const results = (await storage.loadRun(runId))?.results ?? []
      expect(results.map(({ response }) => response)).toEqual(
        Array.from({ length: cells }, (_, index) => responseOf(runId, `case ${index}`)),
      )
      expect(await storage.loadAttempts(runId)).toHaveLength(cells)
    }
    expect((await storage.listRuns()).map(({ cost }) => cost)).toEqual([0.4, 0.4])
    await storage.close()
  })

  it('of two real processes that save after the same version, exactly one succeeds, every time', async () => {
    await (await openSqliteStorage({ file })).close()
    const versions = 60
    const script = `
      const { openSqliteStorage } = await import(${JSON.stringify(import.meta.resolve('./sqlite-storage.ts'))})
      const storage = await openSqliteStorage({ file: ${JSON.stringify(file)} })
      for (let after = 0; after < ${versions}; ) {
        const error = await storage.saveDocument({ kind: 'suite', id: 'a', content: process.pid }, { after }).then(() => undefined, (thrown) => thrown)
        if (error && error.name !== 'VersionConflict') throw error
        if (!error) console.log('won ' + (after + 1))
        after = error ? error.currentVersion : after + 1
      }
      await storage.close()`
    const outputs = await Promise.all(
      [1, 2].map(async () => {
        const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        let output = ''
        child.stdout.on('data', (chunk: Buffer) => {
          output += chunk.toString()
        })
        await once(child, 'close')
        return { pid: child.pid, won: [...output.matchAll(/won (\d+)/g)].map(([, version]) => Number(version)) }
      }),
    )
    expect(outputs.flatMap(({ won }) => won).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: versions }, (_, index) => index + 1),
    )
    const storage = await openSqliteStorage({ file })
    for (const { pid, won } of outputs)
      for (const version of won) expect((await storage.loadDocument('suite', 'a', version))?.content).toBe(pid)
    await storage.close()
  })

  it.each([3, 70, 333, 900, 1500])(
    'kill -9 after about %i settled writes loses none of them',
    async (killAfterLines) => {
      const { started, answered, scored, lines } = await runWriter({
        runId: 'run',
        cells: 2000,
        killAfterLines: killAfterLines + Math.floor(Math.random() * 50),
      })
      expect(lines.length).toBeGreaterThanOrEqual(killAfterLines)
      expect(scored.length).toBeLessThan(2000)
      const storage = await openSqliteStorage({ file })
      const attempts = new Set((await storage.loadAttempts('run')).map(({ id }) => id))
      expect(started.filter((id) => !attempts.has(id))).toEqual([])
      const results = new Map((await storage.loadRun('run'))?.results.map((result) => [result.testCaseId, result]))
      const open = new Map((await storage.loadOpenCells('run')).map((entry) => [entry.cell.testCaseId, entry]))
      expect(results.size + open.size).toBe(2000)
      for (const testCaseId of scored)
        expect(results.get(testCaseId)).toMatchObject({ score: { score: 1 }, response: responseOf('run', testCaseId) })
      for (const testCaseId of answered)
        expect(results.get(testCaseId)?.response ?? open.get(testCaseId)?.answer?.response).toBe(
          responseOf('run', testCaseId),
        )
      await storage.close()
      const database = new DatabaseSync(file)
      expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
      database.close()
    },
  )

  it('waits for a lock that another process holds for a while; reads do not wait', async () => {
    const storage = await openSqliteStorage({ file })
    await createSample(storage, 'run')
    const holder = holdLock(400)
    await holder.locked
    const attempt = startAttempt(storage, cell('run'))
    expect(await storage.loadAttempts('run')).toEqual([])
    const id = await attempt
    expect((await storage.loadAttempts('run')).map((stored) => stored.id)).toEqual([id])
    await holder.released
    await storage.close()
  })

  it('a lock held longer than the timeout is reported as such; stored data stays and writing continues', async () => {
    const storage = await openSqliteStorage({ file, lockTimeoutMs: 150 })
    await createSample(storage, 'run')
    const holder = holdLock(5000)
    await holder.locked
    const settled = await Promise.allSettled([
      startAttempt(storage, cell('run')),
      storage.saveError(cell('run'), 'error', 'x'),
    ])
    for (const result of settled) {
      expect(result.status === 'rejected' && result.reason).toBeInstanceOf(StorageError)
      expect(String(result.status === 'rejected' && result.reason)).toMatch(
        /is locked by another program: close that program, or wait/,
      )
    }
    await expect(openSqliteStorage({ file, lockTimeoutMs: 50 })).rejects.toThrow(/is locked by another program/)
    holder.release()
    await holder.released
    await answerCell(storage, cell('run'))
    expect(await storage.loadAttempts('run')).toHaveLength(1)
    await storage.close()
  })
})

/** Starts a process that takes the write lock and holds it for the given time. */
function holdLock(milliseconds: number) {
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    const database = new DatabaseSync(${JSON.stringify(file)})
    database.exec('BEGIN IMMEDIATE')
    process.stdout.write('locked')
    setTimeout(() => database.close(), ${milliseconds})`
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { locked: once(child.stdout, 'data'), released: once(child, 'close'), release: () => child.kill('SIGKILL') }
}
