import { pathToFileURL } from 'node:url'
import { openSqliteStorage } from '../sqlite/sqlite-storage.ts'
import { cell, cellsOf, ended, header, plainAnswer, startAttempt } from './samples.ts'

/**
 * A separate program that writes to a database as the engine does, 20 cells at a time, and prints one line per settled
 * write. Arguments: file, run, number of cells.
 */
export const writerProgram = import.meta.filename

export const responseOf = (runId: string, testCaseId: string) => `answer of ${runId} to ${testCaseId} `.repeat(20)

async function writeCells(file: string, runId: string, cells: number): Promise<void> {
  const storage = await openSqliteStorage({ file })
  const cases = Array.from({ length: cells }, (_, index) => `case ${index}`)
  await storage.createRun(header(runId), cellsOf(cases, ['m']))
  process.stdout.write('created\n')
  const work = async () => {
    for (let testCaseId = cases.shift(); testCaseId !== undefined; testCaseId = cases.shift()) {
      const key = cell(runId, testCaseId, 'm')
      const id = await startAttempt(storage, key)
      process.stdout.write(`started ${id}\n`)
      await storage.saveAnswer(id, ended({ cost: 0.001 }), key, plainAnswer(responseOf(runId, testCaseId)))
      process.stdout.write(`answered ${testCaseId}\n`)
      await storage.saveScore(key, { score: 1 })
      process.stdout.write(`scored ${testCaseId}\n`)
    }
  }
  await Promise.all(Array.from({ length: 20 }, work))
  await storage.close()
}

const [program, file, runId, cells] = process.argv.slice(1)
if (program && file && runId && import.meta.url === pathToFileURL(program).href)
  await writeCells(file, runId, Number(cells))
