import Papa from 'papaparse'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findCost } from '../src/cli/commands/results/find-run.ts'
import { drawResults } from '../src/cli/output/results/results-text.ts'
import type { CellResult, RunResult, Suite } from '../src/contract/index.ts'
import { writeChart } from '../src/report/charts/svg/charts.ts'
import {
  buildComparison,
  buildReport,
  makeSide,
  prepareForSharing,
  writeReport,
  type Report,
  type ReportCase,
  type ReportRow,
} from '../src/report/index.ts'
import { compareRoutes } from '../src/server/results/compare/compare-routes.ts'
import {
  describeEvidence,
  describeInterval,
  describeMissing,
  describeRatings,
  formatCached,
  formatCount,
  formatDuration,
  formatPassed,
  formatPassRate,
  formatPercent,
  formatSeriesLine,
  formatReportSentence,
  formatScore,
  formatSpent,
  formatStatistic,
} from '../src/report/words/index.ts'
import type { CaseDetail } from '../src/server/results/cases/case-detail.ts'
import type { CasePage } from '../src/server/results/cases/case-page.ts'
import { listRepeated } from '../src/report/model/standings/standings.ts'
import { caseRoutes } from '../src/server/results/cases/case-routes.ts'
import type { ResultsView } from '../src/server/results/results-view.ts'
import { resultsRoutes } from '../src/server/results/routes.ts'
import { startRouteServer, type RouteServer } from '../src/server/testing/route-server.ts'
import { importRun } from '../src/services/index.ts'
import { formatScoreRange } from '../src/report/words/verdicts/pairs/gap.ts'
import { createRandom } from '../src/statistics/index.ts'

/** Names that break a table, a cell or a page without escaping. */
const models = [
  'plain/model',
  'pipe|star*<b>&"quote"_',
  '=HYPERLINK("x") — ünïcode 模型',
  `vendor/${'long-'.repeat(38)}end`,
  'never/answers',
]
const [, , , , silent = ''] = models
const suite: Suite = {
  name: 'Views | <of> one *report*',
  testCases: Array.from({ length: 12 }, (_, index) => ({
    id: `case|${index}<>`,
    prompt: `Question ${index}`,
    scoringMethod: 'llm-judge',
    weight: index % 4 === 0 ? 3 : 1,
    ...(index === 0 && { passAt: 0.3 }),
    metadata: { category: index % 2 === 0 ? 'even' : 'odd' },
  })),
}

/** Three runs with two judges, unknown costs, every kind of cell without a score, and a model that never answers. */
function makeRuns(): RunResult[] {
  const random = createRandom('views')
  return ['one', 'two', 'three'].map((id, run) => {
    const startedAt = Date.UTC(2026, 10, 15, 3, run)
    const results = suite.testCases.flatMap(({ id: testCaseId }, index) =>
      models.map((modelId, model): CellResult => {
        const cell = { testCaseId, modelId }
        if (modelId === silent || (model === 1 && index === run))
          return { ...cell, outcome: 'timeout', error: 'no answer in time' }
        const answered: CellResult = {
          ...cell,
          outcome: 'ok',
          response: `answer ${index}`,
          latencyMs: 400 + 9000 * random() * (model + 1),
          ...(!(model === 2 && index % 3 === 0) && { cost: model === 3 ? 1.2345 * random() : 0.00123 * random() }),
        }
        if (model === 0 && index === 5)
          return { ...answered, unscored: { code: 'judge-unreadable', message: 'no grade in it' } }
        // Two thirds of the first run's answers of one model were reused.
        if (model === 0 && run === 0 && index % 3 > 0) {
          answered.cachedAt = startedAt - 3.2 * 86_400_000 + index
          answered.cost = 0
        }
        const grades = [random() ** (1 + model), random() ** (1 + model)]
        const score = (grades[0]! + grades[1]!) / 2
        const judges = grades.map((grade, judge) => ({ judgeModelId: `judge|${judge}`, score: grade, reasoning: 'so' }))
        return { ...answered, score: { score, judges } }
      }),
    )
    return {
      id: `run-${id}`,
      seriesId: 'series',
      models,
      results,
      status: 'completed',
      startedAt,
      testSuiteSnapshot: suite,
    }
  })
}

/** What a row of the leaderboard shows: the report's numbers as text. */
interface Shown {
  score: string
  interval: string
  passed: string
  n: string
  missing: string
  cost: string
  latency: string
  cached: string
}

function expectRow(row: ReportRow): Shown {
  return {
    score: formatScore(row.score?.mean),
    interval: row.score ? describeInterval(row.score) : '–',
    passed: row.score ? formatPassed(row.score) : '–',
    n: formatCount(row.score?.n ?? 0),
    missing: formatCount(row.unscored + row.errors),
    cost: formatSpent(row),
    latency: formatDuration(row.medianLatencyMs),
    cached: formatCached(row),
  }
}

function unescapeHtml(text: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" }
  return text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
}

/** The cell texts of the first table in a page, or of the whole leaderboard of an HTML report. */
function readTable(page: string): string[][] {
  const [table = ''] = /<table.*?<\/table>/s.exec(page.slice(Math.max(0, page.indexOf('<h2>Statistics</h2>')))) ?? []
  return Array.from(table.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs), ([, row = '']) =>
    Array.from(row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs), ([, cell = '']) =>
      unescapeHtml(cell.replaceAll(/<svg.*?<\/svg>/gs, '').replaceAll(/<[^>]+>/g, '')).trim(),
    ),
  )
}

const readText = (page: string) => unescapeHtml(page.replaceAll(/<[^>]+>/g, ''))

/** Each table may show a missing value in its own way. */
const none = (text: string | undefined) => (text === undefined || text === '' || text === 'no score' ? '–' : text)

/** What a terminal has room for. */
type ShownInTerminal = Pick<Shown, 'score' | 'interval' | 'passed' | 'cost' | 'latency'>

function readTerminalRows(report: Report): ShownInTerminal[] {
  const terminal = { stdout: { write() {} }, stderr: { write() {} }, colour: false, columns: 2000, progress: false }
  // Wide characters take two columns.
  const lines = drawResults(report, terminal)
    .replaceAll(/[\u2e80-\ua4cf]/g, '##')
    .split('\n')
  const head = lines.findIndex((line) => /^Rank {2}Model/.test(line))
  const columnOf = (title: string) => {
    const end = lines[head]!.indexOf(title) + title.length
    // Right-aligned: a cell ends where its title ends, and starts after a gap of two spaces.
    return (line: string) => none(line.slice(0, end).split(/ {2,}/).at(-1)?.trim())
  }
  return lines.slice(head + 1, head + 1 + report.rows.length).map((line) => ({
    score: columnOf('Score')(line),
    interval: columnOf('95 % CI')(line),
    passed: columnOf('Passed')(line),
    cost: columnOf('Cost')(line),
    latency: columnOf('Time')(line),
  }))
}

function readMarkdownRows(text: string): Shown[] {
  const lines = text.split('\n')
  const head = lines.findIndex((line) => line.startsWith('| # |'))
  const cellsOf = (line: string) => line.slice(2, -2).split(/(?<!\\) \| /)
  const titles = cellsOf(lines[head]!)
  const rows = lines.slice(head + 2, lines.indexOf('', head))
  return rows.map((line) => {
    const cells = cellsOf(line)
    const at = (title: string) => none(cells[titles.indexOf(title)]?.replaceAll('*', ''))
    return {
      score: at('Score'),
      interval: at('95 % CI'),
      passed: at('Passed'),
      n: at('n'),
      missing: at('Unscored'),
      cost: at('Cost'),
      latency: at('Latency'),
      cached: at('From cache'),
    }
  })
}

function readPageRows(page: string, names: Record<keyof Shown, string>): Shown[] {
  const [titles = [], ...rows] = readTable(page)
  return rows.map((cells) => {
    const at = (title: string) => none(cells[titles.indexOf(title)])
    return {
      score: at(names.score),
      interval: at(names.interval),
      passed: at(names.passed),
      n: at(names.n),
      missing: at(names.missing),
      cost: at(names.cost),
      latency: at(names.latency),
      cached: at(names.cached),
    }
  })
}

const titles = {
  score: 'Score',
  interval: '95 % CI',
  passed: 'Passed',
  missing: 'Unscored',
  cost: 'Cost',
  latency: 'Latency',
  cached: 'From cache',
}

type Screen = (props: { view: ResultsView }) => ReactNode

/** Loads a component by a path TypeScript does not follow: tests have Node's types, components the browser's. */
async function loadScreen(name: string): Promise<Screen> {
  const loaded: Record<string, unknown> = await import(`../src/components/results/${name}.tsx`)
  const screen = loaded[name]
  if (typeof screen !== 'function') throw new Error(`there is no component ${name}`)
  return (props) => Reflect.apply(screen, undefined, [props])
}

const renderScreen = async (name: string, view: ResultsView) =>
  renderToStaticMarkup(createElement(await loadScreen(name), { view }))

const ids = makeRuns().map(({ id }) => id)

/** A run that its budget stopped after 5 of 12 cases, with ratings and notes by people, one of them hostile. */
function makeStoppedRun(): RunResult {
  const random = createRandom('stopped')
  return {
    id: 'run-stopped',
    models: models.slice(0, 3),
    status: 'cancelled',
    stopReason: 'budget',
    startedAt: Date.UTC(2026, 10, 16, 3),
    testSuiteSnapshot: suite,
    results: suite.testCases.slice(0, 5).flatMap(({ id: testCaseId }, index) =>
      models.slice(0, 3).map((modelId, model): CellResult => ({
        testCaseId,
        modelId,
        outcome: 'ok',
        response: 'answer',
        latencyMs: 100,
        cost: 0.01,
        score: { score: random() },
        ...(index < 2 && { rating: { rating: random(), ...(model === 1 && { note: 'so | <so> =1' }) } }),
        ...(index === 3 && model === 2 && { rating: { note: 'only a note' } }),
      })),
    ),
  }
}

const readCsv = (text: string) => Papa.parse<Record<string, string>>(text.trim(), { header: true }).data

let server: RouteServer
let report: Report
let view: ResultsView

beforeAll(async () => {
  server = await startRouteServer([resultsRoutes, caseRoutes, compareRoutes])
  for (const run of makeRuns()) await importRun(run, server.storage, run.startedAt!)
  const runs = await Promise.all(ids.map(async (id) => (await server.storage.loadRun(id))!))
  // Like the command line, takes the cost from the ledger.
  report = buildReport(runs, { cost: await findCost(server.storage, runs) })
  view = JSON.parse(JSON.stringify(await server.get(`/results/${ids.join(',')}`)))
})
afterAll(() => server.close())

describe('the same runs, wherever they are shown', () => {
  it('are hard to show: a series, missing cells, unknown costs, a judge panel, real and insignificant differences', () => {
    expect(report.runs).toHaveLength(3)
    expect(report.agreement).toBeDefined()
    expect(report.missing.length).toBeGreaterThanOrEqual(3)
    expect(report.rows.some(({ cost }) => cost.unknown > 0 && cost.total > 0)).toBe(true)
    expect(report.rows.at(-1)).toMatchObject({ modelId: silent, isCostKnown: false })
    const verdicts = new Set(report.comparisons.map(({ comparison }) => comparison.paired?.isSignificant))
    expect(verdicts).toEqual(new Set([true, false]))
  })

  it('have the same leaderboard in terminal, Markdown, HTML and the web app', async () => {
    const expected = report.rows.map(expectRow)
    expect(readTerminalRows(report)).toEqual(
      report.rows.map((row, index) => {
        const { score, passed, cost, latency } = expected[index]!
        return { score, interval: row.score ? formatScoreRange(row.score) : '–', passed, cost, latency }
      }),
    )
    expect(readMarkdownRows(writeReport(report, { format: 'markdown' }))).toEqual(expected)
    expect(readPageRows(writeReport(report, { format: 'html' }), { ...titles, n: 'n' })).toEqual(expected)
    expect(readPageRows(await renderScreen('AllFigures', view), { ...titles, n: 'n' })).toEqual(expected)
  })

  it('say what came from the cache and how old it was, and count neither its time nor the money it once cost', () => {
    const row = report.rows.find(({ modelId }) => modelId === models[0])!
    expect(formatCached(row)).toBe('7 of 36, up to 4 days old')
    const measured = report.runs
      .flatMap(({ results }) => results)
      .filter((cell) => cell.modelId === models[0] && cell.latencyMs !== undefined && cell.cachedAt === undefined)
      .map(({ latencyMs }) => latencyMs!)
      .toSorted((a, b) => a - b)
    expect(measured).toHaveLength(29)
    expect(row.medianLatencyMs).toBe(measured[14])
    const other = report.rows.find(({ cached }) => cached?.count === 0)!
    expect(formatCached(other)).toBe(`0 of ${other.cached!.of}`)
    const all = report.rows.reduce((sum, { cached }) => sum + (cached?.of ?? 0), 0)
    const sentence = `7 of ${all} answers came from the cache, up to 4 days old when the run started`
    expect(readTerminal(report)).toContain(sentence)
    for (const format of ['latex', 'pr-comment']) expect(writeReport(report, { format })).toContain(sentence)
    const table = readCsv(writeReport(report, { format: 'leaderboard-csv' }))
    expect(table.find(({ modelId }) => modelId === models[0])).toMatchObject({
      fromCache: '7',
      fromCacheOf: '36',
      oldestFromCacheMs: `${row.cached!.maxAgeMs}`,
    })
    expect(writeReport(report, { format: 'every-eval-ever' })).toContain(
      `"answers_from_cache":"7","answers_in_all":"36","oldest_from_cache_ms":"${row.cached!.maxAgeMs}"`,
    )
    expect(writeReport(report, { format: 'junit' })).toContain(
      '<property name="fromCache" value="7 of 36, up to 4 days old"/>',
    )
    const { scores } = JSON.parse(writeReport(report, { format: 'json' }))
    expect(scores[models[0]!].cached).toEqual({ count: 7, of: 36, maxAgeMs: row.cached!.maxAgeMs })
    expect(readCsv(writeReport(report, { format: 'csv' })).filter(({ cachedAt }) => cachedAt !== '')).toHaveLength(7)
  })

  it('have the same scores, intervals and passes in the leaderboard CSV, Every Eval Ever and a pull request', () => {
    const scored = report.rows.filter(({ score }) => score)
    const expected = scored.map(({ score }) => [score!.mean, score!.low, score!.high, score!.passRate].map(String))
    const table = readCsv(writeReport(report, { format: 'leaderboard-csv' })).filter((row) => row['score'] !== '')
    const figures = ['score', 'scoreLow95', 'scoreHigh95', 'passRate']
    expect(table.map((row) => figures.map((name) => row[name]))).toEqual(expected)
    interface Metric {
      score_details: { score: number; uncertainty: { confidence_interval: { lower: number; upper: number } } }
    }
    const records = writeReport(report, { format: 'every-eval-ever' }).trim().split('\n')
    const read = records.map((line) => {
      const { evaluation_results: metrics }: { evaluation_results: [Metric, Metric] } = JSON.parse(line)
      const { score, uncertainty } = metrics[0].score_details
      const { lower, upper } = uncertainty.confidence_interval
      return [score, lower, upper, metrics[1].score_details.score].map(String)
    })
    expect(read).toEqual(expected)
    const comment = readMarkdown(writeReport(report, { format: 'pr-comment' }))
    for (const { score } of scored)
      expect(comment).toContain(
        `**${formatScore(score!.mean)}** | ${describeInterval(score!)} | ${formatPassed(score!)} |`,
      )
  })

  it('have the same numbers without names and texts, and in the drawn leaderboard', async () => {
    const expected = report.rows.map(expectRow)
    const { runs } = prepareForSharing({ runs: report.runs }, { isAnonymous: true, isWithoutTexts: true })
    const withoutCosts = (rows: Shown[]) =>
      rows.map(({ score, interval, passed, n, missing }) => [score, interval, passed, n, missing])
    const anonymous = writeReport(buildReport(runs), { format: 'html' })
    expect(withoutCosts(readPageRows(anonymous, { ...titles, n: 'n' }))).toEqual(withoutCosts(expected))
    const served = await server.request(`/results/${ids.join(',')}/export?format=html&anonymous=yes&withoutTexts=yes`)
    expect(served.headers.get('content-disposition')).toContain('Results without names.html')
    const page = await served.text()
    expect(withoutCosts(readPageRows(page, { ...titles, n: 'n' }))).toEqual(withoutCosts(expected))
    for (const model of models) expect(page).not.toContain(model.slice(0, 12))
    const drawn = readText(writeChart(report, 'leaderboard'))
    for (const { score } of report.rows)
      if (score) expect(drawn).toContain(`${formatScore(score.mean)}  (${describeInterval(score)})`)
  })

  it('are compared with the same verdicts by the terminal, the server and the library', async () => {
    const [first, second] = report.runs as [RunResult, RunResult]
    const compared = buildComparison([makeSide([first]), makeSide([second])])
    const served = await server.request(`/compare/export?a=${first.id}&b=${second.id}&format=json`)
    const {
      changes,
      comparisons,
    }: { changes: { better: number; worse: number }[]; comparisons: { paired?: { meanDiff: number } }[] } = JSON.parse(
      await served.text(),
    )
    expect(changes.map(({ better, worse }) => [better, worse])).toEqual(
      compared.comparison.pairs.map((pair) => [pair.changes.better, pair.changes.worse]),
    )
    expect(comparisons.map(({ paired }) => paired?.meanDiff)).toEqual(
      compared.comparisons.map(({ comparison }) => comparison.paired?.meanDiff),
    )
    const html = readText(writeReport(compared, { format: 'html' }))
    for (const { sentence } of compared.comparisons) expect(html).toContain(sentence)
  })

  it('have the same pass rate with its interval in Markdown, HTML and the web app', async () => {
    const expected = report.rows.map(({ score }) => (score ? formatPassRate(score) : '–'))
    expect(new Set(expected).size).toBeGreaterThan(3)
    const markdown = readMarkdown(writeReport(report, { format: 'markdown' }))
    for (const rate of expected) expect(markdown).toContain(`| ${rate} |`)
    const pages = [writeReport(report, { format: 'html' }), await renderScreen('AllFigures', view)]
    for (const page of pages) {
      const [heads = [], ...rows] = readTable(page)
      expect(rows.map((cells) => cells[heads.indexOf('Pass rate')])).toEqual(expected)
    }
    expect(view.rows.map(({ score }) => (score ? formatPassRate(score) : '–'))).toEqual(expected)
  })

  it('have the same answers passed in every view of the cells', async () => {
    const passedOf = ({ cells }: ReportCase) =>
      cells.map(({ passed, answers }) => [passed, answers.filter(({ score }) => score).length])
    const expected = report.cases.map(passedOf)
    expect(new Set(expected.flat().map(String)).size).toBeGreaterThan(4)
    const { cases }: CasePage = JSON.parse(JSON.stringify(await server.get(`/results/${ids.join(',')}/cases`)))
    expect(cases.map(({ cells }) => cells.map(({ passed = 0, scored = 0 }) => [passed, scored]))).toEqual(expected)
    for (const [index, { id }] of report.cases.entries()) {
      const path = `/results/${ids.join(',')}/case?id=${encodeURIComponent(id)}`
      const detail: CaseDetail = JSON.parse(JSON.stringify(await server.get(path)))
      const shown = detail.models.map(({ answers }) => [
        answers.filter(({ passed }) => passed).length,
        answers.filter(({ passed }) => passed !== undefined).length,
      ])
      expect(shown).toEqual(expected[index])
    }
    const answers = report.cases.flatMap(({ cells }) => cells.flatMap((cell) => cell.answers))
    const passed = answers.filter((answer) => answer.passed).length
    const failed = answers.filter((answer) => answer.passed === false).length
    expect(passed + failed).toBe(report.rows.reduce((sum, { own, score }) => sum + ((own ?? score)?.count ?? 0), 0))
    const { data } = Papa.parse<Record<string, string>>(writeReport(report, { format: 'csv' }).trim(), { header: true })
    expect(data.map((row) => row['passed'])).toEqual(answers.map((answer) => String(answer.passed ?? '')))
    expect(writeReport(report, { format: 'junit' })).toContain(`failures="${failed}"`)
    expect(passed).toBe(report.rows.reduce((sum, { score }) => sum + (score?.passed ?? 0), 0))
  })

  it('have the same total cost everywhere', () => {
    const spent = formatSpent(report)
    expect(readTerminal(report)).toContain(` · ${spent}`)
    expect(readMarkdown(writeReport(report, { format: 'markdown' }))).toContain(`cost ${spent} ·`)
    expect(readText(writeReport(report, { format: 'html' }))).toContain(` · ${spent}`)
  })

  it('have the report’s numbers in the server’s view', () => {
    expect(view.rows.map(expectRow)).toEqual(report.rows.map(expectRow))
    expect(formatSpent(view)).toBe(formatSpent(report))
    expect(view.comparisons.map(({ sentence }) => sentence)).toEqual(report.comparisons.map(({ sentence }) => sentence))
    expect(view.missing.map(describeMissing)).toEqual(report.missing.map(describeMissing))
    expect(view.series.map((stats) => formatSeriesLine(stats.modelId, stats))).toEqual(
      report.series.map((stats) => formatSeriesLine(stats.modelId, stats)),
    )
    expect(view.method).toEqual(report.method)
    expect(view.verdictCard).toMatchObject({
      ...report.verdictCard,
      caveats: expect.any(Array),
      next: expect.any(Object),
    })
  })

  it('have the same verdict, p and effect size for each pair', async () => {
    const terminal = readTerminal(report)
    const markdown = readMarkdown(writeReport(report, { format: 'markdown' }))
    const html = readText(writeReport(report, { format: 'html' }))
    const page = readText(await renderScreen('Verdicts', view))
    for (const { comparison, sentence } of report.comparisons) {
      for (const text of [terminal, markdown, html, page]) expect(text).toContain(sentence)
      for (const text of [terminal, markdown, html]) expect(text).toContain(describeEvidence(comparison.paired!))
    }
  })

  it('describe missing cells, results over runs and judge agreement in the same words', async () => {
    const terminal = readTerminal(report)
    const written = [
      readMarkdown(writeReport(report, { format: 'markdown' })),
      readText(writeReport(report, { format: 'html' })),
    ]
    const texts = [terminal, ...written]
    const leaderboard = readText(await renderScreen('AllFigures', view))
    for (const summary of report.missing) {
      for (const text of [...written, leaderboard]) expect(text).toContain(describeMissing(summary))
      // Its leaderboard counts them and its notes have the bounds.
      expect(terminal).toContain(report.messages.get(summary.modelId)![0]!.text)
    }
    for (const stats of listRepeated(report))
      for (const text of texts) expect(text).toContain(formatSeriesLine(stats.modelId, stats))
    for (const text of texts) expect(text).toContain(`Krippendorff's alpha ${formatStatistic(report.agreement!.alpha)}`)
  })

  it('have the same mean, interval, passed and missing cells in JUnit', () => {
    const text = writeReport(report, { format: 'junit' })
    const suites = [...text.matchAll(/<testsuite (.*?)<\/testsuite>/gs)].map(([, inside = '']) => {
      const property = (name: string) => new RegExp(`<property name="${name}" value="([^"]*)"`).exec(inside)?.[1] ?? '–'
      return {
        name: unescapeHtml(/^name="([^"]*)"/.exec(inside)?.[1] ?? ''),
        score: property('mean'),
        interval: property('interval95'),
        passed: property('passed'),
        passRate: property('passRate'),
        missing: /errors="(\d+)"/.exec(inside)?.[1],
      }
    })
    expect(suites).toEqual(
      report.rows.map((row) => {
        const { score, interval, passed, missing } = expectRow(row)
        const passRate = row.score ? formatPercent(row.score.passRate) : '–'
        return { name: row.modelId, score, interval, passed, passRate, missing }
      }),
    )
  })

  it('have unrounded numbers in JSON', () => {
    const document = JSON.parse(writeReport(report, { format: 'json' }))
    for (const { modelId, score, unscored, errors } of report.rows) {
      expect(document.scores[modelId]).toMatchObject({ unscored, errors })
      if (!score) continue
      const { overCases, passed, passRate, passRateConfidence95, count } = document.series[modelId]
      const { mean, low, high, n } = score
      expect(overCases).toMatchObject({ mean, low, high, n })
      expect({ passed, passRate, passRateConfidence95, count }).toEqual({
        passed: score.passed,
        passRate: score.passRate,
        passRateConfidence95: score.passRateConfidence95,
        count: score.count,
      })
    }
    expect(document.cost).toBe(report.cost.total)
    expect(document.unknownCosts).toBe(report.cost.unknown)
    expect(document.comparisons).toEqual(
      JSON.parse(JSON.stringify(report.comparisons.map(({ comparison }) => comparison))),
    )
  })

  it('have every cell unrounded in CSV', () => {
    const { data } = Papa.parse<Record<string, string>>(writeReport(report, { format: 'csv' }).trim(), { header: true })
    const number = (text: string | undefined) => (text === undefined || text === '' ? undefined : Number(text))
    const shown = data.map((row) => [row['run'], number(row['score']), number(row['latencyMs']), number(row['cost'])])
    const cells = report.cases.flatMap((testCase) => testCase.cells.flatMap(({ answers }) => answers))
    expect(shown).toEqual(cells.map(({ runId, score, latencyMs, cost }) => [runId, score?.score, latencyMs, cost]))
  })
})

describe('a stopped run with ratings, wherever it is shown', () => {
  let stopped: Report
  const exported = async (format: string) =>
    Buffer.from(await (await server.request(`/results/run-stopped/export?format=${format}`)).arrayBuffer()).toString()

  beforeAll(async () => {
    const run = makeStoppedRun()
    // A stored run loses why it stopped when it is imported: only the engine knows.
    await importRun(run, server.storage, run.startedAt!)
    await server.storage.setRunStatus(run.id, 'cancelled', { stopReason: 'budget' })
    stopped = buildReport([(await server.storage.loadRun(run.id))!])
  })

  it('has the same counts of cells not run, and none of them is an error', async () => {
    expect(stopped.rows.map(({ notRun, errors }) => [notRun, errors])).toEqual([
      [7, 0],
      [7, 0],
      [7, 0],
    ])
    const boards = [
      readTable(writeReport(stopped, { format: 'html' })),
      readTable(await renderScreen('AllFigures', JSON.parse(JSON.stringify(await server.get('/results/run-stopped'))))),
    ]
    for (const [heads = [], ...rows] of boards) {
      expect(rows.map((cells) => cells[heads.indexOf('Not run')])).toEqual(['7', '7', '7'])
      expect(rows.map((cells) => cells[heads.indexOf('Unscored')])).toEqual(['0', '0', '0'])
    }
    expect(readTerminal(stopped)).toMatch(/ Lacks$/m)
    expect(writeReport(stopped, { format: 'markdown' })).toContain('| Unscored | Not run |')
    const states = readCsv(writeReport(stopped, { format: 'csv' })).map((row) => row['state'])
    expect(states.filter((state) => state === 'not run')).toHaveLength(21)
    expect(writeReport(stopped, { format: 'junit' }).match(/<skipped message="not run"\/>/g)).toHaveLength(21)
    const { scores } = JSON.parse(writeReport(stopped, { format: 'json' }))
    for (const { modelId, notRun, errors } of stopped.rows) expect(scores[modelId]).toMatchObject({ notRun, errors })
  })

  it('says that and why it stopped, in every view and export', async () => {
    const [{ sentence } = { sentence: '' }] = stopped.unfinished
    expect(sentence).toBe('Stopped at its budget: the next request could have exceeded it; 21 of 36 cells not run')
    expect(readTerminal(stopped)).toContain(sentence)
    for (const format of ['html', 'json', 'csv', 'markdown', 'junit']) {
      expect(readMarkdown(writeReport(stopped, { format }))).toContain(sentence)
      expect(readMarkdown(await exported(format))).toContain(sentence)
    }
  })

  it('was interrupted: an export says so instead of calling it running', async () => {
    const run = { ...makeStoppedRun(), id: 'run-killed' }
    await importRun(run, server.storage, run.startedAt!)
    await server.storage.setRunStatus(run.id, 'running')
    const text = readMarkdown(await (await server.request(`/results/${run.id}/export?format=markdown`)).text())
    expect(text).toContain('Interrupted: the process that ran it ended; 21 of 36 cells not run.')
    expect(text).toContain('| Unscored | Not run |')
    server.live.add(run.id)
    const live = readMarkdown(await (await server.request(`/results/${run.id}/export?format=markdown`)).text())
    expect(live).toContain('Running: 21 of 36 cells not finished yet.')
  })

  it('has every rating and note in every view, from terminal and web app alike', async () => {
    const answers = stopped.cases.flatMap(({ cells }) => cells.flatMap((cell) => cell.answers))
    const rated = answers.flatMap(({ rating }) => rating ?? [])
    expect(rated).toHaveLength(7)
    for (const csv of [writeReport(stopped, { format: 'csv' }), await exported('csv')]) {
      const shown = readCsv(csv).map((row) => [row['humanRating'], row['humanNote']])
      expect(shown).toEqual(answers.map(({ rating }) => [String(rating?.rating ?? ''), rating?.note ?? '']))
    }
    for (const format of ['html', 'markdown', 'junit']) {
      const texts = [writeReport(stopped, { format }), await exported(format)].map((text) =>
        format === 'markdown' ? readMarkdown(text) : readText(text),
      )
      for (const text of texts)
        for (const { rating, note } of rated) {
          if (rating !== undefined) expect(text).toContain(formatScore(rating))
          if (note !== undefined) expect(text).toContain(note)
        }
    }
    for (const model of stopped.ratings)
      for (const text of [
        readTerminal(stopped),
        readMarkdown(writeReport(stopped, { format: 'markdown' })),
        readText(writeReport(stopped, { format: 'html' })),
        readMarkdown(await exported('markdown')),
      ])
        expect(text).toContain(describeRatings(model))
    const { runs } = JSON.parse(writeReport(stopped, { format: 'json' }))
    expect(runs[0].results.flatMap(({ rating }: CellResult) => rating ?? [])).toHaveLength(7)
  })

  it('has the sentence to report of every pair in HTML and Markdown', () => {
    const pairs = stopped.comparisons.length
    for (const { comparison } of stopped.comparisons) {
      const sentence = formatReportSentence(comparison, { pairs })
      expect(readText(writeReport(stopped, { format: 'html' }))).toContain(sentence)
      expect(readMarkdown(writeReport(stopped, { format: 'markdown' }))).toContain(sentence)
    }
  })
})

/** The terminal's text without line wrapping. */
function readTerminal(shown: Report): string {
  const terminal = { stdout: { write() {} }, stderr: { write() {} }, colour: false, columns: 100_000, progress: false }
  return drawResults(shown, terminal, { output: 'full' })
}

/** Markdown as rendered: escapes and entities decoded. */
function readMarkdown(text: string): string {
  return unescapeHtml(text.replaceAll(/\\([\\`*_[\]#|~!$/.])/g, '$1'))
}
