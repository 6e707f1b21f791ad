import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { suiteSchema, testCaseSchema } from '../src/contract/index.ts'
import * as library from '../src/index.ts'
import { codeScorers, scorers } from '../src/scoring/scorers.ts'
import { planSite } from '../tools/site/build-site.ts'
import { findSections } from '../tools/site/in-page/search.ts'
import { layOut } from '../tools/site/layout.ts'
import { renderMarkdown } from '../tools/site/markdown.ts'
import { readGroups } from '../tools/site/order.ts'
import { writeReference } from '../tools/site/reference/reference.ts'
import { writeSearchIndex } from '../tools/site/search-index.ts'

const root = join(import.meta.dirname, '..')
const reference = writeReference(root)
const site = planSite({ root, reference })
const render = (markdown: string, path = 'page.md') =>
  renderMarkdown(markdown, { path, pictures: new Map(), titles: new Map([['judges.md', 'Judges']]) })

describe('the documentation', () => {
  it('has a place in the sidebar for every page of docs/: add new ones to docs/README.md', () => {
    expect(site.unplaced).toEqual([])
    const shown = site.sidebar.flatMap(({ pages }) => pages.map(({ address }) => address))
    const files = globSync('**/*.md', { cwd: join(root, 'docs') })
      .filter((path) => path !== 'README.md')
      .map((path) => path.replace(/\.md$/, '.html'))
    expect(shown.filter((address) => files.includes(address)).sort()).toEqual(files.sort())
    expect(new Set(shown).size).toBe(shown.length)
  })

  it('describes every page that it places', () => {
    const placed = readGroups(root).flatMap(({ pages }) => pages)
    expect(placed.length).toBeGreaterThan(20)
    const summaries = placed.map(({ summary }) => summary)
    expect(summaries.filter((summary) => !/^\S.*\.$/.test(summary))).toEqual([])
  })

  it('names a test that exists for every boundary of security.md', () => {
    const lines = readFileSync(join(root, 'docs/security.md'), 'utf8').split('\n')
    const start = lines.indexOf('## Money and results')
    const rows = lines.slice(start).filter((line) => /^\| (?!boundary |---)/.test(line))
    expect(rows.length).toBeGreaterThan(30)
    for (const row of rows) {
      const files = [
        ...row
          .split(' | ')
          .at(-1)!
          .matchAll(/`([^`]+)`/g),
      ].map(([, file = '']) => file)
      expect(files, row).not.toEqual([])
      expect(files.filter((file) => !file.endsWith('.test.ts') || !existsSync(join(root, file)))).toEqual([])
    }
  })

  it('has only links to pages and sections that exist', () => {
    const anchors = new Map(site.pages.map(({ address, headings }) => [address, new Set(headings.map(({ id }) => id))]))
    const broken = site.pages.flatMap(({ path, links }) =>
      links
        .filter((link) => {
          const [address = '', anchor] = link.split('#')
          const known = anchors.get(address)
          return !known || (anchor !== undefined && !known.has(anchor))
        })
        .map((link) => `${path}: ${link}`),
    )
    expect(broken).toEqual([])
    expect(site.pages.flatMap(({ links }) => links).length).toBeGreaterThan(50)
  })

  it('loads nothing from elsewhere', () => {
    const loaded = site.pages.flatMap((page) =>
      [...layOut(page, site.sidebar).matchAll(/<(?:script|img|link)\b[^>]*\b(?:src|href)="([^"]*)"/g)].map(
        ([, at]) => at!,
      ),
    )
    expect(loaded.filter((address) => /^(?:[a-z]+:|\/)/i.test(address))).toEqual([])
    expect(loaded.length).toBeGreaterThan(site.pages.length * 4)
  })
})

describe('the reference', () => {
  const headingsOf = (path: string) => site.pages.find((page) => page.path === path)!.headings.map(({ text }) => text)

  it('has every command with its options', () => {
    const headings = headingsOf('reference/commands.md')
    expect(headings).toEqual(expect.arrayContaining(['serve', 'run', 'check', 'mcp', 'docs', 'Exit codes']))
    const { html } = site.pages.find(({ path }) => path === 'reference/commands.md')!
    expect(html).toContain('<code>--smallest-difference &lt;d&gt;</code>')
    expect(html).toContain('benchmaker export latest --out report.html results.csv')
  })

  it('has every scoring method', () => {
    const headings = headingsOf('reference/scoring-methods.md')
    expect(headings).toEqual(['Scoring methods', ...[...scorers, ...codeScorers].map(({ name }) => name)])
  })

  it('has every field of a suite and a case, with its meaning', () => {
    const { html } = site.pages.find(({ path }) => path === 'reference/suite-files.md')!
    for (const name of [...Object.keys(suiteSchema.shape), ...Object.keys(testCaseSchema.shape)])
      expect(html).toContain(`<td><code>${name}</code></td>`)
    expect(html).not.toMatch(/<td><\/td><\/tr>/)
    const request = site.pages.find(({ path }) => path === 'reference/run-request.md')!
    expect(request.html).not.toMatch(/<td><\/td><\/tr>/)
  })

  it('has every export of the library', () => {
    const headings = new Set(headingsOf('reference/library.md'))
    expect(Object.keys(library).filter((name) => !headings.has(name))).toEqual([])
  })
})

describe('Markdown', () => {
  it('shows raw HTML instead of obeying it, and drops comments', () => {
    const { html } = render(
      '# T\n\n<script>alert(1)</script>\n\n<!-- note -->\n\na <b onclick="x()">b</b> `<i>`\n\n```html\n</code><u>\n```',
    )
    expect(html).not.toMatch(/<(?:script|b|i|u)[\s>]|note/)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).toContain('&lt;/code&gt;&lt;u&gt;')
  })

  it('makes no link of an address that could run code', () => {
    const { html } = render('# T\n\n[a](javascript:alert(1)) [b](data:text/html,x) [c](VBScript:x)')
    expect(html).not.toContain('href="javascript')
    expect(html.match(/href=/g)).toBeNull()
  })

  it('leads links to pages of the site, and shows sources as code', () => {
    const { html, links } = render(
      '# T\n\n[judges.md](../judges.md#audits) [the folder](../decisions) [code](../../src/index.ts) [out](https://example.org/?a=1&b)',
      'decisions/0001.md',
    )
    expect(html).toContain('<a href="../judges.html#audits">Judges</a>')
    expect(html).toContain('<a href="../decisions/index.html">the folder</a>')
    expect(html).toContain('<code>code</code>')
    expect(html).toContain('href="https://example.org/?a=1&amp;b"')
    expect(links).toEqual(['judges.html#audits', 'decisions/index.html'])
  })

  it('gives headings the anchors that GitHub gives them', () => {
    const { headings } = render(
      '# The `--json` option\n\n## What "not found" means\n\n## A scorer\n\n## A scorer\n\n## 95 % (n = 2…100)',
    )
    expect(headings.map(({ id }) => id)).toEqual([
      'the---json-option',
      'what-not-found-means',
      'a-scorer',
      'a-scorer-1',
      '95--n--2100',
    ])
  })

  it('refuses a page without a title and a picture that is missing', () => {
    expect(() => render('text')).toThrow('page.md: has no title')
    expect(() => render('# T\n\n![x](images/none.png)')).toThrow('images/none.png')
  })
})

describe('the search', () => {
  const index = (pages: Parameters<typeof writeSearchIndex>[0]) =>
    JSON.parse(writeSearchIndex(pages).replace('window.benchmakerSearch=', ''))
  const pages = [
    {
      address: 'judges.html',
      ...render('# Judges\n\nGrades.\n\n## Calibrating it\n\nKnown samples, `BENCHMAKER_HOME`.'),
    },
    { address: 'costs.html', ...render('# Costs\n\nA budget: `--max-cost 2`.\n\n## Other\n\nCalibrating is cheap.') },
    { address: 'reference/library.html', ...render('# Library\n\n### calibrateJudge\n\nGrades samples.') },
  ]
  const found = (query: string) => findSections(index(pages), query).map(({ address }) => address)

  it.each([
    ['calibrating', 'judges.html#calibrating-it'],
    ['calibratng', 'judges.html#calibrating-it'],
    ['--max-cost', 'costs.html#costs'],
    ['BENCHMAKER_HOME', 'judges.html#calibrating-it'],
    ['grades', 'judges.html#judges'],
    ['calibratej', 'reference/library.html#calibratejudge'],
    // No section has both words.
    ['budget library', 'costs.html#costs'],
  ])('%s finds %s', (query, address) => {
    expect(found(query)).toContain(address)
  })

  it('puts a heading before a mention, and an explanation before the reference', () => {
    expect(found('calibrating')[0]).toBe('judges.html#calibrating-it')
    expect(found('grades')[0]).toBe('judges.html#judges')
  })

  it('shows where the words are in the real pages, and finds nothing for nonsense', () => {
    const from = index(site.pages)
    for (const { excerpt, heading, words } of findSections(from, 'jittered')) {
      expect(`${heading} ${excerpt}`.toLowerCase()).toContain(words[0])
      expect(excerpt.length).toBeLessThan(200)
    }
    expect(findSections(from, 'qqzzxxv')).toEqual([])
    expect(findSections(from, '<>&"…')).toEqual([])
  })
})

it('is built where the program serves it', () => {
  expect(existsSync(join(root, 'dist/web/help/index.html'))).toBe(true)
})
