import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../contract/index.ts'
import { html } from './html-markup.ts'
import { buildReport } from '../../model/report.ts'
import { searchHash, searchScript } from './html-search.ts'
import { writeHtml } from './html.ts'

/** The tags and attributes the report itself writes. Anything else comes from the data. */
const TAGS = new Set(
  'html head meta title style body main section header footer h1 h2 h3 p dl div dt dd table thead tbody tr th td svg line circle path text ul li span small br pre details summary label input output button b'.split(
    ' ',
  ),
)
const ATTRIBUTES = new Set(
  'lang charset name content http-equiv class scope height width viewBox d role aria-label aria-hidden tabindex x1 x2 y1 y2 x y cx cy r data-label colspan dir type hidden'.split(
    ' ',
  ),
)

/** Parses tags like a browser, given that all attributes are quoted and every < in text is escaped. */
function checkTags(page: string): void {
  const body = page
    .replace('<!doctype html>', '')
    .replace(/<style>[^<]*<\/style>/, '')
    .replace(searchScript.text, '')
    .replace('class="search" hidden>', 'class="search">')
  const rest = body.replaceAll(
    /<\/?([a-z0-9]+)((?:\s+[a-zA-Z0-9-]+="[^"<>]*")*)\s*\/?>/g,
    (_, tag: string, attributes: string) => {
      expect(TAGS).toContain(tag)
      for (const [, name] of attributes.matchAll(/\s([a-zA-Z0-9-]+)="/g)) expect(ATTRIBUTES).toContain(name)
      return ''
    },
  )
  expect(rest).not.toMatch(/[<>]/)
}

/** Common injections: tags, attributes, handlers, entities, comments, CDATA, encodings, templates. */
const CORPUS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</pre></details></td></tr></table><h1>out',
  '</title></style></textarea><script src=//x></script>',
  '<svg/onload=alert(1)>',
  '<!--><script>alert(1)</script>-->',
  ']]><script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;',
  'javascript:alert(1)',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<style>@import"//x"</style>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '\u0000<\u0000script>',
  '<scr\u0000ipt>',
  '\uD800<b>',
  '${alert(1)} {{constructor.constructor("alert(1)")()}}',
  '＜script＞',
  '\u202Etxt.exe',
]

/** A run with the text in every text field. */
function hostileRun(text: string): RunResult {
  const cell = { testCaseId: text, modelId: text, response: text }
  return {
    id: text,
    seriesId: text,
    testSuiteName: text,
    models: [text, `${text}2`],
    judgeModel: text,
    versions: { [text]: text },
    startedAt: 0,
    testSuiteSnapshot: {
      name: text,
      description: text,
      systemPrompt: text,
      judgeSystemPrompt: text,
      testCases: [
        {
          id: text,
          prompt: text,
          expectedOutput: text,
          scoringMethod: text,
          weight: 2,
          metadata: { category: text, difficulty: text, tags: [text] },
        },
        {
          id: `${text}2`,
          messages: [{ role: 'user', content: [{ type: 'text', text }] }],
          checks: [{ scoringMethod: text, expectedOutput: text, weight: 1 }],
          weight: 1,
        },
      ],
    },
    results: [
      {
        ...cell,
        score: { score: 0.5, notes: text, checks: [{ scoringMethod: text, score: 0.5, weight: 2, notes: text }] },
        toolCalls: [{ name: text, arguments: { [text]: text } }],
      },
      { ...cell, modelId: `${text}2`, score: { score: 0.7 } },
      { ...cell, testCaseId: `${text}2`, unscored: { code: text, message: text } },
      { ...cell, modelId: `${text}2`, testCaseId: `${text}2`, outcome: 'error', error: text },
    ],
  }
}

describe('the HTML report', () => {
  it.each(CORPUS)('shows %j as text wherever it comes from', (text) => {
    const page = writeHtml(buildReport([hostileRun(text), { ...hostileRun(text), id: `${text}b` }]))
    checkTags(page)
  })
  it('shows any other text as text', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '=', ' ', 'a', '`', '\n', '\u0000'),
          minLength: 1,
        }),
        (text) => {
          checkTags(writeHtml(buildReport([hostileRun(text)])))
        },
      ),
      { numRuns: 50 },
    )
  })
  it('loads nothing external and runs nothing but its own search, which the policy names by its hash', () => {
    const page = writeHtml(buildReport([hostileRun('https://x.example/y.js')])).replace(searchScript.text, '')
    const script = searchScript.text.replace(/^<script>/, '').replace(/<\/script>$/, '')
    expect(script).not.toMatch(/<\/?script/)
    expect(searchHash).toBe(`sha256-${createHash('sha256').update(script).digest('base64')}`)
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\s(?:src|href|on[a-z]+)=/i)
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; script-src '${searchHash}'"`)
  })

  const run = (id: string): RunResult => ({
    id,
    models: ['demo/good', 'other'],
    results: [
      {
        testCaseId: 'a',
        modelId: 'demo/good',
        response: 'x'.repeat(25_000),
        score: { score: 0.853 },
        latencyMs: 1250,
        cost: 0.5,
      },
      { testCaseId: 'b', modelId: 'demo/good', response: '', outcome: 'empty', score: { score: 0 } },
      {
        testCaseId: 'a',
        modelId: 'other',
        response: 'y',
        unscored: { code: 'judge-unreadable', message: 'two grades' },
      },
    ],
  })
  it('draws the mean and its interval on an axis from 0 to 100, in percent of the width', () => {
    const report = buildReport([run('r')])
    const { mean, low, high } = report.rows[0]!.score!
    const page = writeHtml(report)
    expect(page).toContain(`<circle class="dot" cx="${(mean * 100).toFixed(2)}%"`)
    expect(page).toContain(`<line class="range" x1="${(low * 100).toFixed(2)}%" x2="${(high * 100).toFixed(2)}%"`)
  })
  it('shows a score as a number, unscored with its reason, and a model without a score as such', () => {
    const page = writeHtml(buildReport([run('r')]))
    expect(page).toContain('<span class="s9">85.3</span>')
    expect(page).toContain('<small class="bad">judge-unreadable</small>')
    expect(page).toContain('<span class="bad">no score</span>')
    expect(page).toContain('two grades')
    expect(page).toContain('empty answer')
  })
  it('labels simulated models, and truncates very long answers visibly', () => {
    const page = writeHtml(buildReport([run('r')]))
    expect(page).toContain('The answers of 1 model are simulated')
    expect(page).toContain('5,000 more characters are in the JSON export.')
    expect(page).not.toContain('x'.repeat(20_001))
  })
  it('begins with the verdict, the models briefly named, their cost, what to take and what to know', () => {
    const models = { 'vendor/large': 0.95, 'vendor/small': 0.5 }
    const results = Object.entries(models).flatMap(([modelId, mean], model) =>
      Array.from({ length: 40 }, (_, index) => ({
        testCaseId: `c${index}`,
        modelId,
        response: 'x',
        cost: 0.01 / (model + 1),
        score: { score: index === 7 || (index * 7) % 40 >= mean * 40 ? 0 : 1 },
      })),
    )
    const page = writeHtml(buildReport([{ id: 'r', models: Object.keys(models), results, startedAt: 0 }]))
    const [first] = /<section class="sheet first">.*?<\/section>/s.exec(page)!
    const text = first.replaceAll(/<svg.*?<\/svg>/gs, '').replaceAll(/<[^>]+>/g, ' ')
    const places = [
      'large beats small by',
      'No more data needed.',
      'Leaderboard',
      'Cost against quality',
      'Best answers',
      'Cheapest',
      'Where models fail',
      'No model passed 3 of 40 cases',
    ].map((part) => text.indexOf(part))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
    expect(first).toContain('<path class="frontier"')
    expect(first).not.toContain('vendor/')
    expect(page.indexOf('<h2>Cases and answers</h2>')).toBeLessThan(page.indexOf('<h2>Statistics</h2>'))
    expect(page.indexOf('<h2>Statistics</h2>')).toBeLessThan(page.indexOf('<h2>Method</h2>'))
    expect(page).not.toContain('prefers-color-scheme')
  })
  it('keeps the first page short, however many models there are', () => {
    const models = Array.from({ length: 30 }, (_, index) => `m${index}`)
    const results = models.map((modelId) => ({ testCaseId: 'a', modelId, response: 'x', score: { score: 1 } }))
    const page = writeHtml(buildReport([{ id: 'r', models, results }]))
    expect(page).toContain('22 more models under Statistics.')
  })
  it('lists the runs of a series and shows each answer', () => {
    const page = writeHtml(buildReport([run('r1'), run('r2')]))
    expect(page).toContain('<h2>Over 2 runs</h2>')
    expect(page).toContain('run 2 · 85.3')
  })
})

describe('the html template', () => {
  it('escapes every value that it did not create itself', () => {
    expect(html`<b title="${'"'}">${'<'}${html`<i>${'&'}</i>`}${[1, undefined, false, '>']}</b>`.text).toBe(
      '<b title="&quot;">&lt;<i>&amp;</i>1&gt;</b>',
    )
  })
})
