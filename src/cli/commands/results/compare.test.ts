import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import stringWidth from 'fast-string-width'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CellResult, RunResult, Suite } from '../../../contract/index.ts'
import { compareRuns } from '../../../report/comparing/compare-runs.ts'
import { runCli } from '../../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-compare-'))
afterAll(() => rmSync(folder, { recursive: true }))
const data = ['--data', join(folder, 'data')]
const compare = (...args: string[]) => runCli(['compare', ...args, ...data])
async function compareJson(...args: string[]) {
  const { exitCode, out, err } = await compare(...args, '--json')
  expect(exitCode, err).toBe(0)
  return JSON.parse(out)
}

const ids = Array.from({ length: 40 }, (_, index) => `case-${String(index).padStart(2, '0')}`)
const makeSuite = (idOf = (id: string) => id, prompt = (id: string) => `What is ${id}?`): Suite => ({
  name: 'Sums',
  testCases: ids.map((id) => ({ id: idOf(id), prompt: prompt(id), scoringMethod: 'exact-match', weight: 1 })),
})

function makeRun(
  id: string,
  models: Record<string, (index: number) => number | 'error' | undefined>,
  more: Partial<RunResult> = {},
): RunResult {
  const testSuiteSnapshot = more.testSuiteSnapshot ?? makeSuite()
  return {
    id,
    models: Object.keys(models),
    status: 'completed',
    startedAt: Date.UTC(2026, 10, 12, 14, 3),
    ...more,
    testSuiteSnapshot,
    results: Object.entries(models).flatMap(([modelId, answer]) =>
      testSuiteSnapshot.testCases.flatMap(({ id: testCaseId }, index): CellResult[] => {
        const score = answer(index)
        if (score === undefined) return []
        if (score === 'error') return [{ testCaseId, modelId, outcome: 'error', error: 'refused' }]
        return [{ testCaseId, modelId, outcome: 'ok', response: 'x', score: { score } }]
      }),
    ),
  }
}

const half = (index: number) => (index % 2 === 0 ? 1 : 0)
const most = (index: number) => (index % 8 === 0 ? 0 : 1)
const old = makeRun('old', { 'x:free': half, y: most })
const later = makeRun('later', { z: most }, { startedAt: Date.UTC(2026, 10, 19, 9, 30) })
const again = makeRun('again', { 'x:free': most, y: half }, { startedAt: Date.UTC(2026, 10, 20, 9, 30) })
const stopped = makeRun(
  'stopped',
  { y: (index) => (index < 18 ? 1 : index < 20 ? 'error' : undefined) },
  { status: 'cancelled' },
)
const edited = makeRun(
  'edited',
  { y: most },
  {
    testSuiteSnapshot: makeSuite(
      (id) => (id === 'case-05' ? 'five' : id),
      (id) => (id === 'case-07' ? 'Something else' : `What is ${id}?`),
    ),
  },
)
const odd = makeRun('odd:run', { __proto__: half }, {})

beforeAll(async () => {
  const oddRun = {
    ...odd,
    models: ['__proto__'],
    results: ids.map((testCaseId) => ({ testCaseId, modelId: '__proto__', score: { score: 1 } })),
  }
  writeFileSync(join(folder, 'runs.json'), JSON.stringify({ runs: [old, later, again, stopped, edited, oddRun] }))
  expect(await runCli(['import', join(folder, 'runs.json'), ...data])).toMatchObject({ exitCode: 0 })
})

describe('benchmaker compare', () => {
  it('compares models of runs that share none, by RUN:MODEL, even with a colon in the model', async () => {
    const { out, exitCode } = await compare('old:x:free', 'later:z')
    expect(exitCode).toBe(0)
    expect(out).toMatch(/z beats x:free by 38 points \(95 % CI \d+ to \d+\)\./)
    expect(out).toContain('\nx:free → z\n')
    expect(out).toContain('z is better on 20 cases, worse on 5, the same on 15.')
    expect(out).toMatch(/^ {2}case-00 +100\.0 ✓ +0\.0 ✗ +−100\.0 +passed → failed$/m)
    expect(out).toContain('… and 15 more; --cases lists all')
    expect((await compare('old:x:free', 'later:z', '--cases')).out).not.toContain('--cases lists all')
  })

  it('gives the figures of the shared function, the web app’s too', async () => {
    const { comparisons, changes } = await compareJson('old', 'again', '--smallest-difference', '5')
    const expected = compareRuns({ runs: [old] }, { runs: [again] }, { smallestDifference: 0.05 })
    expect(comparisons.map(({ paired }: { paired: unknown }) => paired)).toEqual(
      JSON.parse(JSON.stringify(expected.pairs.map(({ comparison }) => comparison!.paired))),
    )
    expect(changes).toMatchObject(
      expected.pairs.map(({ changes: { better, worse, same } }) => ({ better, worse, same })),
    )
    expect(changes[0].cases).toHaveLength(40)
  })

  it('tells the same model of two runs apart by the time of its run', async () => {
    const { scores, changes } = await compareJson('old', 'again', '--models', 'y')
    expect(Object.keys(scores).toSorted()).toEqual(['y · 12 Nov 14:03 UTC', 'y · 20 Nov 09:30 UTC'])
    expect(changes).toMatchObject([{ before: 'y · 12 Nov 14:03 UTC', after: 'y · 20 Nov 09:30 UTC' }])
    // The same minute: the run tells them apart.
    expect(Object.keys((await compareJson('old', 'stopped', '--models', 'y')).scores)).toEqual(
      expect.arrayContaining(['y · old', 'y · stopped']),
    )
  })

  it('compares two models of one run case by case if they are chosen', async () => {
    for (const args of [
      ['old', '--models', 'x:free,y'],
      ['old:x:free', 'old:y'],
    ])
      expect((await compare(...args)).out).toContain('\nx:free → y\n')
    expect((await compare('old')).out).not.toContain(' → ')
  })

  it('counts errors and cells that were not run as neither', async () => {
    const { out } = await compare('old:y', 'stopped:y')
    expect(out).toContain('3 got better, 0 got worse, 15 stayed the same.')
    expect(out).toContain('Not compared: 2 errors, 20 not run.')
  })

  it('leaves changed cases out and names them, and renamed ones', async () => {
    const { out } = await compare('old:y', 'edited')
    expect(out).toMatch(/1 case changed between the runs \(prompt\) and is left out of the comparison: case-07\./)
    expect(out).toContain('1 case has another id in the other run and is not compared: case-05 → five.')
    expect(out).toContain('0 got better, 0 got worse, 38 stayed the same.')
    expect((await compareJson('old:y', 'edited')).suiteChanges).toMatchObject({
      changed: { 'case-07': ['prompt'] },
      renamed: [{ from: 'case-05', to: 'five' }],
    })
    const all = await compare('old:y', 'edited', '--changed-too')
    expect(out).toContain('To compare changed cases all the same: --changed-too')
    expect(all.out).toContain('and is compared all the same: case-07.')
    expect(all.out).toContain('39 stayed the same.')
    // Also with three runs, where there are no two sides to list.
    expect((await compare('old:y', 'edited', 'again:y')).out).toContain('left out of the comparison: case-07.')
  })

  it('names what there is if a model or run is not found', async () => {
    for (const [args, message] of [
      [['old:nope', 'later'], 'run old has no model nope; it has x:free and y'],
      [['old', 'later', '--models', 'q'], 'none of the runs has the model q; they have x:free, y and z'],
      [['old', 'later', '--models', 'y'], 'run later has none of the models y; it has z'],
      [['nothing:y', 'later'], 'there is no run nothing'],
      [['old:y', 'old:y'], 'are the same run'],
    ] as const)
      expect(await compare(...args)).toMatchObject({ exitCode: 2, out: '', err: expect.stringContaining(message) })
  })

  it.each([40, 80, 120])('fits its list of cases into %d columns', async (columns) => {
    const { out } = await runCli(['compare', 'old:x:free', 'later:z', ...data], { columns })
    const list = out.slice(out.indexOf('x:free → z')).split('\n')
    expect(list.length).toBeGreaterThan(15)
    for (const line of list) expect(stringWidth(line), line).toBeLessThanOrEqual(columns)
    expect(list.some((line) => line.includes('passed → failed'))).toBe(columns > 40)
  })

  it('finds runs and models with hostile names', async () => {
    const { changes } = await compareJson('odd:run:__proto__', 'old:y')
    expect(changes).toMatchObject([{ before: '__proto__', after: 'y', better: 0, worse: 5, same: 35, lost: 5 }])
  })
})
