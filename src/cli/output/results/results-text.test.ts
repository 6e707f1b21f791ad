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
import { listReportFailures } from '../../../report/model/failures/failures.ts'
import { OUTPUT_LEVELS } from '../../options/run-options.ts'
import { drawResults, type ResultsTextOptions } from './results-text.ts'

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
const render = (columns: number, options: ResultsTextOptions = {}) =>
  drawResults(report, { ...terminal, columns }, { failures: listReportFailures(report), ...options })

/** The lines of the leaderboard. */
function readBoard(text: string): string[] {
  const lines = text.split('\n')
  const head = lines.findIndex((line) => /^Rank {2}Model/.test(line))
  return lines.slice(head + 1, lines.indexOf('', head))
}

describe('results in a terminal', () => {
  it.each([120, 80, 60, 40])('fit %i columns, line by line', (columns) => {
    for (const output of OUTPUT_LEVELS) {
      const wide = render(columns, { output, pairs: true })
        .split('\n')
        .filter((line) => stringWidth(line) > columns)
      expect([output, wide]).toEqual([output, []])
    }
  })
  it.each([120, 80, 60, 40])('tell models apart at %i columns, in one line each', (columns) => {
    const board = readBoard(render(columns))
    expect(board).toHaveLength(models.length)
    const names = board.map((line) => /^ *[\d–]+ {2}(.*?) {2,}/.exec(line)?.[1])
    expect(new Set(names).size).toBe(models.length)
    expect(names).not.toContain(undefined)
  })
  it('lose columns in one order as the terminal gets narrow: time, the interval, cost, the line, what passed', () => {
    const runs = makeRuns(['demo/good', 'demo/fair', 'demo/poor']).map((run) => ({
      ...run,
      status: 'completed' as const,
    }))
    const headAt = (columns: number) =>
      drawResults(buildReport(runs), { ...terminal, columns })
        .split('\n')
        .find((line) => line.startsWith('Rank'))!
        .replaceAll(/ {2,}/g, ' | ')
    const line = ' | 0 | 95 % CI | 100'
    expect(headAt(120)).toBe('Rank | Model | Score | 95 % CI | 0 | 50 | 100 | Passed | Behind by | Cost | Time | Lacks')
    expect(headAt(90)).toBe('Rank | Model | Score | 95 % CI | 0 | 50 | 100 | Passed | Behind by | Cost | Lacks')
    expect(headAt(84)).toBe(`Rank | Model | Score${line} | Passed | Behind by | Cost | Lacks`)
    expect(headAt(76)).toBe(`Rank | Model | Score${line} | Passed | Behind by | Lacks`)
    expect(headAt(66)).toBe('Rank | Model | Score | 95 % CI | Passed | Behind by | Lacks')
    expect(headAt(57)).toBe('Rank | Model | Score | 95 % CI | Behind by | Lacks')
  })
  it('say the verdict between two empty lines, then what the scores leave out, then what failed', () => {
    const text = render(120)
    const [header, verdict, board] = text.split('\n\n')
    expect(header).toMatch(/^A suite .* · 20 cases × 12 models × 2 runs · \$\d/)
    expect(board).toMatch(/^Rank {2}Model/)
    expect(verdict?.replaceAll(/\s+/g, ' ')).toMatch(/^Too close to call: between [^]* and [^]*\spoints\.$/)
    const places = ['Rank  Model', 'Stopped at its budget: ', 'Failed '].map((part) => text.indexOf(part))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
  })
  it('ask for no more data while some of the run is not run', () => {
    expect(render(120)).not.toContain('Next: ')
    const finished = makeRuns().map((run): RunResult => ({ ...run, status: 'completed' }))
    expect(drawResults(buildReport(finished), { ...terminal, columns: 120 })).toContain('\nNext: ')
  })
  it('name no test, no p and no method, unless all of it is wanted', () => {
    const hidden = /\bp [=<]|sign flips|Holm|Hedges|How these numbers/
    expect(render(100)).not.toMatch(hidden)
    expect(render(100, { output: 'full' })).toMatch(hidden)
  })
  it('are the verdict alone with quiet', () => {
    expect(render(100, { output: 'quiet' })).toMatch(/^Too close to call: .*\.\n$/)
  })
  it('show a few pairs and say how many there are; all of them with full', () => {
    const word = / {2}(?:beats|loses to|too close|same as) {2}/gm
    expect(render(100)).not.toMatch(word)
    expect(render(100, { pairs: true }).match(word)).toHaveLength(9)
    expect(render(100, { pairs: true })).toContain('… 46 more pairs: --output full')
    expect(render(100, { output: 'full' }).match(word)).toHaveLength(55)
  })
  it('say once, under all plans, how to test new cases', () => {
    const text = render(200, { output: 'full' }).replaceAll(/\s+/g, ' ')
    expect(text.match(/would detect an? /g)!.length).toBeGreaterThan(1)
    expect(text.split('How these numbers')[0]!.match(/Test new cases by themselves/g)).toHaveLength(1)
    expect(text).toContain('or run until decided')
  })
})

describe('results in a pipe', () => {
  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-pipe-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  it('are 100 columns wide, or as wide as COLUMNS says, and in ASCII where the locale is', async () => {
    const file = join(folder, 'runs.json')
    writeFileSync(file, JSON.stringify({ runs: makeRuns() }))
    const data = ['--data', join(folder, 'data')]
    await runCli(['import', file, ...data])
    const show = async (env: Record<string, string>) => {
      const args = [builtProgram, 'show', '20261116-080000-one', '--cases', ...data]
      const { COLUMNS: _none, ...own } = process.env
      const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8, env: { ...own, ...env } })
      return stdout
    }
    const widest = (text: string) => Math.max(...text.split('\n').map((line) => stringWidth(line)))
    const [plain, narrow, ascii] = [await show({}), await show({ COLUMNS: '70' }), await show({ LC_ALL: 'C' })]
    expect([widest(plain), widest(narrow)]).toEqual([100, 70])
    expect(plain).toMatch(/a person rated it \d+\.\d: “too long”/)
    expect(plain).toContain(' · ')
    expect(ascii).not.toMatch(/[●├─┤┊·–−×…✓✗]/)
  })
})
