import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  buildReport,
  defineClient,
  defineScorer,
  executeRun,
  InputError,
  loadSuite,
  openStorage,
  parseSuite,
  rescoreRun,
  resumeRun,
  scoreResponse,
  writeReport,
} from '../../src/index.ts'

const startsWith = defineScorer({
  name: 'starts-with',
  expectedOutput: 'required',
  score: async ({ response, expectedOutput = '' }) => ({ score: response.startsWith(expectedOutput) ? 1 : 0 }),
})
const scorers = [startsWith]
const testCases = [{ id: 'a', prompt: 'Capital?', scoringMethod: 'starts-with', expectedOutput: 'Par' }]
const suite = { name: 'Starts', testCases }
const client = defineClient({ provider: 'mine', complete: async () => ({ response: 'Paris' }) })

describe("a user's scorer", () => {
  it('is available only to suites read with it', async () => {
    const text = JSON.stringify(suite)
    expect(parseSuite(text, 'suite.json', { scorers }).suite.testCases).toHaveLength(1)
    expect(() => parseSuite(text, 'suite.json')).toThrow(/no scoring method "starts-with"/)
    const folder = mkdtempSync(join(tmpdir(), 'benchmaker-scorers-'))
    writeFileSync(join(folder, 'suite.json'), text)
    expect((await loadSuite(join(folder, 'suite.json'), { scorers })).warnings).toEqual([])
    rmSync(folder, { recursive: true })
  })
  it('scores single answers and runs', async () => {
    expect((await scoreResponse(testCases[0]!, 'Parma', { scorers })).score).toBe(1)
    const run = await executeRun({ suite, models: ['m'], client, scorers })
    expect(run.results[0]?.score?.score).toBe(1)
    await expect(executeRun({ suite, models: ['m'], client })).rejects.toThrow(/no scoring method/)
  })
  it('is validated like ours: required fields must be present', async () => {
    const blank = { ...suite, testCases: [{ ...testCases[0]!, expectedOutput: ' ' }] }
    await expect(executeRun({ suite: blank, models: ['m'], client, scorers })).rejects.toThrow(
      /starts-with needs an expected output/,
    )
  })
  it('may not have the name of one of ours', async () => {
    const same = defineScorer({ name: 'boolean', score: () => ({ score: 1 }) })
    await expect(executeRun({ suite, models: ['m'], client, scorers: [same] })).rejects.toThrow(InputError)
    expect(() => parseSuite('{}', 'suite.json', { scorers: [same] })).toThrow(/already a scoring method "boolean"/)
  })
})

describe('a stored run', () => {
  it('can be resumed and rescored through the library', async () => {
    const storage = await openStorage({ file: ':memory:' })
    let isOpen = false
    const unreliable = defineClient({
      complete: async () => {
        if (!isOpen) throw new Error('closed')
        return { response: 'Paris' }
      },
    })
    const first = await executeRun({ suite, models: ['m'], client: unreliable, scorers, storage })
    expect(first.results).toMatchObject([{ outcome: 'error', error: 'closed', attempts: 1 }])

    isOpen = true
    const { run, retried } = await resumeRun(first.id, { client: unreliable, scorers, storage })
    expect([retried, run.status, run.results[0]?.score?.score]).toEqual([1, 'completed', 1])

    isOpen = false
    const changed = { ...suite, testCases: [{ ...testCases[0]!, expectedOutput: 'Lyon' }] }
    const rescored = await rescoreRun(first.id, { client: unreliable, scorers, storage, suite: changed })
    expect(rescored.run.results[0]?.score?.score).toBe(0)
    expect((await storage.loadRun(first.id))?.results[0]?.score?.score).toBe(1)
    await expect(resumeRun('none', { client: unreliable, storage })).rejects.toThrow(/no run none/)
    await storage.close()
  })
})

describe('a report', () => {
  it('can be written in our formats and in a custom one', async () => {
    const report = buildReport([await executeRun({ suite, models: ['m'], client, scorers })])
    expect(report.rows).toMatchObject([{ modelId: 'm', score: { mean: 1 } }])
    expect(writeReport(report, { format: 'csv' })).toMatch(/^run,suite,testCaseId.*\r\n[^,]+,Starts,a,/)
    expect(writeReport(report, { format: { write: ({ rows }) => rows.map(({ modelId }) => modelId) } })).toBe('m')
    expect(() => writeReport(report, { format: 'papyrus' })).toThrow(/no format papyrus/)
  })
})
