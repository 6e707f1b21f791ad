import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import type { CellResult, JudgeStanding, RunResult, Suite } from '../../contract/index.ts'
import { buildComparison, makeSide } from '../comparing/comparison-report.ts'
import { reportChartKinds, reportCharts } from '../charts/svg/charts.ts'
import { writeDrawing } from '../charts/svg/canvas.ts'
import { drawTrend } from '../charts/svg/trend-chart.ts'
import { formats } from '../formats.ts'
import { buildReport, type Report } from '../model/report.ts'
import { buildTrend, trendRunsOf } from '../../statistics/index.ts'
import { codeScorers, scorers } from '../../scoring/scorers.ts'
import { createRename } from './model-aliases.ts'
import { isProgramValue } from './hide-models.ts'
import { renameTrend } from './rename-trend.ts'
import { prepareForSharing, type SharingOptions } from './sharing.ts'

const models = [
  'openai/gpt-4o-2024-08-06',
  'anthropic/claude-3-5-sonnet-20241022',
  'acme-cloud/zebra-7b@terse',
  'lonelymodel',
]
const judges = ['google/gemini-2.5-pro', 'openai/gpt-4o-2024-08-06']

/** Ways in which texts name the models of the run, as they are and as an address, JSON or HTML would have them. */
const aliases = [
  'openai/gpt-4o-2024-08-06',
  'gpt-4o-2024-08-06',
  'GPT-4o',
  'gpt 4o',
  'GPT_4O',
  'openai%2Fgpt-4o-2024-08-06',
  'ChatGPT',
  'OpenAI',
  'anthropic/claude-3-5-sonnet-20241022',
  'claude-3-5-sonnet',
  'Claude 3.5 Sonnet',
  'Claude',
  'Anthropic',
  'Sonnet 3.5',
  'acme-cloud/zebra-7b',
  'ACME-Cloud',
  'zebra-7b',
  'Zebra 7B',
  'zebra-7b@terse',
  'lonelymodel',
  'gemini-2.5-pro',
  'Gemini 2.5 Pro',
]

let planted = 0

/** A text for a field that can hold one: all names, and a mark that tells the fields apart. */
function plant(place: string): string {
  planted++
  return `CANARY-${place.toUpperCase()}-${planted} I am ${aliases.join(', and I am ')}. CANARY`
}

function makeSuite(): Suite {
  return {
    name: 'GPT-4o against Claude 3.5 Sonnet',
    description: plant('description'),
    systemPrompt: plant('system'),
    judgeSystemPrompt: plant('judge'),
    embeddingModel: 'openai/text-embedding-3-large',
    variants: [
      { name: 'terse', models: ['acme-cloud/zebra-7b'], prompt: plant('variant'), systemPrompt: plant('variant') },
    ],
    anything: plant('loose'),
    testCases: Array.from({ length: 8 }, (_, index) => ({
      id: index === 0 ? 'case about gpt-4o' : index === 1 ? 'case about GPT 4o' : `case-${index}`,
      weight: 1,
      scoringMethod: 'llm-judge',
      ...(index % 2 === 0
        ? { prompt: plant('prompt') }
        : { messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: plant('message') }] }] }),
      expectedOutput: plant('expected'),
      vars: { name: plant('vars') },
      tools: [{ name: plant('tool') }],
      expectedCalls: [{ name: plant('call'), arguments: { [plant('key')]: plant('argument') } }],
      ...(index === 2 && {
        scoringMethod: undefined,
        checks: [
          {
            scoringMethod: 'exact-match',
            name: plant('check'),
            expectedOutput: plant('check'),
            weight: 1,
            pattern: plant('option'),
          },
        ],
      }),
      metadata: { category: index % 2 === 0 ? 'even' : 'odd', tags: ['t'], note: plant('metadata') },
    })),
  }
}

function makeCell(modelId: string, testCaseId: string, index: number): CellResult {
  const score = 0.1 + ((index * 7) % 8) / 10 + models.indexOf(modelId) / 40
  const common = {
    testCaseId,
    modelId,
    latencyMs: 987_654.5,
    firstTokenMs: 876_543.5,
    cost: 0.0314159,
    promptTokens: 424_242,
    completionTokens: 535_353,
    attempts: 1,
    leftOut: [plant('parameter')],
  }
  if (index === 5) return { ...common, outcome: 'error', error: plant('error') }
  if (index === 6)
    return {
      ...common,
      outcome: 'ok',
      response: plant('unscored'),
      unscored: { code: 'judge-unreadable', message: plant('message') },
    }
  return {
    ...common,
    outcome: 'ok',
    response: plant('response'),
    toolCalls: [{ name: plant('toolcall'), arguments: { [plant('toolkey')]: plant('toolvalue') } }],
    score: {
      score,
      notes: plant('notes'),
      judges: judges.map((judgeModelId) => ({ judgeModelId, score, reasoning: plant('reasoning') })),
      missingJudges: [{ judgeModelId: judges[0]!, reason: plant('missing') }],
      comparisons: [
        {
          opponentId: models.find((other) => other !== modelId)!,
          score: 0.5,
          notes: plant('pairnotes'),
          judges: [{ judgeModelId: judges[0]!, score: 0.5, isConsistent: true, reasoning: plant('pairreason') }],
          missingJudges: [{ judgeModelId: judges[1]!, reason: plant('pairmissing') }],
        },
      ],
      checks: [
        {
          id: 'criterion',
          name: plant('criterion'),
          scoringMethod: 'rubric',
          weight: 1,
          score,
          notes: plant('checknotes'),
        },
      ],
    },
    rating: { rating: 0.5, note: plant('rating') },
    ratings: [{ rater: 'Grace Hopper', rating: 0.4, note: plant('raternote') }],
  }
}

function makeRun(id: string): RunResult {
  const suite = makeSuite()
  return {
    id: `${id}-gpt-4o`,
    seriesId: `series-${id}-claude`,
    label: { name: plant('labelname'), tags: ['zebra-7b', 'OpenAI'], note: plant('labelnote') },
    testSuiteId: 'gpt-4o-suite',
    testSuiteName: suite.name,
    testSuiteSnapshot: suite,
    models,
    parameters: {
      temperature: 0,
      topP: 1,
      maxTokens: 100,
      frequencyPenalty: 0,
      presencePenalty: 0,
      benchmarkMode: false,
    },
    judgeModel: judges.join(','),
    startedAt: Date.UTC(2026, 10, 16, 9),
    completedAt: Date.UTC(2026, 10, 16, 10),
    status: 'cancelled',
    stopReason: 'budget',
    request: {
      suiteId: 'gpt-4o-suite',
      models,
      parameters: {},
      judgeModelIds: judges,
      combineJudges: 'mean',
      repeat: 1,
      concurrency: 5,
      maxTimeSeconds: 600,
      cache: false,
      maxCost: 0.27182,
      endpoint: 'https://acme-cloud.example/gpt-4o/v1',
      filter: ['openai'],
      project: 'Zebra trials',
      startedBy: { id: 'ada@acme.example', name: 'Ada Lovelace' },
      tokensPerMinute: 7_654_321,
    },
    versions: { benchmaker: '0.1.0', judgePrompt: 'llm-judge/1', importedFile: 'gpt-4o.eval', tool: 'runs gpt-4o' },
    results: models.flatMap((modelId, model) =>
      suite.testCases.map((testCase, index) => makeCell(modelId, testCase.id, (index + model) % 8)),
    ),
    ratingQueues: [
      {
        id: 'queue-gpt-4o',
        runIds: [`${id}-gpt-4o`],
        scale: 'points',
        seed: 'seed',
        drawnAt: 0,
        strata: models.map((modelId) => ({ modelId, cases: 1, answers: 1, drawn: 1 })),
        items: models.map((modelId, index) => ({
          position: index + 1,
          runId: `${id}-gpt-4o`,
          testCaseId: 'case-3',
          modelId,
        })),
      },
    ],
  }
}

const calibrations: JudgeStanding[] = [
  { judgeModelId: judges[0]!, rating: 'good', promptVersion: 'llm-judge/1', samples: 8 },
  { judgeModelId: 'someone/elses-judge', rating: 'poor' },
]

const toUtf8 = (text: string) => Buffer.from(text, 'utf8')

/** The text and what it would be after each encoding that a file might use, and parts of its Base64 at every offset. */
function encodingsOf(text: string): string[] {
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset, 'x'), toUtf8(text)])
      .toString('base64')
      .slice(4, -4),
  )
  return [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    text.replaceAll('/', String.raw`\/`),
    text.replaceAll('-', String.raw`\-`),
    text.replaceAll('_', String.raw`\_`),
    text.replaceAll('_', '\\textunderscore{}'),
    [...text].map((letter) => `&#${letter.codePointAt(0)};`).join(''),
    toUtf8(text).toString('hex'),
    ...(text.length >= 9 ? base64 : []),
  ]
}

/** Everything that can be written of the runs. */
function writeAll(runs: RunResult[], sharing: SharingOptions): Map<string, string> {
  const files = new Map<string, string>()
  const add = (name: string, report: Report) => {
    for (const format of formats) files.set(`${name}.${format.name}`, [format.write(report)].flat().join(''))
    for (const kind of reportChartKinds) {
      const drawing = reportCharts[kind].draw(report)
      if (drawing) files.set(`${name}.${kind}.svg`, writeDrawing(drawing))
    }
    files.set(`${name}.title`, report.title)
  }
  const [first, second] = runs as [RunResult, RunResult]
  const one = prepareForSharing({ runs: [first], calibrations }, sharing)
  add('run', buildReport(one.runs, { calibrations: one.calibrations }))
  const series = prepareForSharing({ runs, calibrations }, sharing)
  add('series', buildReport(series.runs, { calibrations: series.calibrations }))
  add(
    'comparison',
    buildComparison([makeSide([first]), makeSide([second])], {
      ...sharing,
      calibrations,
      cost: { total: 1.61803, unknown: 0 },
    }),
  )
  add('models', buildComparison([makeSide([first], models.slice(0, 2))], { ...sharing, calibrations }))
  return files
}

/** Where one of the texts is, in whatever encoding. */
function listIn(files: Map<string, string>, texts: readonly string[]): string[] {
  const forms = [...new Set(texts.flatMap(encodingsOf).map((form) => form.toLowerCase()))]
  return [...files].flatMap(([name, content]) => {
    const lower = content.toLowerCase()
    return forms.filter((form) => lower.includes(form)).map((form) => `${name}: ${form}`)
  })
}

const makeRuns = () => [makeRun('one'), makeRun('two')]

describe('a report that is passed on', () => {
  it('has names and texts if nothing is to be left out: the search below finds what is there', () => {
    const files = writeAll(makeRuns(), {})
    expect(listIn(files, ['openai/gpt-4o-2024-08-06']).length).toBeGreaterThan(20)
    for (const place of ['PROMPT', 'EXPECTED', 'RESPONSE', 'REASONING', 'ERROR', 'NOTES', 'RATING', 'LABELNOTE'])
      expect([...files.values()].some((content) => content.includes(`CANARY-${place}-`))).toBe(true)
  })

  it('is anonymous in every format, comparison and chart: no id, spelling, family, maker, endpoint, file, label or person', () => {
    const files = writeAll(makeRuns(), { isAnonymous: true })
    expect(files.size).toBeGreaterThan(40)
    const names = [
      ...aliases,
      ...models,
      ...judges,
      'text-embedding-3',
      'someone/elses',
      'Grace Hopper',
      'Zebra trials',
      'ada@acme.example',
      'Ada Lovelace',
      'acme-cloud.example',
      'importedFile',
      'gpt-4o.eval',
      'series-one-claude',
      'queue-gpt',
    ]
    expect(listIn(files, names)).toEqual([])
    // Prices and speed identify a model as well as its name.
    expect(
      listIn(files, ['0.0314159', '987654', '876543', '424242', '535353', '0.27182', '1.61803', '7654321']),
    ).toEqual([])
    expect(files.get('run.html')).toContain('Model A')
    expect(files.get('comparison.html')).toContain('Left out</dt><dd class="name">names of models, costs and times')
    // The texts are still there.
    expect(files.get('run.json')).toContain('CANARY-RESPONSE')
    expect(files.get('run.json')).toContain('I am Model')
  })

  it('has no texts in any format: no prompt, answer, expected output, explanation, message or note', () => {
    // What people call a run stays.
    const runs = makeRuns().map((run) => ({ ...run, label: { ...run.label, name: 'Monday' } }))
    const files = writeAll(runs, { isWithoutTexts: true })
    expect(listIn(files, ['CANARY'])).toEqual([])
    expect(listIn(files, ['I am GPT-4o'])).toEqual([])
    // Names stay, and so does what groups the cases.
    expect(files.get('run.html')).toContain('openai/gpt-4o-2024-08-06')
    expect(files.get('run.html')).toContain('By category')
  })

  it('has neither with both', () => {
    const files = writeAll(makeRuns(), { isAnonymous: true, isWithoutTexts: true })
    expect(listIn(files, ['CANARY', ...aliases, ...models])).toEqual([])
  })

  it('has the same numbers and order', () => {
    const runs = makeRuns()
    const plain = buildReport(runs)
    const shared = buildReport(prepareForSharing({ runs }, { isAnonymous: true, isWithoutTexts: true }).runs)
    const figures = ({ rows }: Report) =>
      rows.map(({ score, rank, unscored, errors }) => ({ score, rank, unscored, errors }))
    expect(figures(shared)).toEqual(figures(plain))
    expect(shared.rows.map(({ modelId }) => modelId)).toEqual(
      ['Model A', 'Model B', 'Model C@terse', 'Model D'].map((name) => expect.stringContaining(name.slice(0, 6))),
    )
    expect(
      shared.comparisons.map(({ comparison: { paired } }) => [
        Math.abs(paired!.meanDiff).toFixed(10),
        paired!.verdictP,
      ]),
    ).toEqual(
      plain.comparisons.map(({ comparison: { paired } }) => [Math.abs(paired!.meanDiff).toFixed(10), paired!.verdictP]),
    )
    expect(shared.cases).toHaveLength(plain.cases.length)
  })

  it('has the same numbers if models are called like words of the program', () => {
    const ids = ['acme/llm-judge', 'acme/judge', 'acme/category', 'acme/weight', 'acme/score', 'prompt']
    const run: RunResult = {
      id: 'r',
      models: ids,
      versions: { judgePrompt: 'llm-judge/1' },
      testSuiteSnapshot: {
        name: 'S',
        testCases: Array.from({ length: 10 }, (_, index) => ({
          id: `c${index}`,
          prompt: 'p',
          scoringMethod: 'llm-judge',
          weight: index + 1,
          metadata: { category: 'score', tags: ['judge'] },
        })),
      },
      results: ids.flatMap((modelId, model) =>
        Array.from({ length: 10 }, (_, index) => ({
          testCaseId: `c${index}`,
          modelId,
          score: {
            score: ((index + model) % 10) / 10,
            judges: [{ judgeModelId: 'x/rubric', score: 1, reasoning: 'r' }],
          },
        })),
      ),
    }
    const figures = ({ rows }: Report) => rows.map(({ score, rank }) => ({ score, rank }))
    const shared = buildReport(prepareForSharing({ runs: [run] }, { isAnonymous: true }).runs)
    expect(figures(shared)).toEqual(figures(buildReport([run])))
    expect(shared.cases[0]).toMatchObject({ methods: ['llm-judge'], tags: [expect.any(String)] })
    expect(shared.runs[0]!.versions).toMatchObject({ judgePrompt: 'llm-judge/1' })
  })

  it('does not say how fast or expensive an answer was where that is scored', () => {
    const score = { score: 1, notes: 'exact 100; latency: 1234 ms; cost $0.0777' }
    const checks = [{ scoringMethod: 'latency', weight: 1, score: 1, notes: '1234 ms; at most 2000 ms' }]
    const run: RunResult = {
      id: 'r',
      models: ['a/b'],
      testSuiteSnapshot: {
        name: 'S',
        testCases: [
          { id: 'x', prompt: 'p', weight: 1, checks: [{ scoringMethod: 'latency', weight: 1 }] },
          { id: 'y', prompt: 'p', weight: 1, scoringMethod: 'cost' },
        ],
      },
      results: [
        { testCaseId: 'x', modelId: 'a/b', score: { ...score, checks } },
        { testCaseId: 'y', modelId: 'a/b', score },
      ],
    }
    const text = JSON.stringify(prepareForSharing({ runs: [run] }, { isAnonymous: true }))
    expect(text).not.toMatch(/1234|0\.0777/)
  })

  it('knows every scoring method as a word of the program', () => {
    expect([...scorers, ...codeScorers].map(({ name }) => name).filter((name) => !isProgramValue(name))).toEqual([])
  })

  it('keeps the hash of the suite as it was asked', () => {
    const runs = makeRuns()
    const hashOf = (files: Map<string, string>) =>
      /Suite SHA-256<\/dt><dd class="name">([0-9a-f, ]+)/.exec(files.get('run.html')!)?.[1]
    const hash = hashOf(writeAll(runs, {}))
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(hashOf(writeAll(runs, { isAnonymous: true, isWithoutTexts: true }))).toBe(hash)
  })

  it('has no names in the trend either', () => {
    const runs = makeRuns().map((run) => trendRunsOf([run]))
    const trend = buildTrend(runs.map((point) => ({ ...point, state: 'done' as const })))
    const drawing = drawTrend(renameTrend(trend), 'Trend')!
    expect(listIn(new Map([['trend', writeDrawing(drawing)]]), [...aliases, ...models])).toEqual([])
  })

  it('says that answers are simulated', () => {
    const runs = [
      { id: 'r', models: ['demo/good'], results: [{ testCaseId: 'a', modelId: 'demo/good', score: { score: 1 } }] },
    ]
    expect(prepareForSharing({ runs }, { isAnonymous: true }).runs[0]!.models).toEqual(['Model A (simulated)'])
  })
})

describe('createRename', () => {
  const rename = createRename(
    new Map([
      ['demo/good', 'Model A'],
      ['openai/gpt-4o', 'Model B'],
      ['openai/gpt-4o-mini', 'Model C'],
    ]),
  )
  it('leaves plain words and other names alone', () => {
    expect(rename('A good answer, Claude Monet said.')).toBe('A good answer, Claude Monet said.')
    expect(rename('demo/good')).toBe('Model A')
  })
  it('takes the longest name', () => {
    expect(rename('gpt-4o-mini and gpt-4o')).toBe('Model C and Model B')
  })
  it('does not name one model where two are meant', () => {
    expect(rename('I am GPT by OpenAI')).toBe('I am [model] by [provider]')
  })
  it('takes linear time on long texts', () => {
    const text = 'gpt '.repeat(50_000)
    const start = process.cpuUsage()
    expect(rename(text)).toBe('[model] '.repeat(50_000))
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000)
  })
})
