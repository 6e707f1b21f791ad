import { describe, expect, it } from 'vitest'
import { completeParameters, type ArenaReport, type ArenaReportPage, type RunResult } from '../../../contract/index.ts'
import { writeArenaHtml } from '../../formats/html/arena-html.ts'
import { hideNames, leaveOutPages, withoutMachine } from './arena-report.ts'

const page = (modelId: string, change: Partial<ArenaReportPage> = {}): ArenaReportPage => ({
  modelId,
  files: [{ name: 'index.html', code: `<!-- by ${modelId} --><h1>Good prices</h1>` }],
  response: `the answer of ${modelId.toUpperCase()}`,
  score: 0.9,
  criteria: [
    { label: 'Code quality', weight: 1, score: 0.9, reason: `first-judge: better than gpt-4o\nsecond: as ${modelId}` },
  ],
  notes: `first-judge 90, second 80`,
  pictures: [],
  problems: [],
  cost: 0.1234,
  latencyMs: 12_345,
  ...change,
})

const models = ['openai/gpt-4o', 'acme/large-2', 'demo/good']

const run = (id: string): RunResult => ({
  id,
  models,
  judgeModel: 'vendor/first-judge,second',
  startedAt: Date.UTC(2026, 10, 15),
  versions: { judgePrompt: 'code-arena/1', benchmaker: '0.1.0' },
  parameters: completeParameters({ maxTokens: 4321 }),
  testSuiteSnapshot: { name: 'Code Arena', testCases: [{ id: 'page', prompt: 'a page by gpt-4o', weight: 1 }] },
  results: models.map((modelId, index) => ({
    testCaseId: 'page',
    modelId,
    latencyMs: 12_345,
    cost: 0.1234,
    response: `the answer of ${modelId}`,
    score: { score: 0.9 - index / 10 },
  })),
})

const report: ArenaReport = {
  prompt: 'a page as openai/gpt-4o would write it, but good',
  systemPrompt: 'You are gpt-4o.',
  judgeModel: 'vendor/first-judge,second',
  isQuickJudge: false,
  runs: [run('20261115-034512-k7x2')],
  earlierPrompts: ['first for acme/large-2'],
  votes: [{ left: 'openai/gpt-4o', right: 'acme/large-2', choice: 'left' }],
  pages: [
    page('openai/gpt-4o'),
    page('acme/large-2', { error: 'acme: large-2 is not available at https://acme.example/v1' }),
    page('demo/good', { unscored: { code: 'judge-failed', message: 'judge vendor/first-judge: 401 from vendor' } }),
  ],
}

describe('a report without names', () => {
  const hidden = hideNames(report)
  const text = writeArenaHtml(hidden)

  it('contains no name of a model or judge, no run id, cost or speed', () => {
    for (const word of ['gpt-4o', 'acme', 'large-2', 'demo/good', 'first-judge', 'second:', 'vendor', 'k7x2'])
      expect(text.toLowerCase()).not.toContain(word)
    for (const word of ['0.1234', '12.3', 'Cost', 'Latency']) expect(text).not.toContain(word)
    expect(JSON.stringify(hidden)).not.toMatch(/gpt-4o|acme|large-2|demo\/good|first-judge|k7x2|0\.1234/i)
  })

  it('says that pages are simulated', () => {
    expect(text).toContain('Model C (simulated)')
    expect(text).toContain('offline demo models')
  })

  it('says what was left out, and leaves out pictures of pages whose code names a model', () => {
    expect(text).toContain('names of models, costs and times')
    const picture = { name: '375.png', width: 375, height: 9, isAfterInteraction: false, png: new Uint8Array([1]) }
    const shown = (code: string) =>
      writeArenaHtml(
        hideNames({
          ...report,
          pages: [page(models[0]!, { files: [{ name: 'x', code }], response: '', pictures: [picture] })],
        }),
      )
    expect(shown('<h1>Prices</h1>')).toContain('data:image/png')
    const named = shown('<h1>Made with love by ChatGPT</h1>')
    expect(named).not.toContain('data:image/png')
    expect(named).toContain('Its screenshots are left out')
  })

  it('leads with the verdict and ends with what is needed to repeat it, with and without names', () => {
    for (const written of [text, writeArenaHtml(report), writeArenaHtml(leaveOutPages(hidden))])
      for (const part of ['class="lead"', 'Suite SHA-256', '4,321', 'code-arena/1', '2026-11-15'])
        expect(written).toContain(part)
    expect(writeArenaHtml(leaveOutPages(report))).not.toMatch(/Good prices|the answer of|a page/)
  })

  it('calls the models A, B and C everywhere, in the order of the leaderboard', () => {
    expect(hidden.pages.map(({ modelId }) => modelId)).toEqual(['Model A', 'Model B', 'Model C (simulated)'])
    const reversed = hideNames({ ...report, pages: report.pages.toReversed() })
    expect(reversed.pages.map(({ response }) => response)).toEqual(hidden.pages.map(({ response }) => response))
    const { left, right } = hidden.votes![0]!
    const [ofGpt, ofAcme] = ['better than', 'There is no page'].map(
      (sign) =>
        hidden.pages.find(({ response, error = '' }) =>
          sign === 'better than' ? response.includes(left) : error.includes(sign),
        )!.modelId,
    )
    expect([ofGpt, ofAcme]).toEqual([left, right])
    expect(text).toContain(`${left} is better than ${right}`)
  })

  it('keeps plain words that are also the end of a name', () => {
    expect(text).toContain('Good prices')
    expect(hidden.prompt).toMatch(/^a page as Model A would write it, but good$/)
  })

  it('gives all pages of a model in a series the same letter', () => {
    const series = hideNames({
      ...report,
      pages: [1, 2].flatMap((runNumber) => report.pages.map((one) => ({ ...one, runNumber }))),
    })
    expect(series.pages.map(({ modelId, runNumber }) => `${modelId} ${runNumber}`)).toEqual([
      'Model A 1',
      'Model A 2',
      'Model B 1',
      'Model B 2',
      'Model C (simulated) 1',
      'Model C (simulated) 2',
    ])
  })
})

it('a report to pass on names no folder, address or key of the machine', () => {
  const messages = [
    'No pictures: BENCHMAKER_CHROMIUM is /home/anna/secret/chrome, which is no file.',
    String.raw`cannot read C:\Users\Anna\data\benchmaker.db`,
    'connect ECONNREFUSED http://10.0.0.7:8080/v1/chat?key=sk-123',
  ]
  const text = writeArenaHtml({
    ...report,
    pages: messages.map((message) => page('m', { problems: [message], error: message, notes: message, criteria: [] })),
  })
  for (const secret of ['anna', 'Anna', 'secret', '10.0.0.7', 'sk-123', 'benchmaker.db'])
    expect(text).not.toContain(secret)
  expect(text).toContain('No pictures: BENCHMAKER_CHROMIUM is [path], which is no file.')
  const [first] = withoutMachine({ ...report, pages: [page('a/b', { response: 'see https://example.com/a/b' })] }).pages
  expect(first?.response).toBe('see https://example.com/a/b')
})
