import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import type { CellResult, RunResult, Suite } from '../../contract/index.ts'
import { aggregateScores, compareAllModels, multiRunStats, summariseMissing } from '../../statistics/index.ts'
import { parseRunFile } from '../../import/results/run-file.ts'
import { writeReport } from '../formats.ts'
import { buildReport } from '../model/report.ts'
import { buildSummary } from '../model/summary.ts'
import { formatReportLine } from '../words/index.ts'
import { writeCsv } from './csv.ts'
import { writeHtml } from './html/html.ts'
import { writeJson, makeRunDocument } from './json.ts'
import { escapeXml, writeJunit } from './junit.ts'
import { escapeMarkdown, writeMarkdown } from './markdown.ts'

const suite: Suite = {
  name: 'Suite',
  testCases: ['a', 'b', 'c'].map((id, index) => ({
    id,
    prompt: `Prompt ${id}`,
    expectedOutput: 'x',
    scoringMethod: 'exact-match',
    weight: index + 1,
    metadata: { category: 'facts', tags: ['t', 'u'] },
  })),
}

const cell = (modelId: string, testCaseId: string, score: number, more: Partial<CellResult> = {}): CellResult => ({
  modelId,
  testCaseId,
  outcome: 'ok',
  response: `answer ${testCaseId}`,
  score: { score, notes: 'note' },
  latencyMs: 1000 * score + 500,
  cost: 0.1,
  attempts: 1,
  ...more,
})

const run = (id: string, results: CellResult[]): RunResult => ({
  id,
  testSuiteName: 'Suite',
  testSuiteSnapshot: suite,
  models: ['good', 'poor', 'dead'],
  startedAt: Date.UTC(2026, 10, 15, 3, 24),
  status: 'completed',
  results,
})

const first = run('run-1', [
  cell('poor', 'a', 0),
  cell('poor', 'b', 0.2),
  {
    modelId: 'poor',
    testCaseId: 'c',
    outcome: 'ok',
    response: 'x',
    unscored: { code: 'regex-timeout', message: 'stopped' },
  },
  cell('good', 'a', 1),
  cell('good', 'b', 0.9, { cost: 0.2 }),
  cell('good', 'c', 1),
  { modelId: 'dead', testCaseId: 'a', outcome: 'error', error: '401 no such key' },
  { modelId: 'dead', testCaseId: 'b', outcome: 'cancelled' },
])
const second = {
  ...first,
  id: 'run-2',
  results: first.results.map((result) =>
    result.modelId === 'good' && result.testCaseId === 'b' ? cell('good', 'b', 0.1) : result,
  ),
}

describe('a report', () => {
  const report = buildReport([first])
  it('takes its numbers from src/statistics, over the cases that all models with scores have', () => {
    const shared = { ...first, results: first.results.filter(({ testCaseId }) => testCaseId !== 'c') }
    const stats = multiRunStats([shared]).get('good')!
    const aggregate = aggregateScores(shared).get('good')!
    expect(report.rows[0]).toEqual({
      modelId: 'good',
      rank: { best: 1, worst: 2 },
      score: {
        mean: stats.mean,
        low: Math.max(0, stats.overCases.low - report.leader!.luck),
        high: stats.overCases.high,
        method: stats.overCases.method,
        stdDev: aggregate.stdDev,
        n: 2,
        clusters: 2,
        count: 2,
        passed: 1,
        passRate: aggregate.passRate,
        passRateConfidence95: aggregate.passRateConfidence95,
      },
      own: {
        mean: aggregateScores(first).get('good')!.mean,
        count: 3,
        lacks: 0,
        of: 3,
        boundsWithMissing: [expect.closeTo(29 / 30), expect.closeTo(29 / 30)],
      },
      unscored: 0,
      errors: 0,
      notRun: 0,
      cost: { total: 0.4, unknown: 0 },
      isCostKnown: true,
      medianLatencyMs: 1500,
      isSimulated: false,
    })
    const [compared] = compareAllModels([first])
    const { mean: meanB } = aggregateScores(first).get('poor')!
    expect(report.comparisons.map(({ comparison }) => comparison)).toEqual([
      { ...compared, meanA: stats.mean, meanB, scoreDiff: stats.mean - meanB },
    ])
    expect(report.missing).toEqual(summariseMissing([first]))
  })
  it('puts a model without a score last instead of leaving it out', () => {
    expect(report.rows.map(({ modelId, score }) => [modelId, score !== undefined])).toEqual([
      ['good', true],
      ['poor', true],
      ['dead', false],
    ])
    expect(report.rows[2]).toMatchObject({ errors: 1, notRun: 1, unscored: 0 })
  })
  it('lists cases in suite order and cells in leaderboard order; unscored is not a number', () => {
    expect(report.cases.map(({ id, cells }) => [id, cells.map(({ mean }) => mean)])).toEqual([
      ['a', [1, 0, undefined]],
      ['b', [0.9, 0.2, undefined]],
      ['c', [1, undefined, undefined]],
    ])
  })
  it('has the reporting lines of a series and the cases that passed in some runs only', () => {
    const lenient = { ...suite, passAt: 0.9 }
    const { series, rows } = buildReport([first, second].map((each) => ({ ...each, testSuiteSnapshot: lenient })))
    expect(series[0]).toMatchObject({ modelId: 'good', repeats: { flaky: ['b'] } })
    expect(formatReportLine('good', series[0]!)).toMatch(/^good: \d+\.\d ± \d+\.\d \(95% CI: \[\d+\.\d, \d+\.\d\]\)$/)
    expect(rows[0]?.score?.stdDev).toBe(series[0]!.stdDev)
    const whole = [first, second].map((each) => ({
      ...each,
      results: each.results.filter(({ modelId }) => modelId === 'good'),
    }))
    expect(buildReport(whole).rows[0]?.score?.stdDev).toBe(multiRunStats([first, second]).get('good')!.stdDev)
  })
  it('does not show an unknown cost as 0, and prefers the cost that storage recorded', () => {
    expect(report.cost).toEqual({ total: 0.6, unknown: 1 })
    expect(buildReport([first], { cost: { total: 5, unknown: 0 } }).cost.total).toBe(5)
  })
  it('adds money exactly: a hundred times ten cents is ten dollars', () => {
    const many = run(
      'm',
      Array.from({ length: 100 }, (_, index) => cell('good', `case-${index}`, 1)),
    )
    expect(buildReport([many]).cost.total).toBe(10)
  })
  it('needs at least one run', () => expect(() => buildReport([])).toThrow(/at least one run/))
})

describe('JSON', () => {
  it('has runs, scores with unscored and errors, comparisons and cost, and series if there are several runs', () => {
    const document = JSON.parse(writeJson(buildReport([first])))
    expect(Object.keys(document)).toEqual([
      'runs',
      'scores',
      'shared',
      'comparisons',
      'groups',
      'nextStep',
      'cost',
      'unknownCosts',
    ])
    const { missing: _missing, ...figures } = aggregateScores(first).get('poor')!
    const { mean, boundsWithMissing } = figures
    expect(document.scores.poor).toEqual({
      ...figures,
      own: { mean, count: 2, lacks: 1, of: 3, boundsWithMissing },
      unscored: 1,
      errors: 0,
      notRun: 0,
      missingReasons: { 'regex-timeout': 1 },
    })
    expect(document.scores.dead).toMatchObject({
      mean: null,
      count: 0,
      errors: 1,
      notRun: 1,
      missingReasons: { error: 1, 'not-run': 1 },
    })
    expect(document.comparisons).toHaveLength(1)
    const whole = [first, second].map((each) => ({
      ...each,
      results: each.results.filter(({ modelId }) => modelId === 'good'),
    }))
    expect(JSON.parse(writeJson(buildReport(whole))).series.good).toMatchObject(
      multiRunStats([first, second]).get('good')!,
    )
  })
  it('can be read back as the same runs', () => {
    expect(parseRunFile(writeJson(buildReport([first, second])), 'r.json')).toEqual(
      [first, second].map((stored) => ({ kind: 'suite', ...stored })),
    )
  })
  it('changes no prototype for a model named __proto__', () => {
    const report = buildReport([run('r', [cell('__proto__', 'a', 1)])])
    expect(Object.keys(Object(makeRunDocument(report)['scores']))).toContain('__proto__')
    expect(parseRunFile(writeJson(report), 'r.json')[0]?.results[0]?.modelId).toBe('__proto__')
  })
})

describe('CSV', () => {
  it('has one row per cell, and numbers as numbers', () => {
    const { data } = Papa.parse<Record<string, string>>(writeCsv(buildReport([first])).trimEnd(), { header: true })
    expect(data).toHaveLength(8)
    expect(data[0]).toMatchObject({
      run: 'run-1',
      suite: 'Suite',
      testCaseId: 'a',
      category: 'facts',
      tags: 't; u',
      scoringMethod: 'exact-match',
      weight: '1',
      modelId: 'good',
      outcome: 'ok',
      score: '1',
      latencyMs: '1500',
      cost: '0.1',
      response: 'answer a',
    })
    expect(data.find(({ modelId, testCaseId }) => modelId === 'poor' && testCaseId === 'c')).toMatchObject({
      score: '',
      unscoredCode: 'regex-timeout',
      unscoredMessage: 'stopped',
    })
  })
  it.each([
    ['=1+1', "'=1+1"],
    ['+1 and more', "'+1 and more"],
    ['-cmd|calc', "'-cmd|calc"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['first\n=1', "first\n'=1"],
    ['first;=1', "first;'=1"],
    [' =1', "' =1"],
    ['＝1+1', "'＝1+1"],
    ['-5', '-5'],
    ['-1.5e3', '-1.5e3'],
    ['a=1', 'a=1'],
    ['"=1', '\'"=1'],
  ])('%j is escaped so that no spreadsheet runs it', (response, written) => {
    const { data } = Papa.parse<Record<string, string>>(
      writeCsv(buildReport([run('r', [cell('m', 'a', 1, { response })])])).trimEnd(),
      { header: true },
    )
    expect(data[0]?.['response']).toBe(written)
  })
  it('has no formula in a locale that separates cells by semicolons or tabs, where quotes mean nothing', () => {
    const response = 'a;=1+1\n=2+2;"=3"\r\n\t@x; -cmd|calc'
    const text = writeCsv(buildReport([run('r', [cell('m', 'a', 1, { response })])]))
    for (const part of text.split(/[;\t\r\n]/)) expect(part).not.toMatch(/^["\s]*[=+\-@]/)
  })
  it('has no field that starts like a formula, except numbers', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('=', '+', '-', '@', '\t', ''), (text, sign) => {
        const response = sign + text
        const { data } = Papa.parse<string[]>(
          writeCsv(buildReport([run(`${sign}r`, [cell(`${sign}m${text}`, 'a', 1, { response })])])).slice(0, -2),
        )
        for (const field of data.flat())
          if (!/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(field)) expect(field).not.toMatch(/^[=+\-@\t\r]/)
      }),
      { numRuns: 50 },
    )
  })
})

describe('Markdown', () => {
  it('has as many cells in each table row as in its header', () => {
    const text = writeMarkdown(buildReport([first, second]))
    expect(text).toContain('| 1–2 | good | **')
    expect(text).toContain('- poor: 2 of 6 cells without a score (2 × regex-timeout)')
    const cellsOf = (line: string) => line.replaceAll(/\\./g, '').split('|').length
    for (const block of text.split('\n\n').filter((part) => part.startsWith('|')))
      expect(new Set(block.trim().split('\n').map(cellsOf)).size).toBe(1)
  })
  it.each([
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['a | b\nc', 'a \\| b c'],
    ['[x](javascript:y) **b** `c`', '\\[x\\](javascript:y) \\*\\*b\\*\\* \\`c\\`'],
    ['see https://example.org', 'see https:\\/\\/example.org'],
    ['thanks @octocat', 'thanks @\u2060octocat'],
    ['model@variant', 'model@variant'],
    ['\u001b[31mred', '\\[31mred'],
  ])('%j is plain text', (text, escaped) => expect(escapeMarkdown(text)).toBe(escaped))
  it('keeps an answer inside its table cell', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('|', '\\', '\n', '`', '<', 'a', '\r', '\u2028') }), (response) => {
        const text = writeMarkdown(buildReport([run('r', [cell('m', 'a', 1, { response })])]))
        const rows = text.split('\n').filter((line) => line.startsWith('| a | m |'))
        expect(rows).toHaveLength(1)
        expect(rows[0]!.replaceAll(/\\./g, '').split('|')).toHaveLength(6)
      }),
    )
  })
})

/** Checks that XML is well formed: tags balance, attributes are quoted, & starts an entity. */
function checkXml(text: string): void {
  const open: string[] = []
  const rest = text
    .replace(/^<\?xml [^>]*\?>/, '')
    .replaceAll(/<(\/?)([a-z-]+)((?:\s+[a-zA-Z0-9]+="[^"<>]*")*)\s*(\/?)>/g, (_, closing, name, attributes, alone) => {
      expect(attributes).not.toMatch(/&(?!(?:amp|lt|gt|quot|apos|#\d+);)/)
      if (closing) expect(open.pop()).toBe(name)
      else if (!alone) open.push(name)
      return ''
    })
  expect(open).toEqual([])
  expect(rest).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/)
}

describe('a run that was cut short', () => {
  const cut: RunResult = { ...run('cut', [cell('good', 'a', 1)]), models: ['good', 'poor'], status: 'cancelled' }
  const report = buildReport([cut])
  it('counts every cell it did not reach as not run, never as an error', () => {
    expect(report.rows.map(({ notRun, errors, unscored }) => [notRun, errors, unscored])).toEqual([
      [2, 0, 0],
      [3, 0, 0],
    ])
    const sentence = 'Stopped before it finished; 5 of 6 cells not run'
    expect(report.unfinished).toEqual([{ runId: 'cut', state: 'stopped', cells: 5, sentence }])
  })
  it('keeps them in the counts of the statistics', () => {
    expect(
      report.missing.map(({ modelId, cells, errors, notRun, reasons }) => [modelId, cells, errors, notRun, reasons]),
    ).toEqual([
      ['good', 3, 0, 2, { 'not-run': 2 }],
      ['poor', 3, 0, 3, { 'not-run': 3 }],
    ])
    expect(report.missing[0]!.boundsWithMissing).toEqual([1 / 6, 1])
    expect(buildSummary([cut]).missing).toEqual(report.missing)
  })
  it('shows them in every format', () => {
    const document = JSON.parse(writeJson(report))
    expect(document.runs[0].results).toHaveLength(6)
    expect(document.scores.good).toMatchObject({ count: 1, errors: 0, notRun: 2, missingReasons: { 'not-run': 2 } })
    expect(document.unfinished).toEqual(report.unfinished)
    const stop = 'Stopped before it finished; 5 of 6 cells not run'
    for (const text of [writeMarkdown(report), writeHtml(report), writeJunit(report), writeCsv(report)]) {
      expect(text).toContain(stop)
      expect(text).not.toContain('× cancelled')
    }
    for (const text of [writeMarkdown(report), writeHtml(report)]) {
      expect(text).toContain('2 of 3 cells not run; its mean would be')
      expect(text).toContain('none of its 3 cells was run')
      expect(text).toContain('Not run')
    }
    expect(writeMarkdown(report)).toContain('| b | facts | not run | not run |')
    const { data } = Papa.parse<Record<string, string>>(writeCsv(report).trim(), { header: true })
    expect(data.map((row) => row['state'])).toEqual(['scored', ...Array<string>(5).fill('not run')])
  })
  it('is one error in JUnit, and the cells that it did not ask are skipped', () => {
    const text = writeJunit(report)
    checkXml(text)
    expect(text).toContain('tests="7" failures="0" errors="1" skipped="5"')
    expect(text).toContain('<skipped message="not run"/>')
    expect(text).toContain('<error type="stopped" message="Stopped before it finished; 5 of 6 cells not run"/>')
  })
  it('says why: the budget, the provider, or a program that ended', () => {
    const why = (fields: Partial<RunResult>, options = {}) =>
      buildReport([{ ...cut, ...fields }], options).unfinished[0]?.sentence
    expect(why({ stopReason: 'budget' })).toContain('Stopped at its budget')
    expect(why({ status: 'failed', stopReason: 'provider' })).toContain('the provider refused every request')
    expect(why({ status: 'running' }, { interrupted: new Set(['cut']) })).toBe(
      'Interrupted: the process that ran it ended; 5 of 6 cells not run',
    )
  })
  it('was interrupted: its open cells are not run either', () => {
    const interrupted = buildReport([{ ...cut, status: 'running' }], { interrupted: new Set(['cut']) })
    expect(interrupted.rows.map(({ notRun }) => notRun)).toEqual([2, 3])
    expect(interrupted.runs[0]?.status).toBe('running')
    expect(writeJunit(interrupted)).toContain('tests="7" failures="0" errors="1" skipped="5"')
    const { data } = Papa.parse<Record<string, string>>(writeCsv(interrupted).trim(), { header: true })
    expect(data.filter((row) => row['state'] === 'not run')).toHaveLength(5)
  })
  it('is one of a series: each stopped run names itself', () => {
    const series = buildReport([{ ...cut, id: 'done', status: 'completed' }, cut], { runsNotStarted: 2 })
    const stop = 'Stopped before it finished; 5 of 6 cells not run; 2 more runs of its series not started'
    expect(series.unfinished.map(({ runId, sentence }) => [runId, sentence])).toEqual([['cut', stop]])
    expect(writeMarkdown(series)).toContain(`**cut: ${stop}.**`)
  })
  it('counts them while it is running or interrupted too', () => {
    const running = buildReport([{ ...cut, status: 'running' }])
    // As on the screen: a verdict that the next answer may turn around is none yet.
    for (const format of ['html', 'markdown', 'latex', 'pr-comment'] as const)
      expect(writeReport(running, { format })).toContain('Too early to call: 1 of 6 answers.')
    expect(writeHtml(report)).toContain('<p class="next">')
    expect(writeHtml(running)).not.toContain('<p class="next">')
    expect(running.missing).toEqual(report.missing)
    expect(writeMarkdown(running)).toContain('**Running: 5 of 6 cells not finished yet.**')
    expect(writeJunit(running)).toContain('tests="7" failures="0" errors="1" skipped="5"')
    expect(writeJunit(running)).toContain('<skipped message="not run"/>')
  })
})

describe('Markdown for a comment', () => {
  it('begins with the verdict', () => {
    expect(writeMarkdown(buildReport([first]))).toMatch(
      /^# Suite\n\n\*\*Too few cases for a verdict: \d of at least 6\.\*\*\n/,
    )
  })
  it('fits, however many models, cases, notes and pairs there are, and says what it leaves out', () => {
    const names = Array.from({ length: 40 }, (_, index) => `vendor/a-model-with-a-name-${index}`)
    const results = names.flatMap((modelId, model) =>
      Array.from({ length: 60 }, (_, index) =>
        cell(modelId, `case-${index}`, ((model * 7 + index * 3) % 10) / 10, {
          response: 'answer '.repeat(60),
          rating: { rating: 0.5, note: 'a note '.repeat(40) },
        }),
      ),
    )
    const text = writeMarkdown(buildReport([{ ...run('many', results), models: names }]))
    expect(text.length).toBeLessThan(65_536)
    for (const left of [/… and [\d,]+ pairs more/, /… and [\d,]+ cases? more/, /… and [\d,]+ answers more/])
      expect(text).toMatch(left)
    expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)!.length)
  })
})

describe('ratings and notes by people', () => {
  const hostile = 'too long | <b>=1+1</b> @someone'
  const rated = run('rated', [
    cell('good', 'a', 1, { rating: { rating: 0.8, note: hostile } }),
    cell('good', 'b', 0.5, { rating: { rating: 0.25 } }),
    cell('poor', 'a', 0, { rating: { note: '=SUM(A1)' } }),
    { modelId: 'poor', testCaseId: 'b', outcome: 'error', error: 'no key', rating: { rating: 0 } },
    cell('poor', 'c', 0, { rating: { note: ' ' } }),
  ])
  const report = buildReport([rated])
  it('are summed up by model, next to the scores of the same answers', () => {
    expect(report.ratings.map(({ answers: _answers, ...figures }) => figures)).toEqual([
      { modelId: 'good', rated: 2, meanRating: 0.525, meanScore: 0.75, scored: 2, notes: 1 },
      { modelId: 'poor', rated: 1, meanRating: 0, scored: 0, notes: 1 },
    ])
    for (const text of [writeMarkdown(report), writeHtml(report)]) {
      expect(text).toContain('people rated 2 answers, mean 52.5 (scored 75.0); 1 note')
      expect(text).toContain('people rated 1 answer, mean 0.0; 1 note')
    }
  })
  it('are in HTML, Markdown, CSV and JUnit, as text that nothing obeys', () => {
    expect(writeHtml(report)).toContain('a person rated it 80.0: “too long | &lt;b&gt;=1+1&lt;/b&gt; @someone”')
    expect(writeMarkdown(report)).toContain(`| a | good | 80.0 | 100.0 | ${escapeMarkdown(hostile)} |`)
    const { data } = Papa.parse<Record<string, string>>(writeCsv(report).trim(), { header: true })
    expect(data.map((row) => [row['humanRating'], row['humanNote']])).toEqual([
      ['0.8', hostile],
      ['', "'=SUM(A1)"],
      ['0.25', ''],
      ['0', ''],
      ['', ' '],
    ])
    const junit = writeJunit(report)
    checkXml(junit)
    expect(junit).toContain('<system-out>a person rated it 80.0: “too long | &lt;b&gt;=1+1&lt;/b&gt; @someone”')
    expect(junit).toContain('<system-out>a person noted: “=SUM(A1)”</system-out>')
    expect(junit.match(/<system-out>/g)).toHaveLength(4)
  })
  it('leave every earlier CSV column in its place', () => {
    const [heads = ''] = writeCsv(report).split('\r\n')
    expect(heads).toBe(
      'run,suite,testCaseId,category,difficulty,tags,scoringMethod,weight,modelId,outcome,score,passed,notes,unscoredCode,unscoredMessage,error,latencyMs,firstTokenMs,promptTokens,completionTokens,cost,attempts,prompt,expectedOutput,response,toolCalls,state,humanRating,humanNote,runStopped,runName,runTags,raterRatings,modelCorrected,modelCorrectedLow,modelCorrectedHigh,judges,checks,comparisons,cachedAt,cachedPromptTokens,reasoningTokens,cluster',
    )
  })
  it('are nowhere mentioned if there are none', () => {
    const plain = buildReport([first])
    for (const text of [writeMarkdown(plain), writeHtml(plain), writeJunit(plain)])
      expect(text).not.toMatch(/[Rr]ated by|person|has a rating/)
  })
})

describe('JUnit XML', () => {
  it('has one suite per model and counts failures and errors, including cancelled cells', () => {
    const text = writeJunit(buildReport([first]))
    checkXml(text)
    expect(text).toMatch(/<testsuites name="Suite" tests="8" failures="3" errors="3" skipped="0" time="5\.\d+">/)
    expect(text).toContain('<testsuite name="good" tests="3" failures="1" errors="0" skipped="0"')
    expect(text).toContain('<failure type="score" message="score 20.0 is below 95.0: note">answer b</failure>')
    expect(text).toContain('<error type="regex-timeout" message="stopped"/>')
    expect(text).toContain('<error type="error" message="401 no such key"/>')
    // The run is completed, so nothing else would say that a cell is open.
    expect(text).toContain('<error type="cancelled" message="not run"/>')
  })
  it('goes by the pass mark of the suite, the case or each check', () => {
    const withMarks = (fields: Partial<Suite>) =>
      writeJunit(buildReport([{ ...first, testSuiteSnapshot: { ...suite, ...fields } }]))
    expect(withMarks({ passAt: 0.9 })).toContain('failures="2" errors="3"')
    expect(withMarks({ passAt: 0 })).toContain('failures="0" errors="3"')
    const checks = [
      { scoringMethod: 'boolean', weight: 1 },
      { scoringMethod: 'llm-judge', weight: 1 },
    ]
    const checked = run('checked', [
      cell('good', 'a', 0.9, {
        score: { score: 0.85, checks: checks.map((check, index) => ({ ...check, score: [1, 0.7][index]! })) },
      }),
    ])
    checked.testSuiteSnapshot = { name: 'Checks', testCases: [{ id: 'a', prompt: 'p', checks, weight: 1 }] }
    expect(writeJunit(buildReport([checked]))).toContain('message="llm-judge 70.0 is below 80.0"')
  })
  it('names the run of a series', () =>
    expect(writeJunit(buildReport([first, second]))).toContain('name="b (run 2 of 2)"'))
  it('stays well formed with any text anywhere, without characters that XML does not allow', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const hostile: RunResult = {
          id: text,
          models: [`m${text}`],
          testSuiteName: text,
          results: [
            cell(`m${text}`, text, 0, { response: text, score: { score: 0, notes: text } }),
            { modelId: `m${text}`, testCaseId: `${text}2`, error: text, unscored: { code: text, message: text } },
          ],
        }
        const written = writeJunit(buildReport([hostile]))
        checkXml(written)
        expect(written).toMatch(/^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u)
      }),
    )
    expect(escapeXml('a\u0000\u001b\uFFFE\uD800b]]>\n')).toBe('a\uFFFDb]]&gt;&#10;')
  })
})
