import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import stringWidth from 'fast-string-width'
import { afterAll, describe, expect, it } from 'vitest'
import type { CellResult, RunResult } from '../../../contract/index.ts'
import { buildReport } from '../../../report/index.ts'
import { createRandom } from '../../../statistics/index.ts'
import { builtProgram } from '../../testing/built-program.ts'
import { runCli } from '../../testing/run-cli.ts'
import { drawResults } from './results-text.ts'

const models = [
  'demo/good',
  'openai/gpt-4o-mini-2024-07-18',
  'meta-llama/llama-3.1-8b-instruct-turbo-fp16-preview',
  'meta-llama/llama-3.1-70b-instruct-turbo-fp16-preview',
  'qwen/通义千问大模型-最新版本-超长名称-甲',
  'qwen/通义千问大模型-最新版本-超长名称-乙',
  'anthropic/claude-sonnet-4@variant-with-a-long-prompt-a',
  'anthropic/claude-sonnet-4@variant-with-a-long-prompt-b',
  'x/👩‍👩‍👧‍👦👩‍👩‍👧‍👦',
  'local/a',
  'local/b',
  'never/answers',
]

/** Twelve models, 20 cases, of which the last five were not run; errors, ratings and a series of two runs. */
function makeRuns(names = models): RunResult[] {
  const random = createRandom('terminal')
  const testCases = Array.from({ length: 20 }, (_, index) => ({
    id: `case-${index}`,
    prompt: '?',
    scoringMethod: 'exact-match',
    weight: 1,
  }))
  return ['one', 'two'].map((id) => ({
    id: `20261116-080000-${id}`,
    seriesId: 'series',
    models: names,
    testSuiteName: 'A suite with a long name · 名字很长的测试套件',
    status: 'cancelled',
    stopReason: 'budget',
    testSuiteSnapshot: { name: 'A suite with a long name · 名字很长的测试套件', testCases },
    results: testCases.slice(0, 15).flatMap(({ id: testCaseId }, index) =>
      names.map((modelId, model): CellResult => {
        const cell = { testCaseId, modelId }
        if (modelId === 'never/answers' || index === model)
          return { ...cell, outcome: 'timeout', error: `no answer within 120 s ${'and so on '.repeat(20)}` }
        return {
          ...cell,
          outcome: 'ok',
          response: 'x',
          latencyMs: 1000 * random(),
          cost: 0.01 * random(),
          score: { score: Math.max(0, 0.9 - 0.07 * model) * random() ** 0.2 },
          ...(index === 3 && { rating: { rating: random(), note: 'too long' } }),
        }
      }),
    ),
  }))
}

const terminal = { stdout: { write() {} }, stderr: { write() {} }, colour: false, progress: false }
const report = buildReport(makeRuns(), { runsNotStarted: 1 })
const render = (columns: number) => drawResults(report, { ...terminal, columns })

/** The lines of the leaderboard. */
function readBoard(text: string): string[] {
  const lines = text.split('\n')
  const head = lines.findIndex((line) => /^ *# {2}Model/.test(line))
  return lines.slice(
    head + 1,
    lines.findIndex((line, index) => index > head && /^(Left out|Total cost|$)/.test(line)),
  )
}

describe('results in a terminal', () => {
  it.each([120, 80, 60, 40])('fit %i columns, line by line', (columns) => {
    const wide = render(columns)
      .split('\n')
      .filter((line) => stringWidth(line) > columns)
    expect(wide).toEqual([])
  })
  it.each([120, 80, 60, 40])('tell models apart at %i columns', (columns) => {
    const board = readBoard(render(columns))
    const isStacked = board.length === 2 * models.length
    expect(isStacked || board.length === models.length).toBe(true)
    const names = board
      .filter((_, index) => !isStacked || index % 2 === 0)
      .map((line) => /^ *[\d–]+ {2}(.*?) {2,}/.exec(line)?.[1])
    expect(new Set(names).size).toBe(models.length)
    expect(names).not.toContain(undefined)
  })
  it('takes two lines per model at 40 columns, with score, interval and what passed, and names what it leaves out', () => {
    const text = render(40)
    const [first = '', second = ''] = readBoard(text)
    expect(first).toMatch(/^ *1–\d+ {2}demo\/good +\d\d\.\d$/)
    expect(second).toMatch(/^ +\d+\.\d to \d+\.\d · passed \d+\/\d+ · n \d+$/)
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(/Left out for lack of room: unscored, not run, cost and latency\./)
  })
  it('needs one line per model at 80 columns if names are short, without leaving anything out', () => {
    const runs = makeRuns(['demo/good', 'demo/fair', 'demo/poor']).map((run) => ({
      ...run,
      status: 'completed' as const,
    }))
    const text = drawResults(buildReport(runs), { ...terminal, columns: 80 })
    expect(text).toMatch(/^ *# {2}Model +Score +95 % CI +Passed +n +Unscored +Cost +Latency$/m)
    expect(readBoard(text)).toHaveLength(3)
    expect(text).not.toContain('Left out')
  })
  it('say first why the run stopped, then who leads', () => {
    const text = render(200)
    const stop = text.indexOf('Stopped at its budget: the next request could have exceeded it; 60 of 240 cells not run')
    const lead = text.indexOf('No clear winner: ')
    expect(stop).toBeGreaterThan(0)
    expect(lead).toBeGreaterThan(stop)
    expect(text.indexOf('Model')).toBeGreaterThan(lead)
    expect(text).toContain('1 more run of its series not started.')
  })
  it('show a few pairs and say how many there are', () => {
    expect(render(100).match(/^ {2}[≠≈] /gm)).toHaveLength(12)
    expect(render(100)).toContain('… and 43 more pairs')
  })
  it('say once, under all plans, how to test new cases', () => {
    const text = render(200).replaceAll(/\s+/g, ' ')
    expect(text.match(/would detect an? /g)!.length).toBeGreaterThan(1)
    expect(text.match(/Test new cases by themselves/g)).toHaveLength(1)
    expect(text.lastIndexOf('would detect a')).toBeLessThan(text.indexOf('Test new cases by themselves'))
    expect(text).toContain('or by the sequential test (run with --until decided')
  })
})

describe('results in a pipe', () => {
  it('cut nothing: every name, message and pair', () => {
    const text = render(Infinity)
    expect(text).not.toContain('…')
    for (const model of models) expect(text).toContain(model)
    expect(text.match(/^ {2}[≠≈] /gm)).toHaveLength(55)
    expect(text).toContain('and so on '.repeat(20).trim())
  })

  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-pipe-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  it('are whole when a real process writes to one', async () => {
    const file = join(folder, 'runs.json')
    writeFileSync(file, JSON.stringify({ runs: makeRuns() }))
    const data = ['--data', join(folder, 'data')]
    await runCli(['import', file, ...data])
    const show = [builtProgram, 'show', '20261116-080000-one', '--cases', ...data]
    const { stdout } = await promisify(execFile)(process.execPath, show, { maxBuffer: 1e8 })
    expect(stdout).not.toContain('…')
    for (const model of models) expect(stdout).toMatch(new RegExp(`^ *[\\d–]+ {2}${model}`, 'm'))
    expect(stdout).toMatch(/a person rated it \d+\.\d: “too long”/)
    expect(stdout).toContain('not run')
    const { out: listed } = await runCli(['list', ...data], { columns: Infinity })
    expect(listed).toContain('A suite with a long name · 名字很长的测试套件')
  })
})
