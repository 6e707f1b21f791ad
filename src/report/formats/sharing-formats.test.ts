import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { CellResult, RunResult, Suite } from '../../contract/index.ts'
import { buildComparison, makeSide } from '../comparing/comparison-report.ts'
import { findFormatOfFile, writeReport } from '../formats.ts'
import { buildReport } from '../model/report.ts'

const suite: Suite = {
  name: 'Sums | <b>',
  testCases: Array.from({ length: 30 }, (_, index) => ({
    id: `case ${index}`,
    prompt: `What is ${index}?`,
    expectedOutput: '4',
    scoringMethod: 'exact-match',
    weight: 1,
    metadata: { category: index < 20 ? 'large' : 'small' },
  })),
}

function makeRun(
  id: string,
  scoreOf: (index: number, model: string) => number | undefined,
  models = ['a/one', '=two|*'],
): RunResult {
  return {
    id,
    models,
    status: 'completed',
    startedAt: Date.UTC(2026, 10, id.length),
    completedAt: Date.UTC(2026, 10, id.length, 1),
    judgeModel: 'j/judge, k/judge',
    parameters: {
      temperature: 0.7,
      topP: 1,
      maxTokens: 100,
      frequencyPenalty: 0,
      presencePenalty: 0,
      benchmarkMode: true,
    },
    versions: { benchmaker: '0.1.0', judgePrompt: 'llm-judge/1' },
    testSuiteSnapshot: suite,
    results: models.flatMap((modelId) =>
      suite.testCases.map(({ id: testCaseId }, index): CellResult => {
        const score = scoreOf(index, modelId)
        const cell = { testCaseId, modelId, response: 'x', latencyMs: 5, cost: 0.01 }
        return score === undefined
          ? { ...cell, outcome: 'error', error: 'no' }
          : { ...cell, outcome: 'ok', score: { score } }
      }),
    ),
  }
}

const before = makeRun('old', (index) => (index % 3 === 0 ? 0 : 1))
const after = makeRun('newer', (index, model) =>
  model === 'a/one' ? (index < 15 ? 0 : 1) : index === 4 ? undefined : 1,
)
const compared = buildComparison([makeSide([before]), makeSide([after])])

describe('a comment on a pull request', () => {
  const text = writeReport(compared, { format: 'pr-comment' })
  it('starts with a marker, fits a screen and folds its details', () => {
    expect(text.startsWith('<!-- benchmaker -->\n### Sums')).toBe(true)
    const folded = text.replaceAll(/<details>.*?<\/details>/gs, '')
    expect(text.split('\n').length).toBeLessThanOrEqual(45)
    expect(folded.trim().split('\n').length).toBeLessThanOrEqual(20)
  })
  it('leads with what changed, and lists what got better and worse', () => {
    expect(text).toMatch(/\*\*Of 2 models, .*significantly better/)
    expect(text).toContain('Got worse')
    expect(text).toContain('Got better')
    expect(text).toContain('| a/one |')
    expect(text).toMatch(/<sub>30 cases · cost .* · A: old · B: newer<\/sub>/)
    expect(text).not.toContain('<b>')
  })
  it('has the numbers of the comparison', () => {
    for (const { comparison, changes } of compared.comparison.pairs) {
      const points = Math.abs(comparison!.paired!.meanDiff * 100).toFixed(1)
      expect(text).toMatch(
        new RegExp(
          `${points.replace('.', String.raw`\.`)}\\*\\* \\| .* \\| ${changes.better} \\| ${changes.worse} \\|`,
        ),
      )
    }
  })
  it('shows the leaderboard of a run alone', () => {
    const alone = writeReport(buildReport([after]), { format: 'pr-comment' })
    expect(alone).toContain('| # | Model | Score |')
    expect(alone).toContain('Without a score')
  })
})

/** Model ids, case ids, suites and judges are what others wrote. */
const HOSTILE =
  '@octocat </details></sub> <img src=x> [click](https://evil.example) ![x](http://evil.example/x.png) https://evil.example www.evil.example #1 -->\n\n# Heading\n| a | b |\u202Eabc `code` **bold** $x$'

describe('hostile names in files for other sites', () => {
  const hostile: RunResult = {
    ...makeRun('h', (index) => (index % 2 === 0 ? 1 : 0), [HOSTILE, `${HOSTILE}2`]),
    status: 'failed',
    testSuiteSnapshot: { ...suite, name: HOSTILE },
  }
  const renamed = (run: RunResult, id: string): RunResult => ({
    ...run,
    id,
    testSuiteSnapshot: {
      ...run.testSuiteSnapshot!,
      testCases: suite.testCases.map((one) => ({ ...one, id: `${HOSTILE} ${one.id}` })),
    },
    results: run.results.map((cell, index) => ({
      ...cell,
      testCaseId: `${HOSTILE} ${cell.testCaseId}`,
      ...(id === 'later' && { score: { score: index % 3 === 0 ? 1 : 0 } }),
    })),
  })
  const both = buildComparison([makeSide([renamed(hostile, 'earlier')]), makeSide([renamed(hostile, 'later')])])
  it.each([
    ['pr-comment', both],
    ['pr-comment', buildReport([hostile])],
    ['markdown', both],
  ])('%s has no mention, link, picture or tag of theirs', (format, report) => {
    const text = writeReport(report, { format })
    expect(text).not.toMatch(/@octocat|<img|[^\\]\]\(http|https?:\/\/evil|www\.evil|\u202E|^# Heading|[^\\]#1/m)
    const count = (tag: RegExp) => text.match(tag)?.length ?? 0
    expect(count(/<\/details>/g)).toBe(count(/<details>/g))
    expect(count(/-->/g)).toBe(count(/<!--/g))
  })
  it('a comment fits GitHub with many models, stopped runs and long names', () => {
    const long = Array.from({ length: 12 }, (_, index) => `${'x|'.repeat(140)}${index}`)
    const run = makeRun('long', () => 1, long)
    const runs = Array.from({ length: 300 }, (_, index) => ({
      ...(index === 0 ? run : { ...run, results: [] }),
      id: `${'r'.repeat(200)}${index}`,
      status: 'cancelled' as const,
    }))
    expect(writeReport(buildReport(runs), { format: 'pr-comment' }).length).toBeLessThan(20_000)
  })
})

describe('answers from the cache', () => {
  const day = 86_400_000
  const cached: RunResult = {
    ...after,
    results: after.results.map((cell, index) => (index < 7 ? { ...cell, cachedAt: after.startedAt! - 3 * day } : cell)),
  }
  it.each(['pr-comment', 'markdown', 'html', 'latex'])('are disclosed in %s, alone and compared', (format) => {
    for (const report of [buildReport([cached]), buildComparison([makeSide([before]), makeSide([cached])])])
      expect(writeReport(report, { format })).toMatch(/up to 3 days old/)
  })
  it('are counted in data files', () => {
    const report = buildReport([cached])
    const [head = '', first = ''] = writeReport(report, { format: 'leaderboard-csv' }).split('\r\n')
    expect(head).toContain(',fromCache,fromCacheOf,oldestFromCacheMs,')
    expect(writeReport(report, { format: 'leaderboard-csv' })).toMatch(new RegExp(`,7,\\d+,${3 * day},`))
    expect(first).not.toBe('')
    expect(writeReport(report, { format: 'every-eval-ever' })).toContain('"answers_from_cache":"7"')
    expect(writeReport(report, { format: 'junit' })).toContain('up to 3 days old')
  })
})

describe('the leaderboard as CSV', () => {
  it('has one row a model with the ends of its intervals', () => {
    const report = buildReport([after])
    const { data } = Papa.parse<Record<string, string>>(writeReport(report, { format: 'leaderboard-csv' }).trim(), {
      header: true,
    })
    expect(data).toHaveLength(2)
    const scored = report.rows.map(({ modelId, score }) => [
      modelId.replace(/^=/, "'="),
      String(score!.mean),
      String(score!.low),
      String(score!.high),
      String(score!.passed),
    ])
    expect(
      data.map((row) => [row['modelId'], row['score'], row['scoreLow95'], row['scoreHigh95'], row['passed']]),
    ).toEqual(scored)
  })
})

/** The required fields of version 0.3.0, for machines without the schema. */
const recordSchema = z.object({
  schema_version: z.literal('0.3.0'),
  evaluation_id: z.string(),
  retrieved_timestamp: z.string().regex(/^\d+$/),
  source_metadata: z.object({
    source_type: z.literal('evaluation_run'),
    source_organization_name: z.string(),
    evaluator_relationship: z.enum(['first_party', 'third_party', 'collaborative', 'other']),
  }),
  model_info: z.object({
    name: z.string(),
    id: z.string(),
    additional_details: z.looseObject({ deployment_type: z.string(), model_availability: z.string() }),
  }),
  eval_library: z.object({ name: z.literal('benchmaker'), version: z.string() }),
  evaluation_results: z
    .array(
      z.object({
        evaluation_name: z.string(),
        source_data: z.object({ dataset_name: z.string(), source_type: z.literal('other') }),
        metric_config: z.object({
          lower_is_better: z.literal(false),
          score_type: z.literal('continuous'),
          min_score: z.literal(0),
          max_score: z.literal(1),
        }),
        score_details: z.object({
          score: z.number().min(0).max(1),
          uncertainty: z.object({
            confidence_interval: z.object({ lower: z.number(), upper: z.number(), confidence_level: z.literal(0.95) }),
            standard_deviation: z.number().optional(),
            num_samples: z.number(),
          }),
        }),
      }),
    )
    .length(2),
})

const readRecords = (report: Parameters<typeof writeReport>[0]): unknown[] =>
  writeReport(report, { format: 'every-eval-ever' })
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))

const schemaFile = join(import.meta.dirname, '../../../../shared/data/results/every-eval-ever/eval.schema.json')

describe('records of Every Eval Ever 0.3.0', () => {
  it('have the required fields, the scores of the leaderboard and their intervals', () => {
    const report = buildReport([after])
    const records = readRecords(report).map((record) => recordSchema.parse(record))
    expect(records.map(({ model_info }) => model_info.id)).toEqual(report.rows.map(({ modelId }) => modelId))
    expect(records.map(({ evaluation_results: [mean] }) => mean!.score_details.score)).toEqual(
      report.rows.map(({ score }) => score!.mean),
    )
  })
  it.skipIf(!existsSync(schemaFile))('fit the published schema (skipped without its file)', () => {
    const schema: Record<string, unknown> = JSON.parse(readFileSync(schemaFile, 'utf8'))
    const validate = new Ajv({ strict: false, allErrors: true }).compile(schema)
    const reports = [buildReport([after]), buildReport([before, { ...before, id: 'again' }]), compared]
    for (const record of reports.flatMap(readRecords)) {
      validate(record)
      expect(validate.errors ?? []).toEqual([])
    }
    expect(validate({ schema_version: '0.3.0' })).toBe(false)
  })
  it('have the standard deviation over cases beside their number, for a series too', () => {
    const half = (id: string) => makeRun(id, (index) => (index < 15 ? 1 : 0))
    const [record] = readRecords(buildReport([half('one'), half('two')])).map((found) => recordSchema.parse(found))
    const { uncertainty } = record!.evaluation_results[0]!.score_details
    expect(uncertainty.num_samples).toBe(30)
    expect(uncertainty.standard_deviation).toBeCloseTo(Math.sqrt((30 * 0.25) / 29), 12)
  })
  it('leave out a model without a score: a 0 would be a lie', () => {
    const silent = makeRun('silent', (_index, model) => (model === 'a/one' ? 1 : undefined))
    expect(readRecords(buildReport([silent]))).toHaveLength(1)
  })
})

describe('the format of a file', () => {
  it('is found by the longest extension', () => {
    const names = [
      'a.html',
      'a.md',
      'a.pr.md',
      'a.csv',
      'x.leaderboard.csv',
      'a.json',
      'a.eee.jsonl',
      'a.tex',
      'A.XML',
    ].map((file) => findFormatOfFile(file)?.name)
    expect(names).toEqual([
      'html',
      'markdown',
      'pr-comment',
      'csv',
      'leaderboard-csv',
      'json',
      'every-eval-ever',
      'latex',
      'junit',
    ])
    expect(findFormatOfFile('a.txt')).toBeUndefined()
  })
})

describe('cells without a score', () => {
  const report = buildReport([after])
  it('are counted with their reason and the bounds of the mean in every table for papers and CI', () => {
    for (const format of ['latex', 'junit', 'pr-comment', 'markdown', 'html'])
      expect(writeReport(report, { format }), format).toMatch(
        /1 of 30 cells without a score \(1 (?:×|\$\\times\$) error\); its mean would be 96\.7 to 100\.0 if they all scored 0 or 100/,
      )
    const csv = writeReport(report, { format: 'leaderboard-csv' })
    const rows = Papa.parse<Record<string, string>>(csv, { header: true }).data
    const row = rows.find(({ errors }) => errors === '1')
    expect(row).toMatchObject({ missingReasons: '1 × error', scoreIfMissing1: '1' })
    expect(Number(row?.['scoreIfMissing0'])).toBeCloseTo(29 / 30, 12)
  })
})
