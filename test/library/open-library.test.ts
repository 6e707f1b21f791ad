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

describe('a custom scorer that returns something else than a score', () => {
  const circular: Record<string, unknown> = { score: 1 }
  circular['self'] = circular
  it.each<[string, unknown, string]>([
    ['true', { score: true }, 'returned the score true; it must return { score } from 0 to 1'],
    ['false', { score: false }, 'the score false'],
    ['a list', { score: [0.5] }, 'the score a list'],
    ['a date', { score: new Date(0) }, 'the score an object'],
    ['an object without a prototype', { score: Object.create(null) }, 'the score an object'],
    ['null', { score: null }, 'the score null'],
    ['an empty text', { score: '' }, 'the score ""'],
    ['a number as text', { score: '1' }, 'the score "1"'],
    ['not a number', { score: Number.NaN }, 'the score NaN'],
    ['nothing', undefined, 'returned undefined'],
    ['notes that are no text', { score: 1, notes: { a: 1 } }, 'returned notes that cannot be stored'],
    ['a confidence as text', { score: 1, confidence: '1' }, 'returned confidence that cannot be stored'],
    ['an infinite raw score', { score: 1, rawScore: Infinity }, 'returned rawScore that cannot be stored'],
    ['a pass as text', { score: 1, passed: 'yes' }, 'returned passed that cannot be stored'],
    [
      'a judge without a grade',
      { score: 1, judges: [{ judgeModelId: 'j' }] },
      'returned judges.0.score that cannot be stored',
    ],
    ['a value that JSON does not have', { score: 1, big: 1n }, 'returned a result that cannot be stored'],
    ['a value that contains itself', circular, 'returned a result that cannot be stored'],
  ])('%s: the cell is unscored, in checks too, and the run goes on', async (_, result, message) => {
    const odd = defineScorer({ name: 'odd', score: () => result as never })
    const oddSuite = {
      name: 'Odd',
      testCases: [
        { id: 'odd', prompt: '?', scoringMethod: 'odd' },
        { id: 'checks', prompt: '?', checks: [{ scoringMethod: 'odd' }] },
        ...testCases,
      ],
    }
    const run = await executeRun({ suite: oddSuite, models: ['m'], client, scorers: [odd, startsWith] })
    const unscored = { code: 'scoring-failed', message: expect.stringContaining(message) }
    expect(run.results).toMatchObject([{ unscored }, { unscored }, { score: { score: 1 } }])
    expect(buildReport(run).rows[0]).toMatchObject({ modelId: 'm' })
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
